"""Compiled loops give the same rows as `rate`, on random histories and on the reference figures."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import parse_history
from ratings.systems import get_system
from ratings.systems.egf.tables import HIGHEST, LOWEST
from tests.cases import CASES, beside_the_checkout
from tests.histories import document
from tests.systems.go_histories import go_histories
from tests.systems.kernels import assert_alike, rate_compiled
from tests.thorough import share

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "weights": st.just("none"),
        "unknown_time": st.sampled_from("BC"),
        "bonus": st.just("off"),
        "max_stones": st.integers(0, 9),
    },
)
HISTORIES = go_histories(
    "egf-2021",
    ratings=st.floats(LOWEST, HIGHEST) | st.integers(-900, 3299),
    days=("1995-12-30", "1996-01-01", "2024-01-01"),
    options=OPTIONS,
    table_fields={"class": st.sampled_from((None, None, None, "A", "B", "C", "D"))},
)


@given(history=HISTORIES)
@settings(max_examples=share(500, 100))
def test_compiled_and_pure_agree_on_random_histories(history):
    assert_alike(history)


def test_compiled_code_says_why_games_are_not_rated():
    """A has a rating, B a rank, C neither; D plays only games that are not rated, and E none."""
    players = {"A": {"opening": {"rating": 2000}}, "B": {"prior_grade": "3 Dan"}, "C": {}} | {
        id: {"opening": {"rating": 1500}} for id in "DE"
    }
    games = [
        ("A", "B", 1),
        ("A", "C", 1),
        ("A", "D", 1, {"board": 13}),
        ("A", "D", 1, {"correspondence": True}),
        ("A", "D", 1, {"stones": 10, "black": "b"}),
        ("B", "D", 1, {"board": 9}),
    ]
    too_fast = {"minutes": 10, "games": [("D", "E", 1)]}
    history = parse_history(document(players, games, too_fast, system="egf-2021"))
    assert assert_alike(history) == 2
    result = rate_compiled(history)
    assert result.games == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert result.notes == [
        "",
        "begins with the declared rank 3 Dan",
        "neither a rating nor a declared rank: the games are not rated",
        "no game that the rules rate",
        "no rated game",
        "no rated game",
        "no rated game",
        "neither a rating nor a declared rank: the games are not rated",
        "too fast to be rated",
        "too fast to be rated",
    ]
    assert result.warnings == {
        0: (
            "games on boards other than 19×19, which are not rated: 2",
            "correspondence games, which are not rated: 1",
            "games with more handicap stones than 9, which are not rated: 1",
            "C has neither a rating nor a declared rank: the games are not rated",
        ),
        1: ("games too fast to be rated: 1",),
    }


def test_tables_before_1996_are_not_compiled():
    history = parse_history(document({"A": {}}, {"date": "1995-12-31", "games": []}, {"games": []}, system="egf-2021"))
    rating = get_system("egf-2021").rating
    assert [rating.compiles(table) for table in history.tables] == [False, True]


@beside_the_checkout
@pytest.mark.parametrize("name", ["egf-2021", "egf-2021-alone"])
def test_compiled_and_pure_agree_on_the_reference_figures(name):
    document_ = json.loads((CASES / f"{name}.json").read_text())
    for case in document_.get("cases", [document_]):
        assert_alike(parse_history(case["history"]))
