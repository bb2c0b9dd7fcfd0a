"""Add the class that a federation can give a results table, and the deviation of an outsider's rating."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0055_start_time_of_events"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="time_class",
            field=models.CharField(
                blank=True,
                choices=[("A", "A"), ("B", "B"), ("C", "C"), ("D", "D")],
                db_default="",
                default="",
                help_text="Only if the federation set a class; otherwise the thinking time determines it.",
                max_length=1,
                verbose_name="class of the tournament",
            ),
        ),
        migrations.AddField(
            model_name="listplayer",
            name="fixed_deviation",
            field=models.FloatField(
                blank=True,
                help_text="How uncertain that rating is, in rating points. Leave empty if unknown.",
                null=True,
                verbose_name="deviation as an outsider",
            ),
        ),
    ]
