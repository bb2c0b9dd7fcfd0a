"""Make columns of messages wide enough for codes and values: a message is stored as JSON or as the typed text."""

from django.db import migrations, models

import ratings.models.message_fields


class Migration(migrations.Migration):
    dependencies = [("ratings", "0030_erased_people_and_result_imports")]

    operations = [
        migrations.AlterField(
            "run", "reason",
            ratings.models.message_fields.MessagesField(blank=True, db_column="reason", verbose_name="reasons"),
        ),
        migrations.RenameField("run", "reason", "reasons"),
        migrations.AlterField(
            "adjustment", "reason", ratings.models.message_fields.MessageField(max_length=300, verbose_name="reason")
        ),
        migrations.AlterField(
            "decision", "reason", ratings.models.message_fields.MessageField(max_length=300, verbose_name="reason")
        ),
        migrations.AlterField(
            "recordedstep", "reason",
            ratings.models.message_fields.MessageField(blank=True, max_length=300, verbose_name="reason"),
        ),
        migrations.AlterField("change", "note", ratings.models.message_fields.MessageField(blank=True)),
        migrations.AlterField(
            "eventstep", "note", ratings.models.message_fields.MessageField(blank=True, verbose_name="note")
        ),
        migrations.AlterField("ratedtable", "warnings", ratings.models.message_fields.MessagesField(blank=True)),
        migrations.AlterField(
            "ratinglist", "problem",
            ratings.models.message_fields.MessageField(
                blank=True, editable=False, help_text="The next run tries again.", verbose_name="why it could not be rated"
            ),
        ),
        migrations.AlterField(
            "sheet", "reason",
            ratings.models.message_fields.MessageField(
                blank=True, max_length=300, verbose_name="reason for the correction"
            ),
        ),
        migrations.AlterField(
            "sheet", "warnings",
            models.JSONField(
                default=list, editable=False, help_text="Confirmed warnings: [row, round, message, reason]."
            ),
        ),
    ]
