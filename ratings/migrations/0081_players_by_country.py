"""Index the countries of players, so that the countries of a list are found without reading all its players."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0080_kinds_of_unrated_games")]
    operations = [
        migrations.AddIndex("player", models.Index(fields=["country", "id"], name="players_by_country")),
    ]
