"""Name the mark of a table to be rated again `needs_rating`; its column keeps its name until an upgrade has ended."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0043_correction_paths")]
    operations = [
        migrations.AlterField(
            "ratedtable",
            "stale",
            models.BooleanField(
                db_column="stale", default=False, help_text="The table, or data of its players, has changed."
            ),
        ),
        migrations.RenameField("ratedtable", "stale", "needs_rating"),
    ]
