"""Options of a list that change on given days."""

import datetime as dt

import pytest

from ratings.formats.history.file import parse_history
from ratings.systems import SYSTEMS, get_dated_system, get_system_of
from ratings.systems.replay import follow, opening_states, replay
from ratings.systems.values import OptionChange
from tests.histories import document, rate, row

FIRST, SECOND = dt.date(2024, 3, 1), dt.date(2025, 3, 1)
DAY = dt.timedelta(days=1)


def test_options_hold_from_their_day_until_the_next_change():
    dated = get_dated_system(
        "glicko-2",
        {"tau": 0.4},
        [OptionChange(SECOND, {"tau": 0.7}), OptionChange(FIRST, {"tau": 0.6, "idle_days": 60})],
    )
    shown = [
        (dated.on(day).settings["tau"], dated.on(day).settings["idle_days"])
        for day in (None, dt.date.min, FIRST - DAY, FIRST, SECOND - DAY, SECOND, dt.date.max)
    ]
    assert shown == [(0.4, 30), (0.4, 30), (0.4, 30), (0.6, 60), (0.6, 60), (0.7, 60), (0.7, 60)]
    assert (dated.first, dated.last) == (dated.on(None), dated.on(SECOND))


@pytest.mark.parametrize(
    ("system", "changes", "problem"),
    [
        ("glicko-2", [{"tau": 0.6}, {"tau": 0.7}], "2024-03-01: the options change twice on this day"),
        ("glicko-2", [{}], "2024-03-01: a change of options needs at least one option"),
        (
            "glicko-2",
            [{"period": "month"}],
            "2024-03-01: period cannot change to month: it holds from a list’s first day on",
        ),
        (
            "rif-2021",
            [{"lists": "yearly"}],
            "2024-03-01: lists cannot change to yearly: it holds from a list’s first day on",
        ),
        ("glicko-2", [{"tau": 9}], "2024-03-01: tau: 9 cannot be; it takes a number from 0.2 to 1.5"),
        ("rif-1997", [{"tau": 0.6}], "2024-03-01: “tau” is not an option of rif-1997; it has none"),
    ],
)
def test_invalid_changes_are_refused_with_their_day(system, changes, problem):
    with pytest.raises(ValueError) as refused:
        get_dated_system(system, {}, [OptionChange(FIRST, options) for options in changes])
    assert str(refused.value) == problem


def change(day, **options):
    return {"option_changes": [{"date": day, "options": options, "reason": "voted"}]}


PLAYERS = {
    "A": {"opening": {"rating": 1500, "deviation": 100}},
    "B": {"opening": {"rating": 1500, "deviation": 100}},
    "C": {},
}
TABLES = [[("A", "B", 1), ("B", "A", 0.5)], [("A", "B", 1), ("C", "A", 1)], [("A", "C", 1), ("B", "C", 0)]]


def test_tables_before_a_change_keep_their_points_and_later_ones_follow_the_new_options():
    without = rate(PLAYERS, *TABLES, system="glicko-2")
    changed = rate(PLAYERS, *TABLES, system="glicko-2", **change("2024-01-02", tau=1.2, initial_deviation=100))
    always = rate(PLAYERS, *TABLES, system="glicko-2", options={"tau": 1.2, "initial_deviation": 100})
    assert row(changed, "A", "t1").after == row(without, "A", "t1").after
    newcomers = [row(result, "C", "t2").figures["deviation_before"] for result in (without, changed, always)]
    assert newcomers == [350, 100, 100]
    assert row(changed, "B", "t2").after != row(without, "B", "t2").after


def test_change_before_the_first_table_equals_options_from_the_beginning():
    changed = rate(PLAYERS, *TABLES, system="glicko-2", **change("2023-01-01", tau=1.2, initial_deviation=100))
    always = rate(PLAYERS, *TABLES, system="glicko-2", options={"tau": 1.2, "initial_deviation": 100})
    assert [step.result.rows[0].after for step in changed.steps] == [step.result.rows[0].after for step in always.steps]
    assert changed.states == always.states


def test_whole_history_rating_fits_earlier_games_too_by_the_options_of_the_list_day():
    tables = [{"date": f"2024-0{month}-10", "games": games} for month, games in zip((1, 5), TABLES, strict=False)]
    changed = rate(PLAYERS, *tables, system="rif-2021", **change("2024-06-01", w2=90))
    always = rate(PLAYERS, *tables, system="rif-2021", options={"w2": 90})
    without = rate(PLAYERS, *tables, system="rif-2021")
    march, june = dt.date(2024, 3, 31), dt.date(2024, 6, 30)
    assert (changed.lists[march], changed.lists[june]) == (without.lists[march], always.lists[june])
    assert without.lists[june] != always.lists[june]


def test_games_are_counted_by_the_options_of_the_day_of_their_table():
    online = [("A", "B", 1, {"online": True}), ("A", "C", 0.5)]
    tables = [{"date": "2024-01-10", "games": online}, {"date": "2024-05-10", "games": online}]
    changed = rate(PLAYERS, *tables, system="rif-2021", **change("2024-05-01", online="yes"))
    assert [row(changed, "A", id).games for id in ("t1", "t2")] == [1, 2]


@pytest.mark.parametrize("key", SYSTEMS)
def test_following_the_steps_again_gives_the_states_of_the_first_time(key):
    """With every option that may change at its largest other value, halfway through the history."""
    given = {"A": {}, "B": {}, "C": {}}
    history = parse_history(document(given, *TABLES, system=key, **changes_of(key)))
    dated = get_system_of(history)
    states = opening_states(dated.first, history.players)
    seen = [(step, dict(states)) for step in replay(dated, history, states)]
    assert [(step, dict(after)) for step, after in follow(dated, history, [step for step, _states in seen])] == seen


def changes_of(key):
    options = {
        option.key: next(value for value in option.allowed if value not in (option.default, None))
        for option in SYSTEMS[key].options
        if option.changeable and option.allowed
    }
    return {"option_changes": [{"date": "2024-01-02", "options": options}]} if options else {}
