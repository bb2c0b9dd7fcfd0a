"""Figures of the last check of each draft, so far stored with files only."""

from django.db import migrations, models
from django.db.models import F


def copy_reports_of_files(apps, schema_editor):
    """Copy the figures of the drafts that were made from files of a batch."""
    files = apps.get_model("ratings", "BatchFile").objects
    submissions = apps.get_model("ratings", "Submission").objects
    current = files.filter(checked_version=F("submission__version"), submission__state__in=["working", "returned"])
    for pk, report, version in current.values_list("submission", "report", "checked_version").iterator():
        submissions.filter(pk=pk).update(report=report, checked_version=version)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0059_reminders_to_officers'),
    ]

    operations = [
        migrations.AddField(
            model_name='submission',
            name='checked_version',
            field=models.IntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='submission',
            name='report',
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.RunPython(copy_reports_of_files, migrations.RunPython.noop),
    ]
