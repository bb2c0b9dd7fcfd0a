"""Add the comparison list whose deviations a list shows, and the deviations of published lists."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0056_time_classes_and_deviations"),
    ]

    operations = [
        migrations.AddField(
            model_name="datedline",
            name="deviation",
            field=models.FloatField(help_text="Deviation as first published, in rating points.", null=True),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="deviations_from",
            field=models.ForeignKey(
                blank=True,
                help_text="A comparison to this list by a system with deviations. Its deviations are shown beside this "
                "list's ratings, under its name. Leave empty to show none.",
                limit_choices_to={"comparison_to__isnull": False},
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="ratings.ratinglist",
                verbose_name="deviations from",
            ),
        ),
    ]
