"""Transactions that see one moment of the database, and exports read in them."""

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from ratings.formats.history.file import write_history
from ratings.models import RatingList
from ratings.queries.lists import history
from ratings.queries.snapshots import read_snapshot
from tests.factories import make_list, make_player, make_table

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL has these snapshots")


def read_names():
    return list(RatingList.objects.values_list("name", flat=True))


@pytest.fixture
def rename():
    """Return a function that renames all lists in a session of its own."""
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as session:
        yield lambda name: session.execute("UPDATE ratings_ratinglist SET name = %s", [name])


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_snapshot_sees_no_later_changes(rename):
    make_list(name="Before")
    with read_snapshot():
        seen = [read_names()]
        rename("After")
        seen.append(read_names())
    assert [*seen, read_names()] == [["Before"], ["Before"], ["After"]]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_snapshot_inside_a_transaction_leaves_it_as_it_is(rename):
    make_list(name="Before")
    with transaction.atomic():
        read_names()
        with read_snapshot():
            rename("After")
            assert read_names() == ["After"]
            RatingList.objects.update(name="Own")
    assert read_names() == ["Own"]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_snapshot_refuses_changes():
    make_list(name="Before")
    with pytest.raises(DatabaseError, match="read-only transaction"), read_snapshot():
        RatingList.objects.update(name="After")
    assert read_names() == ["Before"]


@pytest.mark.django_db
def test_snapshot_reads_as_usual_in_the_transaction_of_a_test():
    make_list(name="Before")
    with read_snapshot():
        assert read_names() == ["Before"]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_export_is_of_one_moment(monkeypatch):
    """Ids of players that change after the tables were read are in the export as in the tables."""
    fesa, ada, ben = make_list(), make_player(), make_player()
    make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)])
    expected = write_history(history.export_history(fesa))
    read = history.player_values

    def change_before(*arguments):
        with psycopg.connect(**connection.get_connection_params(), autocommit=True) as session:
            session.execute("UPDATE ratings_player SET public_id = public_id || '9'")
        return read(*arguments)

    monkeypatch.setattr(history, "player_values", change_before)
    assert write_history(history.export_history(fesa)) == expected
