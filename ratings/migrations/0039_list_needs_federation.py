"""Require a federation for each list, and forget the name that each list had.

A list that the code before the upgrade would create meanwhile has no federation and is refused: only administrators
create lists. The column of the name stays, so that the old code can read it; nothing writes it.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0038_federations")]
    operations = [
        migrations.AlterField(
            "ratinglist",
            "federation",
            models.ForeignKey(
                on_delete=models.deletion.PROTECT,
                related_name="lists",
                to="ratings.federation",
                verbose_name="federation",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("ratinglist", "federation_name")],
        ),
    ]
