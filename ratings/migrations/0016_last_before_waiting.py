"""A grade won just before one that waits for approval, in the same table, is announced as well."""

from django.db import migrations


def mark(apps, schema_editor):
    Award = apps.get_model("ratings", "Award")
    for waiting in Award.objects.filter(needs_approval=True):
        step = Award.objects.filter(
            list=waiting.list_id, player=waiting.player_id, day=waiting.day, place=waiting.place, needs_approval=False
        )
        before = step.filter(pk__lt=waiting.pk).order_by("-pk").first()
        if before is not None:
            Award.objects.filter(pk=before.pk).update(last_of_step=True)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0015_prior_evidence")]
    operations = [migrations.RunPython(mark, migrations.RunPython.noop, elidable=True)]
