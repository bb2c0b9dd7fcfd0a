"""Query results as records: the same from every database."""

import numpy as np
import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import F, Func, Q, TextField, Value
from django.db.models.functions import Cast

from ratings.models import Player
from ratings.queries.arrays import read_records
from ratings.systems.game_records import NO_NUMBER, NO_TEXT
from tests.factories import make_player

pytestmark = pytest.mark.django_db
RECORD = np.dtype([("pk", "i8"), ("year", "i8"), ("half", "f8"), ("id", "S12"), ("name", "S9"), ("hidden", "?")])


def read(players):
    fields = ("pk", "birth_year", F("birth_year") * 0.5, "public_id", "shown", Q(birth_date=None))
    return read_records(players.values_list(*fields), RECORD)


def test_records_have_the_values_of_the_query():
    players = [make_player(public_id="P1", birth_year=1999), make_player(public_id="P2LONGESTONE")]
    records = np.sort(read(Player.objects.all()), order="id")[::-1]
    assert records[["pk", "year", "id", "name", "hidden"]].tolist() == [
        (players[1].pk, NO_NUMBER, b"P2LONGESTONE", players[1].shown.encode(), True),
        (players[0].pk, 1999, b"P1", players[0].shown.encode(), True),
    ]
    assert np.isnan(records["half"][0])
    assert records["half"][1] == 999.5


def test_missing_text_has_its_own_value():
    make_player()
    rows = Player.objects.values_list("merged_into__public_id")
    assert read_records(rows, np.dtype([("id", "S12")])).tolist() == [(NO_TEXT,)]


def test_query_without_rows_gives_no_records():
    assert len(read(Player.objects.filter(public_id="NOBODY"))) == 0
    assert len(read(Player.objects.filter(pk__in=[]))) == 0


def test_text_with_other_characters_than_ascii_is_refused():
    make_player("Ångström")
    with pytest.raises(ValueError, match=r"ASCII|ascii"):
        read_records(Player.objects.values_list("family_name"), np.dtype([("name", "S100")]))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no time limit")
def test_query_that_takes_too_long_raises_an_error_of_django():
    make_player()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '50ms'")
    wait = Func(Value(1), function="pg_sleep", output_field=TextField())
    rows = Player.objects.annotate(waited=wait).values_list("pk", Cast("waited", TextField()))
    with pytest.raises(OperationalError, match="statement timeout"), transaction.atomic():
        read_records(rows, np.dtype([("pk", "i8"), ("waited", "S1")]))
