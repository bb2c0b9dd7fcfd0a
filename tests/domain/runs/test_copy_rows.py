"""Rows inserted many at once: what is stored is what a single row would store, by COPY (PostgreSQL) and without."""

import datetime as dt

import pytest
from django.db import connection, transaction

from ratings.domain.runs import copy_rows
from ratings.domain.runs.copy_rows import insert_instances, insert_rows
from ratings.models import Change, Correction, RatedTable, Run
from ratings.queries.runs.rows import ChangeRow, TableRow
from ratings.systems.fesa.messages import FesaMessage
from ratings.systems.messages import RatingMessage
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db
DAY = dt.date(2024, 1, 6)
NOTES = (RatingMessage.NO_RATED_GAME(), "typed, with \"quotes\"\nand '{'", "{typed", "")
WARNINGS = (FesaMessage.MANY_GAMES(id="A1", games=17, many_games=16), "typed; ü")


@pytest.fixture(autouse=True)
def few_rows_by_copy(monkeypatch):
    monkeypatch.setattr(copy_rows, "COPY_MINIMUM", 2)


def codes(texts):
    """The texts with their codes, by which messages differ from equal typed texts."""
    return [(text, getattr(text, "code", "")) for text in texts]


def test_messages_and_typed_texts_of_rows_are_stored_as_such():
    fesa, ada = make_list(), make_player("Ada")
    tables = [make_table(fesa, [ada, make_player()], [(1, 1, 2, 1.0)], f"{DAY}") for _ in range(2)]
    at = [TableRow(fesa.pk, table.pk, DAY, place, 1, False, ()) for place, table in enumerate(tables)]
    insert_rows(RatedTable, TableRow._fields, [at[0]._replace(warnings=WARNINGS), at[1]], 2)
    change = ChangeRow(fesa.pk, ada.pk, DAY, 0, None, None, None, "rated", "rated", 1500.0, 1499.5, -0.5, 0, None, None,
                       "", "1 Dan", True, False, "", "{}")  # fmt: skip
    changes = [change._replace(place=place, note=note) for place, note in enumerate(NOTES)]
    insert_rows(Change, ChangeRow._fields, changes, len(changes))
    first, second = RatedTable.objects.order_by("place").values_list(*TableRow._fields)
    assert (first, codes(first[6]), second) == (at[0]._replace(warnings=WARNINGS), codes(WARNINGS), at[1])
    stored = list(Change.objects.order_by("place").values_list(*ChangeRow._fields))
    assert (stored, codes(row[-2] for row in stored)) == (changes, codes(NOTES))


def test_json_of_instances_is_stored():
    run = Run.objects.create(list=make_list())
    paths = [[["A1", 1500.5, None], ["B\"2'", 1, True]], [], None]
    insert_instances([Correction(run=run, player=make_player(), before=n, path=path) for n, path in enumerate(paths)])
    assert list(Correction.objects.order_by("before").values_list("path", flat=True)) == paths


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL has statistics to renew")
@pytest.mark.parametrize(("rows", "renewed"), [(4, True), (3, False)])
def test_statistics_are_renewed_after_many_rows(rows, renewed, monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(copy_rows, "ANALYZE_MINIMUM", 4)
    run = Run.objects.create(list=make_list())
    players = [make_player() for _ in range(rows)]
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        insert_instances([Correction(run=run, player=player, before=1500) for player in players])
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stats WHERE tablename = %s", [Correction._meta.db_table])
        assert bool(cursor.fetchone()[0]) is renewed
