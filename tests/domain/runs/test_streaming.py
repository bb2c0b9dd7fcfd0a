"""Rows stored while a list is rated: the same as without that, and none after an error, a stop or a changed input."""

import datetime as dt
from contextlib import suppress

import pytest
from django.db import OperationalError, connection

from ratings.domain.results.deleting import delete_table
from ratings.domain.runs import chunks, computing, rerating, run_tables, streaming
from ratings.domain.runs.outcome import UnratableError
from ratings.domain.runs.rerating import CancelledError, rerate
from ratings.domain.runs.verifying import find_differences
from ratings.models import Award, Change, RatedTable, RatingList, Run, Standing
from ratings.queries.runs.rows import AwardRow, ChangeRow, StandingRow
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL"),
]
DAYS = ("2022-03-05", "2022-04-02", "2022-05-07", "2022-06-04")


def make_results(slug):
    rating_list = make_list(slug)
    players = [make_player(public_id=f"{slug}{number}") for number in range(6)]
    for player in players[:3]:
        give_rating(rating_list, player, 1700)
    for day in DAYS:
        games = [(round_, a, b, 1.0) for round_, (a, b) in enumerate([(1, 2), (3, 4), (5, 6), (1, 3), (2, 4)], 1)]
        make_table(rating_list, players, games, day)
    forget_runs(rating_list)
    return rating_list


def forget_runs(rating_list):
    """Delete what the tasks of the changes have stored."""
    for model in (Award, Change, RatedTable, Standing, Run):
        model.objects.filter(list=rating_list).delete()
    RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=dt.date.min)


def read_rows(rating_list):
    """Changes, awards and standings without the keys of the list, players and tables."""
    read = []
    for rows, row_type in (("changes", ChangeRow), ("awards", AwardRow), ("standings", StandingRow)):
        fields = ("player__public_id", *(name for name in row_type._fields if not name.endswith("_id")))
        read.append(sorted((id[-1], *values) for id, *values in getattr(rating_list, rows).values_list(*fields)))
    return read


def count_rows():
    return [model.objects.count() for model in (Change, Award, RatedTable, Standing)]


@pytest.fixture
def streamed(monkeypatch):
    """Let all first runs store while they compute, table by table, with a chunk for each table."""
    monkeypatch.setattr(chunks, "CHUNK_WEIGHT", 1)
    monkeypatch.setattr(streaming, "MINIMUM_TABLES", 1)
    monkeypatch.setattr(streaming, "WAITING_BATCHES", 1)
    monkeypatch.setattr(computing, "MOST_STEPS", 1)


def test_streamed_rows_are_those_stored_at_the_end(request):
    first = make_results("first")
    rerate(first.pk)
    request.getfixturevalue("streamed")
    second = make_results("second")
    rerate(second.pk)
    rows = read_rows(first)
    assert [bool(part) for part in rows] == [True, True, True]
    assert read_rows(second) == rows
    assert list(find_differences(second)) == []


def test_only_first_runs_of_many_tables_are_streamed(monkeypatch):
    monkeypatch.setattr(streaming, "MINIMUM_TABLES", len(DAYS))
    rating_list = make_results("list")
    assert streaming.can_be_streamed(rating_list)
    monkeypatch.setattr(streaming, "MINIMUM_TABLES", len(DAYS) + 1)
    assert not streaming.can_be_streamed(rating_list)
    monkeypatch.setattr(streaming, "MINIMUM_TABLES", len(DAYS))
    rerate(rating_list.pk)
    assert not streaming.can_be_streamed(rating_list)


@pytest.mark.usefixtures("streamed")
@pytest.mark.parametrize(
    ("error", "state"), [(CancelledError(), Run.State.CANCELLED), (UnratableError("no"), Run.State.FAILED)]
)
def test_error_while_rows_are_stored_leaves_nothing_stored(error, state, monkeypatch):
    rating_list = make_results("list")
    rate_tables, rated = computing.StepRater.rate_tables, []

    def fail_at_the_last(self, tables):
        rated.extend(tables)
        if len(rated) == len(DAYS):
            raise error
        return rate_tables(self, tables)

    with monkeypatch.context() as patch:
        patch.setattr(computing.StepRater, "rate_tables", fail_at_the_last)
        with pytest.raises(type(error)):
            rerate(rating_list.pk)
    assert (Run.objects.get().state, count_rows()) == (state, [0, 0, 0, 0])
    rerate(rating_list.pk)
    assert list(find_differences(rating_list)) == []
    assert RatedTable.objects.count() == len(DAYS)


@pytest.mark.usefixtures("streamed")
def test_error_of_the_database_ends_the_computation(monkeypatch):
    rating_list = make_results("list")

    def fail(_model, _names, rows):
        next(iter(rows))
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(streaming, "copy_rows", fail)
        with pytest.raises(OSError, match="no space left"):
            rerate(rating_list.pk)
    assert count_rows() == [0, 0, 0, 0]
    rerate(rating_list.pk)
    assert list(find_differences(rating_list)) == []


@pytest.mark.usefixtures("streamed")
def test_input_changed_while_rows_are_stored_is_rated(monkeypatch):
    rating_list = make_results("list")
    compute, computed = rerating.compute, []

    def change_an_input(*arguments):
        outcome = compute(*arguments)
        if not computed:
            players = [make_player() for _ in range(2)]
            make_table(RatingList.objects.get(pk=rating_list.pk), players, [(1, 1, 2, 1.0)], "2022-07-02")
        computed.append(outcome)
        return outcome

    monkeypatch.setattr(rerating, "compute", change_an_input)
    rerate(rating_list.pk)
    assert (len(computed), RatedTable.objects.count()) == (2, len(DAYS) + 1)
    assert list(find_differences(rating_list)) == []


@pytest.mark.usefixtures("streamed")
def test_table_deleted_while_others_are_rated_is_not_rated(monkeypatch):
    rating_list = make_results("list")
    deleted = RatingList.objects.get().events.get(start=DAYS[1]).tables.get()
    read_tables, read = run_tables.read_tables_by_key, []

    def delete_before_reading(pks, entries):
        if not read:
            with monkeypatch.context() as patch:
                patch.setattr(rerating, "rerate", lambda _pk: None)  # this run goes on
                delete_table(deleted)
        read.append(pks)
        return read_tables(pks, entries)

    monkeypatch.setattr(run_tables, "read_tables_by_key", delete_before_reading)
    rerate(rating_list.pk)
    assert list(find_differences(rating_list)) == []
    assert RatedTable.objects.count() == len(DAYS) - 1


@pytest.mark.usefixtures("streamed")
def test_lost_connection_of_the_computing_thread_leaves_the_run_to_the_next_sweep(monkeypatch):
    rating_list = make_results("list")
    read_tables = run_tables.read_tables_by_key

    def read_after_lost_connection(pks, entries):
        with connection.cursor() as cursor, suppress(OperationalError):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return read_tables(pks, entries)

    with monkeypatch.context() as patch:
        patch.setattr(run_tables, "read_tables_by_key", read_after_lost_connection)
        rerating.rerate_and_log(rating_list.pk)
    rating_list.refresh_from_db()
    assert (rating_list.problem, Run.objects.get().state, count_rows()) == ("", Run.State.FAILED, [0, 0, 0, 0])
    rerate(rating_list.pk)
    assert list(find_differences(rating_list)) == []
