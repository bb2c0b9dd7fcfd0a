"""Index the folded names of players, so that the 40 names of a results table are looked up in a millisecond."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0039_list_needs_federation")]
    operations = [
        migrations.AddIndex(
            "player",
            models.Index(fields=["search_name"], name="players_by_search_name", opclasses=["text_pattern_ops"]),
        ),
    ]
