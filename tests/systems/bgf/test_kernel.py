"""Compiled loops give the same rows as `rate`, on random histories and on the reference figures."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import parse_history
from ratings.systems import get_system
from tests.cases import CASES, beside_the_checkout
from tests.histories import document
from tests.systems.go_histories import go_histories
from tests.systems.kernels import assert_alike, rate_compiled
from tests.thorough import share

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "within": st.just("round"),
        "bonus": st.sampled_from(("epsilon", "egf2021")),
        "top_label": st.sampled_from(("1 Dan", "4 Dan")),
    },
)
HISTORIES = go_histories(
    "bgf",
    ratings=st.floats(-3500, 900) | st.integers(-3500, 900) | st.sampled_from((0, 100, -100)),
    days=("2001-06-01", "2004-04-30", "2004-05-01", "2020-12-31", "2024-01-01"),
    options=OPTIONS,
    table_fields={},
)


@given(history=HISTORIES)
@settings(max_examples=share(500, 100))
def test_compiled_and_pure_agree_on_random_histories(history):
    assert_alike(history)


def test_compiled_code_says_why_games_are_not_rated():
    """A has a rating, B a rank, C neither; D plays only on a board that is not rated, and E none."""
    players = {"A": {"opening": {"rating": 50}}, "B": {"prior_grade": "3 Dan"}, "C": {}} | {
        id: {"opening": {"rating": -250}} for id in "DE"
    }
    games = [
        ("A", "B", 1),
        ("A", "C", 1),
        ("A", "D", 1, {"board": 15}),
        ("A", "B", 1, {"stones": 10, "black": "b"}),
    ]
    too_fast = {"minutes": 10, "games": [("D", "E", 1), ("A", "E", 1, {"correspondence": True})]}
    history = parse_history(document(players, games, too_fast, system="bgf"))
    assert assert_alike(history) == 2
    result = rate_compiled(history)
    assert result.games == [2, 2, 0, 0, 0, 1, 0, 0, 0, 1]
    assert result.notes == [
        "",
        "begins with the declared rank 3 Dan",
        "neither a rating nor a declared rank: the games are not rated",
        "no rated game",
        "no rated game",
        "",
        "too fast to be rated",
        "neither a rating nor a declared rank: the games are not rated",
        "too fast to be rated",
        "",
    ]
    assert result.warnings == {
        0: (
            "1 games on boards that are not rated",
            "C has neither a rating nor a declared rank: the games are not rated",
            "1 games with more than 9 stones: confirm them",
        ),
        1: ("the games are too fast to be rated",),
    }


def test_compiled_code_awards_grades():
    """A wins a grade; B of 1 kyu, one point above the bound, loses one."""
    players = {"A": {"opening": {"rating": 99}}, "B": {"opening": {"rating": -199, "grade": "1 Kyu"}}}
    history = parse_history(document(players, [("A", "B", 1)], system="bgf"))
    assert assert_alike(history) == 1
    result = rate_compiled(history)
    assert result.grade_before == ["1 Dan", "1 Kyu"]
    assert result.grade == ["2 Dan", "2 Kyu"]
    assert {seat: [(award.grade, award.how) for award in awards] for seat, awards in result.awards.items()} == {
        0: [("2 Dan", "above the band")],
        1: [("2 Kyu", "demotion")],
    }


def test_tables_before_june_2001_are_not_compiled():
    days = ("2001-05-31", "2001-06-01")
    tables = [{"date": day, "end_date": "2001-06-01", "games": []} for day in days]
    history = parse_history(document({"A": {}}, *tables, system="bgf"))
    rating = get_system("bgf").rating
    assert [rating.compiles(table) for table in history.tables] == [False, True]


@beside_the_checkout
def test_compiled_and_pure_agree_on_the_reference_figures():
    document_ = json.loads((CASES / "bgf.json").read_text())
    for case in document_.get("cases", [document_]):
        assert_alike(parse_history(case["history"]))
