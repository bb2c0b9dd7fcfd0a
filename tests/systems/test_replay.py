from datetime import date

import pytest

from ratings.formats.history.file import parse_history
from ratings.systems import get_system, get_system_of
from ratings.systems.messages import RatingMessage
from ratings.systems.replay import opening_states, order_inputs, replay
from ratings.systems.values import Adjustment, Decision, History, Player, Table
from tests.histories import document, rate, rated_player, row


def steps(*tables, adjustments=(), decisions=()):
    players = {"A": Player("A")}
    history = History("fesa-2016", players, tables, tuple(adjustments), tuple(decisions))
    return [(day.day, cause.id) for day, cause in order_inputs(history)]


def on(day, id, first=None):
    return Table(id, date(2024, 1, first or day), (), (), end_date=date(2024, 1, day))


def test_tables_come_by_last_day_then_first_day_then_their_order():
    tables = on(5, "late"), on(4, "short"), on(4, "long", first=2), on(4, "short too")
    assert steps(*tables) == [(4, "long"), (4, "short"), (4, "short too"), (5, "late")]


def test_adjustments_come_at_the_start_of_their_date_or_before_their_table():
    given = [
        Adjustment(date(2024, 1, 4), "A", before="second", set={}, id="named"),
        Adjustment(date(2024, 1, 4), "A", set={}, id="dated"),
        Adjustment(date(2024, 1, 9), "A", set={}, id="without a table"),
    ]
    assert steps(on(4, "first"), on(4, "second"), adjustments=given) == [
        (4, "dated"),
        (4, "first"),
        (4, "named"),
        (4, "second"),
        (9, "without a table"),
    ]


def test_decisions_of_a_table_are_no_step_of_their_own():
    given = [
        Decision(date(2024, 1, 4), "A", "1 Dan", "printed", before="t"),
        Decision(date(2024, 1, 4), "A", "1 Dan", "withheld"),
        Decision(date(2024, 1, 4), "A", "1 Dan", "given", id="given"),
    ]
    assert steps(on(4, "t"), decisions=given) == [(4, "given"), (4, "t")]


def test_adjustment_changes_only_the_values_it_names():
    result = rate(
        {"A": rated_player(1500, grade="3 Kyu"), "B": rated_player(1500)},
        [("A", "B", 0.5)],
        adjustments=[{"date": "2024-01-01", "player": "A", "set": {"rating": 1600}, "reason": "published"}],
    )
    first = result.steps[0].result.rows[0]
    assert (first.before, first.after, first.change, first.note) == (1500, 1600, 100, "published")
    assert (row(result, "A").before, row(result, "A").grade_before) == (1600, "3 Kyu")


@pytest.mark.parametrize(
    ("system", "category"),
    [
        ("fesa-2016", "established"),
        ("fesa-2000", "established"),
        ("icu-1989", "graded"),
        ("rif-1995", "official"),
        ("rif-1997", "established"),
        ("bgf", "rated"),
        ("egf-2021", "rated"),
        ("glicko-2", "provisional"),
        ("rif-2021", "established"),
        ("fide-2024", "rated"),
    ],
)
def test_adjusted_rating_makes_a_newcomer_fully_rated(system, category):
    given = [{"date": "2024-01-01", "player": "A", "set": {"rating": 1500}, "reason": "known to us"}]
    result = rate({"A": {}, "B": {}}, [("A", "B", 0.5)], adjustments=given, system=system)
    first = next(row for step in result.steps for row in step.result.rows)
    assert (first.after, first.category_after) == (1500, category)


def test_rating_alone_leaves_the_past_of_an_unrated_player_as_it_is():
    past = [[1400, 1], [1500, 0]]
    result = rate(
        {"A": {"opening": {"rating": 1450, "past": past}}, "B": {}},
        [("A", "B", 0.5, {"played": False})],
        adjustments=[{"date": "2024-01-01", "player": "A", "set": {"rating": 1500}, "reason": "as published"}],
    )
    assert result.system.rating.write(result.states["A"]) == {"rating": 1500, "past": past}


def test_shift_moves_every_rated_player():
    result = rate(
        {"A": rated_player(1500), "B": rated_player(1600), "C": {}},
        [("A", "B", 0.5)],
        adjustments=[{"date": "2024-01-01", "shift": 200, "reason": "whole list"}],
    )
    assert [(r.player, r.after) for r in result.steps[0].result.rows] == [("A", 1700), ("B", 1800)]


def test_table_that_is_kept_but_not_rated_changes_nothing():
    system = get_system("fesa-2016")
    table = Table("t", date(2024, 1, 1), ("A",), (), rated=False)
    result = system.rating.rate(table, {"A": Player("A")}, {"A": system.rating.read({"rating": 1500, "games": 20})})
    assert [(r.after, r.change, r.note) for r in result.rows] == [(1500, 0, "these results are not rated")]


def test_error_of_a_closing_day_names_the_day(monkeypatch):
    table = {"date": "2024-04-10", "games": [("A", "B", 1)]}
    history = parse_history(document({"A": {}, "B": {}}, table, system="rif-1995"))

    def fail(*_arguments):
        raise ValueError(RatingMessage.GAMES_WITHOUT_RATING())

    system = get_system_of(history)
    monkeypatch.setattr(type(system.first.rating), "close", fail)
    with pytest.raises(ValueError, match="list day 2024-04-30: games without a rating"):
        list(replay(system, history, opening_states(system.first, history.players)))


def test_error_of_an_opening_names_the_player():
    players = {"A": Player("A"), "B": Player("B", fixed=True)}
    with pytest.raises(ValueError, match="opening of player B: a fixed player needs a rating"):
        opening_states(get_system("glicko-2"), players)
