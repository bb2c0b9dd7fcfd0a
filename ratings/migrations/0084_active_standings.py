"""Index the standings by the day of the last game, so that ranks among active players are found without the others."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0083_adjustments_by_day")]
    operations = [
        migrations.AddIndex(
            "standing",
            models.Index(
                fields=["list", "last_played", "rating", "player"],
                condition=models.Q(published=True, rating__isnull=False),
                name="active_standings",
            ),
        ),
    ]
