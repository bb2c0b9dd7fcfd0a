"""Texts that are shown to everybody kept names: reasons of runs, and warnings about tables, which are made again."""

import re

from django.db import migrations
from django.db.models import F

KNOWN = re.compile(r"what is known of (?!player ).+? was changed")
GIVEN = re.compile(
    r"(adjustment|decision) of (\d{4}-\d\d-\d\d) for (?!the list )(?!player ).+? (laid down or changed|taken back)"
)
CUT = re.compile(r"(what is known of|(?:adjustment|decision) of \d{4}-\d\d-\d\d for) (?!player |the list )[^;]*$")


def without_names(reason):
    reason = KNOWN.sub("what is known of player – was changed", reason)
    reason = GIVEN.sub(r"\1 of \2 for player – \3", reason)
    return CUT.sub(r"\1 player –", reason)  # the end of a text that was too long


def forwards(apps, schema_editor):
    Run = apps.get_model("ratings", "Run")
    for run in Run.objects.exclude(reason="").only("pk", "reason").iterator(chunk_size=2000):
        reason = without_names(run.reason)[:300]
        if reason != run.reason:
            Run.objects.filter(pk=run.pk).update(reason=reason)
    RatedTable = apps.get_model("ratings", "RatedTable")
    RatingList = apps.get_model("ratings", "RatingList")
    first = {}
    for list_id, day in RatedTable.objects.exclude(warnings="").order_by("day").values_list("list_id", "day"):
        first.setdefault(list_id, day)
    RatedTable.objects.exclude(warnings="").update(stale=True)
    for rating_list in RatingList.objects.filter(pk__in=first):
        days = [day for day in (first[rating_list.pk], rating_list.out_of_date_from) if day]
        RatingList.objects.filter(pk=rating_list.pk).update(
            out_of_date_from=min(days), revision=F("revision") + 1
        )


class Migration(migrations.Migration):

    dependencies = [("ratings", "0012_claims")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop, elidable=True)]
