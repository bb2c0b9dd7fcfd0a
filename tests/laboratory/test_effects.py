"""Effects of proposed rules, against histories rated with the same rules by hand."""

import datetime as dt

import pytest

from ratings.formats.history.file import parse_history
from ratings.formats.history.result import rate_history
from ratings.laboratory.candidates import Candidate
from ratings.laboratory.effects import Effect, change_options, compute_effects, put_in_force, start_successor
from ratings.systems.values import OptionChange
from tests.histories import document

SINCE = dt.date(2024, 6, 1)
PLAYERS = {id: {"opening": {"rating": 1500, "deviation": 80}} for id in ("A", "B")} | {"C": {}}
TABLES = [
    {"date": "2024-01-10", "games": [("A", "B", 1)]},
    {"date": "2024-07-10", "games": [("A", "B", 0), ("C", "A", 1)]},
    {"date": "2024-09-10", "games": [("A", "C", 0.5), ("B", "C", 1)]},
]


def history(system="glicko-2", players=PLAYERS, **more):
    return parse_history(document(players, *TABLES, system=system, **more))


def effects(present, proposed, *, is_successor=False):
    return compute_effects(present, proposed, SINCE, lambda: None, is_successor=is_successor)


def test_effect_of_an_option_is_that_of_a_history_with_this_change():
    present = history()
    proposed = change_options(present, {"tau": 1.4, "initial_deviation": 120}, SINCE)
    changes = [{"date": f"{SINCE}", "options": {"tau": 1.4, "initial_deviation": 120}}]
    by_hand, before = rate_history(history(option_changes=changes)), rate_history(present)
    found = effects(present, proposed)
    assert found.players == tuple(
        Effect(id, before.standing(id).rating, before.standing(id).rating, by_hand.standing(id).rating, "", "")
        for id in "ABC"
    )
    late = [abs(row.change) for _table, result in by_hand.tables for row in result.rows if row.change and row.games]
    assert found.proposed.largest == max(late[2:])
    assert (found.present.grades_won, found.proposed.grades_won) == (None, None)


def test_effect_of_the_present_rules_is_none():
    present = history()
    found = effects(present, change_options(present, {"tau": 0.5}, SINCE))
    assert {effect.rating - effect.present for effect in found.players} == {0}
    assert found.present == found.proposed


def test_successor_begins_with_the_ratings_of_the_day_before_in_the_decimals_of_its_system():
    players = {id: {"opening": {"rating": 150.4, "grade": "2 Dan"}} for id in ("A", "B")} | {"C": {}}
    present = history(
        "bgf", {id: given | {"prior_grade": "1 Dan"} if id == "C" else given for id, given in players.items()}
    )
    before = rate_history(parse_history(document(players, *TABLES[:1], system="bgf")))
    successor = start_successor(present, Candidate("egf-2021", {"bonus": "off"}), SINCE)
    assert [table.id for table in successor.tables] == ["t2", "t3"]
    assert successor.players["A"].opening["rating"] == round(before.standing("A").rating + 2050)
    assert (successor.system, successor.options, successor.players["C"].opening) == ("egf-2021", {"bonus": "off"}, None)
    assert rate_history(successor).standing("A").rating is not None


def test_effects_of_a_successor_are_in_its_points():
    players = {id: {"opening": {"rating": 150, "grade": "2 Dan"}} for id in ("A", "B", "C")}
    present = history("bgf", players)
    found = effects(present, start_successor(present, Candidate("egf-2021"), SINCE), is_successor=True)
    assert [effect.on_day for effect in found.players] == [round(effect.present) for effect in found.players]
    assert {effect.player for effect in found.players} == {"A", "B", "C"}
    assert all(abs(effect.rating - effect.present) < 100 for effect in found.players)
    assert min(effect.present for effect in found.players) > 2000


def test_players_below_a_new_floor_leave_the_list_on_the_day():
    players = {"A": {"opening": {"rating": 1500, "games": 40}}, "B": {"opening": {"rating": 900, "games": 40}}}
    present = parse_history(document(players, {"date": "2024-01-10", "games": [("A", "B", 1)]}, system="icu-1989"))
    found = effects(present, change_options(present, {"publish_floor": 1000}, SINCE))
    assert [(effect.player, effect.on_day) for effect in found.players] == [
        ("A", found.players[0].present), ("B", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ([], [("2024-06-01", {"tau": 0.9})]),
        ([("2024-01-01", {"tau": 0.3})], [("2024-01-01", {"tau": 0.3}), ("2024-06-01", {"tau": 0.9})]),
        ([("2024-06-01", {"tau": 0.3, "idle_days": 9})], [("2024-06-01", {"tau": 0.9, "idle_days": 9})]),
        ([("2025-01-01", {"tau": 0.3})], [("2024-06-01", {"tau": 0.9})]),
        (
            [("2025-01-01", {"tau": 0.3, "idle_days": 9})],
            [("2024-06-01", {"tau": 0.9}), ("2025-01-01", {"idle_days": 9})],
        ),
    ],
)
def test_new_change_replaces_the_same_options_of_its_day_and_later(present, expected):
    changes = [OptionChange(dt.date.fromisoformat(day), options) for day, options in present]
    put = put_in_force(changes, OptionChange(SINCE, {"tau": 0.9}))
    assert [(f"{change.date}", dict(change.options)) for change in put] == expected


def test_grades_won_since_the_day_are_counted_without_demotions():
    players = {id: {"opening": {"rating": 1990, "games": 40, "grade": "1 Kyu"}} for id in ("A", "B", "C")}
    present = history("fesa-2016", players)
    won = [
        award
        for table, result in rate_history(present).tables
        for row in result.rows
        for award in row.awards
        if table.last_day >= SINCE
    ]
    found = effects(present, change_options(present, {"corrections": "revised"}, SINCE))
    assert found.present.grades_won == len(won) > 0
