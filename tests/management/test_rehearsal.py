"""Rehearsal of an upgrade: the turns of its staff, and what it refuses."""

import datetime as dt
from itertools import cycle

import psycopg
import pytest
import redis
from django.db import connection

from ratings.management.bench.processes import make_environment
from ratings.management.rehearsal import turns
from ratings.management.rehearsal.__main__ import check_services
from ratings.management.rehearsal.checkout import ROOT, Checkout, check_commit
from ratings.management.rehearsal.turns import Progress, compare, read_progress, take_turns, wait_while_progressing
from ratings.models import EventStep, RatingList, Run
from tests.factories import make_list


def test_staff_take_the_steps_of_an_event_on_each_server_in_turn(staff, monkeypatch):
    address = staff.officer.address
    rated = []
    monkeypatch.setattr(turns, "wait_until_rated", rated.append)
    take_turns(staff, [address, address.replace("localhost", "127.0.0.1")], "Cup", dt.date(2026, 1, 3), "postgres://")
    steps = EventStep.objects.order_by("pk").values_list("what", flat=True)
    assert list(steps) == ["read", "submitted", "accepted", "proposed", "corrected"]
    assert rated == ["postgres://"] * 2


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves on only when somebody sleeps; the value is the list of seconds slept."""
    slept = []
    monkeypatch.setattr(turns.time, "monotonic", lambda: sum(slept))
    monkeypatch.setattr(turns.time, "sleep", slept.append)
    monkeypatch.setattr(turns, "STANDSTILL_SECONDS", 1)
    return slept


def test_lists_are_awaited_as_long_as_runs_make_progress(clock):
    positions = [(ended, done) for ended in (5.0, 9.0, 12.0) for done in (0, 0, 0, 40, 40, 40)]
    states = iter([*(Progress(["chess", "go"], position) for position in positions), Progress([], (15.0, 0))])
    wait_while_progressing(lambda: next(states))
    assert (clock, list(states)) == ([0.2] * len(positions), [])


@pytest.mark.parametrize(
    "positions",
    [[(5.0, 0)], [(5.0, 40), (5.0, 0), (5.0, 20)]],
    ids=["no run", "a run that fails again and again"],
)
def test_lists_without_progress_are_named(positions, clock):
    states = cycle(positions)
    with pytest.raises(TimeoutError, match=r"^still out of date after 1 seconds without progress: chess, go$"):
        wait_while_progressing(lambda: Progress(["chess", "go"], next(states)))
    assert sum(clock) == pytest.approx(1.2)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")
def test_progress_is_that_of_runs_which_store_their_results(db):
    go, chess = make_list("go"), make_list("chess")
    make_list("fesa")
    RatingList.objects.filter(pk__in=[go.pk, chess.pk]).update(out_of_date_from="2024-01-01")
    with connection.cursor() as cursor:
        assert read_progress(cursor) == Progress(["chess", "go"], (0, 0))
        at = dt.datetime(2024, 5, 4, tzinfo=dt.UTC)
        for state, seconds, preview in (("finished", 1, False), ("failed", 2, False), ("finished", 3, True)):
            Run.objects.create(list=go, state=state, ended_at=at + dt.timedelta(seconds=seconds), preview=preview)
        for state, done in (("running", 30), ("failed", 40)):
            Run.objects.create(list=chess, state=state, done=done)
        assert read_progress(cursor) == Progress(["chess", "go"], (at.timestamp() + 1, 30))


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        ([{"Rating": "1500"}, {"Rating": "1400"}], False),
        ([{"Rating": "1500", "New": "x"}, {"Rating": "1400", "New": ""}], False),
        ([{"Rating": "1500"}, {"Rating": "1401"}], True),
    ],
)
def test_servers_are_compared_in_the_columns_that_both_have(other, differs, monkeypatch):
    rows = {"a": [{"Rating": "1500"}, {"Rating": "1400"}], "b": other}
    monkeypatch.setattr(turns, "read_rows", lambda _staff, address, *_more: iter(rows[address]))
    if differs:
        with pytest.raises(AssertionError, match=r"a shows \{'Rating': '1400'\}, b shows \{'Rating': '1401'\}"):
            compare(None, ["a", "b"], "/organise/events/1/", "Cup")
    else:
        compare(None, ["a", "b"], "/organise/events/1/", "Cup")


def test_processes_use_no_other_database_than_the_one_that_is_named(monkeypatch):
    for name in ("POOLER_URL", "REPLICA_URL", "DEBUG"):
        monkeypatch.setenv(name, "postgres://production")
    environment = make_environment(DATABASE_URL="postgres://rehearsal")
    names = ("DATABASE_URL", "POOLER_URL", "REPLICA_URL", "DEBUG")
    assert [environment.get(name) for name in names] == ["postgres://rehearsal", "", "", None]


def test_command_that_fails_is_named_with_its_output(tmp_path):
    environment = make_environment(DATABASE_URL=f"sqlite:///{tmp_path}/empty")
    with pytest.raises(RuntimeError, match=r"^old: manage\.py missing failed:\n.*Unknown command: 'missing'"):
        Checkout("old", ROOT, environment, tmp_path).manage("missing")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL")
def test_database_with_tables_is_refused(db, monkeypatch):
    monkeypatch.setattr(redis.Redis, "ping", lambda _self: True)
    database = connection.settings_dict
    url = psycopg.conninfo.make_conninfo(
        host=database["HOST"], user=database["USER"], password=database["PASSWORD"], dbname=database["NAME"]
    )
    with pytest.raises(SystemExit, match=r"^The database has a table \w+: use an empty database\.$"):
        check_services(url, "redis://127.0.0.1")


def test_services_that_do_not_answer_are_named():
    with pytest.raises(SystemExit, match=r"^The database or Redis does not answer: connection failed: "):
        check_services("postgres://nobody@127.0.0.1:1/none", "redis://127.0.0.1:1")


def test_unknown_commit_is_named():
    with pytest.raises(SystemExit, match=r"^The repository has no commit 'no-such-release': name the one that your"):
        check_commit("no-such-release")
