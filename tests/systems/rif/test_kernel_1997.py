"""Compiled loops of rif-1997 give the same rows as `rate`, on random histories and on the reference figures."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import parse_history
from tests.cases import CASES, beside_the_checkout
from tests.histories import document
from tests.systems.kernels import assert_alike, rate_compiled
from tests.thorough import share

SCORES = st.sampled_from((0, 0.5, 1))


@st.composite
def histories(draw):
    """Return established and provisional players, outsiders and newcomers with a few tables, some of them too fast."""
    rating, players = st.integers(1500, 2900), {}
    for number in range(draw(st.integers(2, 8))):
        known = {"opening": {"rating": draw(rating)}}
        played = {"opening": {"rating": draw(rating), "established": True, "last_played": "2003-01-01"}}
        results = draw(st.lists(st.tuples(rating | st.just(2200.5), SCORES).map(list), min_size=1, max_size=14))
        provisional = {"opening": {"results": results}}
        kinds = ({}, provisional, known, played, known | {"unlisted": True}, known | {"fixed": True})
        players[f"P{number}"] = draw(st.sampled_from(kinds))
    fields = {
        "date": st.sampled_from(("1995-12-30", "1996-01-01", "2003-01-01", "2010-05-01")),
        "rated": st.sampled_from((True, True, True, False)),
        "games": games_between(sorted(players)),
    }
    table = st.fixed_dictionaries(fields, optional={"minutes": st.sampled_from((30, 50, 59.5, 60))})
    return parse_history(document(players, *draw(st.lists(table, min_size=1, max_size=5)), system="rif-1997"))


def games_between(players):
    ids = st.sampled_from(players)
    extra = st.sampled_from(({}, {}, {}, {"online": True}, {"correspondence": True}, {"played": False}))
    games = st.tuples(ids, ids, SCORES, extra).filter(lambda game: game[0] != game[1])
    return st.lists(games, min_size=1, max_size=40)


@given(history=histories())
@settings(max_examples=share(500, 100))
def test_compiled_and_pure_agree_on_random_histories(history):
    assert_alike(history)


def test_compiled_code_says_why_games_do_not_count():
    """A and B are established, N and M are not; the second table is too fast."""
    players = {"A": {"opening": {"rating": 2300}}, "B": {"opening": {"rating": 2200}}, "N": {}, "M": {}}
    too_fast = {"minutes": 30, "games": [("A", "B", 1)]}
    history = parse_history(
        document(players, [("A", "B", 0), ("N", "B", 1), ("N", "M", 1)], too_fast, system="rif-1997")
    )
    assert assert_alike(history) == 2
    result = rate_compiled(history)
    assert result.games == [1, 1, 1, 0, 0, 0, 0, 0]
    assert result.category_after[:4] == ["established", "established", "provisional", "unrated"]
    reason = "30 min per player: too fast to be rated; at least 60 are needed"
    assert result.notes == ["", "", "", "no game that counts", *[reason] * 4]
    assert result.warnings == {1: (reason,)}


@beside_the_checkout
def test_compiled_and_pure_agree_on_the_reference_figures():
    document_ = json.loads((CASES / "rif-1997.json").read_text())
    for case in document_.get("cases", [document_]):
        assert_alike(parse_history(case["history"]))
