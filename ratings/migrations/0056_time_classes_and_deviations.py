"""Add the class and the list that a federation can give a results table, and the deviation of an outsider's rating."""

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
            model_name="table",
            name="list_day",
            field=models.DateField(
                blank=True,
                help_text="Only if it is not the first list after the end, for example for a late report.",
                null=True,
                verbose_name="list on which it is rated",
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
