import datetime as dt

import pytest

from ratings.laboratory.candidates import Candidate
from ratings.laboratory.conversion import convert_given_rating, convert_history, convert_points
from ratings.systems import get_system
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


def test_ratings_of_another_scale_are_omitted_and_declared_ranks_stay():
    converted = convert_history(HISTORY, Candidate("egf-2021"))
    players = {"a": Player("a", prior_grade="1 Dan"), "b": Player("b"), "f": Player("f")}
    assert converted == History("egf-2021", players, (TABLE,), (), (), {})


@pytest.mark.parametrize(
    ("own", "rating", "system", "expected"),
    [
        ("bgf", 150.4, "egf-2021", 2200),
        ("egf-2021", 2200, "bgf", 150),
        ("bgf", 150.4, "bgf", 150.4),
        ("fesa-2016", 1812, "icu-1989", 1812),
        ("rif-2021", 1812.5, "icu-1989", 1812),
        ("bgf", 150, "fide-2024", None),
        ("glicko-2", 1500, "egf-2021", None),
    ],
)
def test_given_ratings_are_converted_between_systems_of_one_scale(own, rating, system, expected):
    """Between the go systems by the Belgian federation's own conversion: its 0 is 2050 on the European list."""
    assert convert_given_rating(rating, get_system(own), get_system(system)) == expected


def test_points_are_converted_without_rounding():
    assert convert_points(150.4, get_system("bgf"), get_system("egf-2021")) == pytest.approx(2200.4)
    assert convert_points(1812.5, get_system("rif-2021"), get_system("icu-1989")) == 1812.5
    assert convert_points(150.4, get_system("bgf"), get_system("fide-2024")) is None


def test_ratings_of_go_are_converted_between_their_zeros():
    players = {
        "a": Player("a", opening={"rating": -1550, "grade": "15 Kyu"}),
        "f": Player("f", fixed=True, opening={"rating": 20}),
    }
    adjustments = (Adjustment(DAY, "a", set={"rating": -1134}), Adjustment(DAY, shift=10))
    converted = convert_history(History("bgf", players, (TABLE,), adjustments), Candidate("egf-2021"))
    assert (converted.players["a"].opening or {})["rating"] == 500
    assert converted.players["f"] == Player("f", fixed=True, opening={"rating": 2070})
    assert converted.adjustments == (Adjustment(DAY, "a", set={"rating": 916}), Adjustment(DAY, shift=10))


def test_ratings_are_rounded_for_systems_of_whole_points():
    history = History("rif-2021", {"a": Player("a", opening={"rating": 1812.5})}, (TABLE,))
    converted = convert_history(history, Candidate("icu-1989"))
    assert (converted.players["a"].opening or {})["rating"] == 1812
