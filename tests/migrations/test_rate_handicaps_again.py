"""Marking of fesa-2016 tables with handicap games as outdated, because their exact halves are rated otherwise now."""

import datetime as dt
from importlib import import_module

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from ratings.models import RatedTable
from tests.factories import make_list, make_player, make_table

migration = import_module("ratings.migrations.0034_rate_handicaps_again")


def test_migration_marks_tables_with_handicaps_of_fesa_2016_only(db):
    fesa, old = make_list(), make_list("fesa-2000", system="fesa-2000")
    players = [make_player("Ada"), make_player("Ben")]
    rated = {}
    for number, (rating_list, handicap) in enumerate([(fesa, None), (fesa, "l"), (fesa, None), (old, "l")], 1):
        day = dt.date(2024, 1, number)
        table = make_table(rating_list, players, [(1, 1, 2, 1.0)], day.isoformat())
        table.games.update(handicap=handicap, giver="a" if handicap else None)
        rated[number] = RatedTable.objects.create(
            list=rating_list, table=table, day=day, place=0, rounds=1, settled=True
        ).pk
    type(fesa).objects.update(out_of_date_from=None)
    before = {one.slug: one.revision for one in type(fesa).objects.all()}
    former = MigrationLoader(connection).project_state(("ratings", "0040_search_name_index")).apps
    migration.mark_tables_with_handicaps(former, None)
    assert [RatedTable.objects.get(pk=pk).needs_rating for pk in rated.values()] == [False, True, False, False]
    assert {one.slug: (one.out_of_date_from, one.revision - before[one.slug]) for one in type(fesa).objects.all()} == {
        fesa.slug: (dt.date(2024, 1, 2), 1), old.slug: (None, 0)
    }  # fmt: skip
