import datetime as dt

from ratings.laboratory.candidates import Candidate
from ratings.laboratory.conversion import convert_history
from ratings.systems.values import Adjustment, Decision, Game, History, Player, Table

DAY = dt.date(2024, 1, 1)
TABLE = Table("t1", DAY, ("a", "b"), (Game(1, "a", "b", 1.0),))
HISTORY = History(
    "fesa-2016",
    {
        "a": Player("a", prior_grade="1 Dan", opening={"rating": 1800, "games": 40, "bonus_games": 40}),
        "b": Player("b"),
        "f": Player("f", fixed=True, opening={"rating": 1900}),
    },
    (TABLE,),
    (Adjustment(DAY, "a", set={"rating": 1750}), Adjustment(DAY, "a", set={"games": 3}), Adjustment(DAY, shift=10)),
    (Decision(DAY, "a", "2 Dan", "given"),),
)


def test_history_of_the_same_system_takes_the_options_only():
    options = {"corrections": "kept"}
    converted = convert_history(HISTORY, Candidate("fesa-2016", options))
    assert converted == History("fesa-2016", HISTORY.players, (TABLE,), HISTORY.adjustments, HISTORY.decisions, options)


def test_history_of_another_system_keeps_results_ratings_and_shifts():
    converted = convert_history(HISTORY, Candidate("glicko-2", {"tau": 0.6}))
    opening = converted.players["a"].opening
    assert opening is not None
    assert opening["rating"] == 1800
    assert converted == History(
        "glicko-2",
        {
            "a": Player("a", opening=opening),
            "b": Player("b"),
            "f": Player("f", fixed=True, opening={"rating": 1900}),
        },
        (TABLE,),
        (Adjustment(DAY, "a", set={"rating": 1750}), Adjustment(DAY, shift=10)),
        (),
        {"tau": 0.6},
    )


def test_declared_rank_stays_where_the_system_reads_it():
    converted = convert_history(HISTORY, Candidate("egf-2021"))
    assert converted.players["a"].prior_grade == "1 Dan"


def test_ratings_are_rounded_for_systems_of_whole_points():
    history = History("rif-2021", {"a": Player("a", opening={"rating": 1812.5})}, (TABLE,))
    converted = convert_history(history, Candidate("icu-1989"))
    assert (converted.players["a"].opening or {})["rating"] == 1812
