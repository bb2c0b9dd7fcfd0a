"""Mark tables with handicap games on lists of fesa-2016 to be rated again: handicaps are interpolated exactly now.

The worker or `manage.py sweep` rates them after the upgrade, and every later table whose players have another state.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.models import F, Min
from django.db.models.functions import Coalesce, Least


def mark_tables_with_handicaps(apps: Any, schema_editor: Any) -> None:
    RatingList = apps.get_model("ratings", "RatingList")
    Game = apps.get_model("ratings", "Game")
    RatedTable = apps.get_model("ratings", "RatedTable")
    with_handicaps = Game.objects.filter(handicap__isnull=False).values("table")
    for rating_list in RatingList.objects.filter(system="fesa-2016").order_by("pk"):
        affected = RatedTable.objects.filter(list=rating_list, table__in=with_handicaps).order_by()
        day = affected.aggregate(day=Min("day"))["day"]
        if day is not None:
            RatingList.objects.filter(pk=rating_list.pk).update(
                out_of_date_from=Least(Coalesce("out_of_date_from", day), day), revision=F("revision") + 1
            )
            affected.update(stale=True)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0033_plain_labels")]

    operations = [migrations.RunPython(mark_tables_with_handicaps, migrations.RunPython.noop)]
