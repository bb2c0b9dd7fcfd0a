"""A player's history on a list: what its figures are made of, and that pages tell the same."""

import datetime as dt

import pytest
import time_machine

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Change, Standing
from ratings.queries.players.breakdowns import break_down, summary
from ratings.queries.players.careers import Career
from ratings.queries.players.players import public_standings
from tests.factories import make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db
NOBODY_NEW = [(1, 1, 2, 1.0), (2, 1, 2, 0.5)]
FIVE = [(1, 1, 2, 1.0), (2, 1, 3, 1.0), (3, 2, 3, 0.5), (4, 2, 1, 1.0), (5, 3, 1, 0.0)]


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel(dt.datetime(2024, 10, 1, tzinfo=dt.UTC), tick=False):
        yield


def begin(the_list, player, rating, **more):
    given = {"rating": rating} | more
    save_adjustment(Adjustment(list=the_list, player=player, date=dt.date(2015, 1, 1), set=given, reason="opening"))


@pytest.fixture
@reused
def renju(rate_all):
    """Ana and Bo are official; Dee is new, and plays twice before a list makes her official."""
    renju = make_list("renju", system="rif-1995")
    ana, bo, dee = (make_player(name) for name in ("Ana", "Bo", "Dee"))
    for player, rating in ((ana, 2300), (bo, 2200)):
        begin(renju, player, rating, official=True)
    make_table(renju, [ana, bo], NOBODY_NEW, "2023-03-05", event_name="Spring")
    make_table(renju, [ana, bo], [(1, 1, 2, 0.0)], "2023-04-05", event_name="Blitz", minutes=5)
    for day in ("2024-05-05", "2024-06-05"):
        make_table(renju, [dee, ana, bo], FIVE, day, event_name=day)
    rate_all()
    return renju, ana, bo, dee


def test_games_of_a_past_day_are_those_of_the_list(client, renju):
    of, ana, *_ = renju
    listed = {line.player: line.games for line in client.get("/lists/renju/?on=2024-05-31").context["lines"]}
    facts = client.get(f"{ana.get_absolute_url()}?on=2024-05-31").context["facts"]
    assert (facts.games, listed[ana]) == (5, 5)
    assert Standing.objects.get(list=of, player=ana).games == 8


def test_games_that_the_rules_did_not_rate_are_in_no_performance(renju):
    of, ana, *_ = renju
    actual = {one.key: (one.games, one.rated, one.scored) for one in break_down(Career(ana, of)).years}
    assert actual == {2024: (6, 4, 2.0), 2023: (3, 2, 1.5)}


def test_cached_summary_equals_the_computed_summary():
    shogi = make_list()
    ana, bo = make_player("Ana"), make_player("Bo")
    games = [(1, 1, 2, 1.0), (2, 1, 2, 0.0, {"handicap": "b", "giver": "a"}), (3, 1, None, 1.0)]
    make_table(shogi, [ana, bo], games, "2024-01-06")
    computed, cached = ((summary(career, 1), break_down(career)) for career in (Career(ana, shogi), Career(ana, shogi)))
    assert [tally.key for tally in computed[1].handicaps] == [("", None), ("b", True)]
    assert cached == computed


def test_wins_over_unrated_players_are_not_among_the_best(renju):
    of, ana, bo, dee = renju
    make_table(of, [bo, make_player("New")], [(1, 1, 2, 1.0)], "2024-07-05")
    assert [game.opponent for game in summary(Career(bo, of), 1).best] == []
    assert {game.opponent for game in summary(Career(dee, of), 1).best} == {ana.pk, bo.pk}


def test_closing_day_shows_what_it_added_and_nothing_else(renju):
    of, *players = renju
    closings = [(career, point) for career in (Career(player, of) for player in players)
                for point in career.steps if point.is_closing]  # fmt: skip
    assert [sum(one.change for one in career.closed_by(point)) for career, point in closings] == [
        point.change for _, point in closings
    ]
    assert {career.player.family_name for career, _ in closings} == {"Ana", "Bo", "Dee"}
    dees = [len(career.closed_by(point)) for career, point in closings if career.player == players[2]]
    assert dees == [0]


def test_event_marks_changes_that_count_on_a_closing_day(client, renju):
    of, ana, _, dee = renju
    change = Change.objects.get(list=of, player=ana, table__event__name="Spring")
    page = client.get(f"/events/{change.table.event.public_id}/crosstable/")
    assert f'<span title="added on the next list">({change.change:+.0f})</span>' in page.text
    own = client.get(f"/players/{dee.public_id}/events/").text
    assert (own.count(">new<"), own.count(">±0<")) == (1, 1)


@pytest.fixture
@reused
def renju_1997(rate_all):
    """Dee, new in 2018, is provisional in her first event, stands on the list after her second, and then stays away."""
    renju = make_list("renju", system="rif-1997")
    several = [make_player(name) for name in ("Ana", "Bo", "Cy")]
    for player in several:
        begin(renju, player, 2200)
    dee = make_player("Dee")
    games = [(n, 1, 2 + n % 3, n % 2 / 1) for n in range(1, 7)]
    make_table(renju, [dee, *several], games, "2018-03-05", event_name="First")
    make_table(renju, [dee, *several], games, "2018-04-05", event_name="Second")
    make_table(renju, several, [(1, 1, 2, 0.5)], "2024-03-05")
    rate_all()
    return renju, dee


def test_formerly_provisional_player_keeps_their_pages(renju_1997):
    of, dee = renju_1997
    hidden = [step.hidden for step in Career(dee, of).steps]
    assert hidden == [True, False]
    (standing,) = public_standings(dee)
    assert (standing.published, standing.rating) == (False, Career(dee, of).steps[-1].after)


def test_numbers_that_are_not_to_be_shown_are_on_no_page(client, renju_1997):
    of, dee = renju_1997
    page = client.get(f"/players/{dee.public_id}/events/")
    actual = {step.point.what: (step.point.change, step.performance) for step in page.context["steps"]}
    table = Change.objects.get(list=of, player=dee, table__event__name="First").table_id
    assert actual["First"] == (None, None)
    assert f"/tables/{table}/{dee.public_id}/" not in page.text
