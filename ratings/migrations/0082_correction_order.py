"""Order corrections by the number of their run, newest first; the database stays as it is."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ratings", "0081_players_by_country")]
    operations = [
        migrations.AlterModelOptions(
            name="correction",
            options={"ordering": ["-run_id", "pk"], "verbose_name": "correction", "verbose_name_plural": "corrections"},
        ),
    ]
