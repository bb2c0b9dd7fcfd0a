import datetime as dt

import pytest

from ratings.models import Player, RuleEffect, RuleProposal
from ratings.queries.lists.rule_proposals import (
    DayChange,
    biggest_first,
    effects_on_active,
    find_effects,
    find_similar,
    measure_spread,
)
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db
TODAY = dt.date(2024, 6, 1)


@pytest.fixture
def proposal(rate_all):
    rating_list = make_list(system="glicko-2")
    players = [make_player(name, public_id=name) for name in ("A", "B", "C", "D")]
    make_table(rating_list, players, [(1, 1, 2, 1.0), (1, 3, 4, 0.5)], "2024-02-01")
    rate_all()
    return RuleProposal.objects.create(
        list=rating_list, title="t", reason="r", proposed_by="p", system="glicko-2", options={"tau": 1.0},
        in_force=TODAY, since=TODAY,
    )  # fmt: skip


def give(proposal, **changes):
    for public_id, change in changes.items():
        player = proposal.list.standings.get(player__public_id=public_id).player
        RuleEffect.objects.create(proposal=proposal, player=player, present=1500, rating=1500 + change)


@pytest.mark.parametrize(
    ("changes", "typical", "bars"),
    [
        ({"A": 0}, 0, [(-0.5, 1)]),
        ({"A": 1, "B": 3}, 2, [(-0.5, 0), (0.5, 1), (1.5, 0), (2.5, 1)]),
        ({"A": -0.5, "B": 0.5}, 0.5, [(-0.5, 1), (0.5, 1)]),
        (
            {"A": -30, "B": 0, "C": 1},
            1,
            [(-32.5, 1), (-27.5, 0), (-22.5, 0), (-17.5, 0), (-12.5, 0), (-7.5, 0), (-2.5, 2)],
        ),
    ],
)
def test_histogram_reaches_from_the_lowest_to_the_highest_difference(proposal, changes, typical, bars):
    give(proposal, **changes)
    spread = measure_spread(proposal, effects_on_active(proposal, TODAY))
    assert (spread.players, spread.typical) == (len(changes), typical)
    assert [(bar.low, bar.players) for bar in spread.bars] == bars


@pytest.mark.parametrize(
    ("system", "on_day", "expected"),
    [
        ("glicko-2", {"A": 1500, "B": 1500.4}, DayChange(0, 0, 0)),
        ("glicko-2", {"A": 1497, "B": 1501, "C": None, "D": 1500.4}, DayChange(2, 3, 1)),
        ("bgf", {"A": 1500.4}, DayChange(1, pytest.approx(0.4), 0)),
    ],
)
def test_changes_of_the_day_are_those_that_the_list_shows(proposal, system, on_day, expected):
    give(proposal, **dict.fromkeys(on_day, 0))
    for public_id, value in on_day.items():
        RuleEffect.objects.filter(player__public_id=public_id).update(on_day=value)
    proposal.list.system, proposal.figures = system, {"on_day": True}
    assert measure_spread(proposal, effects_on_active(proposal, TODAY)).day == expected
    proposal.figures = {}
    assert measure_spread(proposal, effects_on_active(proposal, TODAY)).day is None


@pytest.mark.parametrize(
    ("typed", "found", "similar"),
    [
        ("Flynn", ["A"], []),
        ("Flin", [], ["A"]),
        ("b", ["B"], []),
        ("Floyn", [], ["A"]),
        ("Xerxes", [], []),
        ("", [], []),
    ],
)
def test_players_are_found_by_name_id_and_similar_names(proposal, typed, found, similar):
    give(proposal, A=5, B=5)
    Player.objects.filter(public_id="A").update(search_name="flynn jarlath")
    effects = find_effects(proposal, typed, TODAY)
    assert [effect.player.public_id for effect in effects] == found
    players = [] if found else find_similar(proposal, typed, TODAY)
    assert [player.public_id for player in players] == similar


@pytest.mark.parametrize("hidden", [{"shown": "anonymous"}, {"shown": "initials"}])
def test_hidden_players_are_not_found_by_a_similar_name(proposal, hidden):
    give(proposal, A=5)
    Player.objects.filter(public_id="A").update(search_name="flynn jarlath", **hidden)
    assert (find_effects(proposal, "Flynn", TODAY), find_similar(proposal, "Flin", TODAY)) == ([], [])


def test_players_without_an_effect_are_not_similar(proposal):
    Player.objects.filter(public_id="A").update(search_name="flynn jarlath")
    assert find_similar(proposal, "Flin", TODAY) == []


def test_no_players_have_no_spread(proposal):
    assert measure_spread(proposal, effects_on_active(proposal, TODAY)) is None


@pytest.mark.parametrize("order", [lambda effects: effects, biggest_first])
def test_equal_effects_are_ordered_by_public_name(proposal, order):
    give(proposal, A=5, B=5, C=5)
    Player.objects.filter(public_id="A").update(shown="anonymous", search_name="a")
    effects = order(effects_on_active(proposal, TODAY))
    assert [effect.player.public_id for effect in effects] == ["B", "C", "A"]


def test_inactive_players_are_left_out(proposal):
    give(proposal, A=5)
    assert [effect.player.public_id for effect in effects_on_active(proposal, TODAY)] == ["A"]
    assert list(effects_on_active(proposal, dt.date(2030, 1, 1))) == []
