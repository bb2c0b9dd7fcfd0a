"""Add the time at which an event starts on its first day."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0054_questions_about_approvals"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="start_time",
            field=models.TimeField(
                blank=True,
                help_text="When play starts on the first day, in local time. For example 19:30.",
                null=True,
                verbose_name="start time",
            ),
        ),
    ]
