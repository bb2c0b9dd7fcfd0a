"""Lists by the rules of 1995, on which ratings move on list days."""

import datetime as dt
import random

import pytest

from ratings.domain.events.tables import save_details
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.results.deleting import delete_table
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.formats.history.file import read_history, write_history
from ratings.formats.history.result import rate_history, result_document
from ratings.models import Adjustment, Change, Standing, Table
from ratings.queries.lists.history import export_history
from ratings.queries.lists.lists import list_as_of
from ratings.queries.lists.recent_changes import read_recent_changes
from tests.factories import make_list, make_player, make_table, set_state
from tests.thorough import share

pytestmark = pytest.mark.django_db


@pytest.fixture
def renju():
    return make_list("renju", system="rif-1995")


def give(renju, player, day="1996-01-01", **state):
    save_adjustment(Adjustment(list=renju, player=player, date=day, set=state, reason="opening"))


def lines(player):
    changes = Change.objects.filter(player=player).order_by("day", "place")
    return [(str(c.day), c.before, c.after, c.change, c.category, c.note) for c in changes]


def derived():
    changes = Change.objects.order_by("day", "place", "player__public_id")
    standings = Standing.objects.order_by("player__public_id")
    return (
        list(
            changes.values_list("day", "player__public_id", "table__event__name", "before", "after", "change", "state")
        ),
        list(standings.values_list("player__public_id", "rating", "games", "category", "published")),
    )


def from_nothing(renju):
    renju.out_of_date_from = dt.date.min
    renju.save()
    rerate(renju.pk)
    return derived()


def test_contributions_wait_for_the_list_day(renju, rate_all):
    a, b = make_player("A"), make_player("B")
    for player in (a, b):
        give(renju, player, rating=2300)
    make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1996-06-01")
    make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1996-07-01")
    rate_all()
    assert lines(a) == [
        ("1996-01-01", None, 2300, None, "new", "opening"),
        ("1996-06-01", 2300, 2300, 16, "official", ""),
        ("1996-07-01", 2300, 2300, 16, "official", ""),
        ("1996-08-31", 2300, 2332, 32, "official", "official list of 1996-08-31"),
    ]
    assert [(s.rating, s.games, s.last_change) for s in Standing.objects.filter(player=a)] == [(2332, 2, 16)]
    assert {c.player: c.after for c in list_as_of(renju, dt.date(1996, 8, 30))} == {a: 2300, b: 2300}
    assert {c.player: c.after for c in list_as_of(renju, dt.date(1996, 8, 31))} == {a: 2332, b: 2268}


def test_newcomer_is_on_the_list_from_the_list_day_on(renju, rate_all):
    new, *field = [make_player() for _ in range(4)]
    for player in field:
        give(renju, player, rating=2300)
    games = [(round_, 1, round_ + 1, 1.0 if round_ == 1 else 0.5) for round_ in (1, 2, 3)]
    make_table(renju, [new, *field], games, "1996-06-01")
    rate_all()
    assert [c.player for c in list_as_of(renju, dt.date(1996, 8, 30)) if c.player == new] == []
    assert [line[4] for line in lines(new)] == ["new", "unofficial"]
    assert Standing.objects.get(player=new).published


def test_list_days_follow_the_last_table(renju, rate_all):
    a, b = make_player("A"), make_player("B")
    for player in (a, b):
        give(renju, player, rating=2300)
    make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1996-06-01")
    later = make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1997-02-01")
    # unofficial after the list of the first table: the next list day makes him official, if a table brings it along
    give(renju, b, "1996-10-01", rating=2250, official=False)
    rate_all()
    assert [line[0] for line in lines(b)][-3:] == ["1996-12-31", "1997-02-01", "1997-04-30"]
    delete_table(later)
    rate_all()
    assert [line[0] for line in lines(b)] == ["1996-01-01", "1996-06-01", "1996-08-31", "1996-10-01"]
    make_table(renju, [a, b], [(1, 1, 2, 1.0)], "1997-02-01", event_name="Event again")
    rate_all()
    assert [line[0] for line in lines(b)][-3:] == ["1996-12-31", "1997-02-01", "1997-04-30"]
    assert derived() == from_nothing(renju)


@pytest.mark.parametrize("seed", range(share(6, 2)))
def test_incremental_runs_equal_one_from_nothing(renju, rate_all, seed):
    chance = random.Random(seed)
    players = [make_player() for _ in range(8)]
    for player in players[:5]:
        give(renju, player, "1994-12-01", rating=chance.randint(2000, 2500))
    days = [dt.date(1995, 1, 1) + dt.timedelta(days=chance.randrange(900)) for _ in range(8)]
    for day in days:
        seated = chance.sample(players, 5)
        games = [(r, *chance.sample(range(1, 6), 2), chance.choice((0.0, 0.5, 1.0))) for r in range(1, 9)]
        table = make_table(renju, seated, games, str(day))
        if chance.random() < 0.4:
            table.first_day = day - dt.timedelta(days=chance.randrange(60))
            save_details(table)
        if chance.random() < 0.5:
            rate_all()
    for table in chance.sample(list(Table.objects.order_by("pk")), 3):
        if chance.random() < 0.5:
            delete_table(table)
        else:
            table.last_day = table.last_day + dt.timedelta(days=chance.randrange(200))
            save_details(table)
        rate_all()
    assert derived() == from_nothing(renju)


def test_export_gives_the_same_lists(renju, rate_all):
    new, *field = [make_player() for _ in range(4)]
    for player in field:
        give(renju, player, rating=2300)
    make_table(renju, [new, *field], [(r, 1, r + 1, 0.5) for r in (1, 2, 3)], "1996-06-01", minutes=75)
    rate_all()
    exported = write_history(export_history(renju))
    assert '"minutes": 75' in exported
    document = result_document(rate_history(read_history(exported.encode())))
    assert [listed["date"] for listed in document["lists"]] == ["1996-08-31"]
    listed = {line["id"]: line["rating"] for line in document["lists"][0]["players"]}
    assert listed == dict(Standing.objects.filter(published=True).values_list("player__public_id", "rating"))


@pytest.mark.parametrize(("system", "options"), [("rif-2021", {}), ("glicko-2", {"period": "month"})])
def test_change_by_the_last_event_is_that_of_the_closing_day_on_which_it_counts(system, options, rate_all):
    made = make_list("moved", system=system, options=options)
    players = [make_player("A"), make_player("B")]
    for player in players:
        set_state(made, player, "2024-01-01", rating=2000)
    for day in ("2024-01-20", "2024-05-10"):
        make_table(made, players, [(1, 1, 2, 1.0)], day)
    rate_all()
    event = made.changes.get(table__isnull=False, player=players[0], day="2024-05-10")
    closing = made.changes.filter(player=players[0], table=None, day__gt="2024-05-10").earliest("day", "place")
    assert (event.before, event.change) == (event.after, 0)
    displayed = round(closing.after) - round(closing.before)
    assert displayed != 0
    assert made.standings.get(player=players[0]).last_change == displayed
    assert list(find_differences(made)) == []
    recent = read_recent_changes(made, list(made.standings.all()), dt.date(2024, 12, 1))
    assert {changes.closing_day for changes in recent.values()} == {closing.day}
