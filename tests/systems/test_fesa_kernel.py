"""The compiled iteration and its pure twin give the same numbers; where numba is missing, the twin serves."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history import history_of
from ratings.formats.result import rated, result_document
from ratings.systems import compiled
from tests.histories import document

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
HANDICAPS = ("s", "l", "b", "r", "rl", "2p", "4p", "5p", "6p")


def both(monkeypatch, history):
    """The whole result as text, compiled and pure."""
    fast = json.dumps(result_document(rated(history)))
    with monkeypatch.context() as patch:
        patch.setattr(compiled, "kernel", lambda: None)
        return fast, json.dumps(result_document(rated(history)))


@st.composite
def histories(draw):
    players = {}
    for number in range(draw(st.integers(2, 9))):
        rating, games = draw(st.integers(1, 3200)), draw(st.integers(9, 120))
        known = {"opening": {"rating": rating, "games": games, "bonus_games": min(100, games)}}
        outsider = {"fixed": True, "opening": {"rating": rating}}
        prior = {"prior_grade": draw(st.sampled_from(("3 Kyu", "2 Dan")))}
        players[f"P{number}"] = draw(st.sampled_from(({}, known, known, outsider, prior)))
    ids = st.sampled_from(sorted(players))
    handicap = st.sampled_from(HANDICAPS).map(lambda kind: {"handicap": kind, "giver": "a"})
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1)), st.one_of(st.just({}), st.just({}), handicap))
    games = st.lists(pairs.filter(lambda game: game[0] != game[1]), min_size=1, max_size=25)
    return history_of(document(players, *(draw(games) for _ in range(3))))


@given(history=histories())
@settings(max_examples=150, deadline=None)
def test_compiled_and_pure_agree_on_random_histories(history):
    fast, pure = both(pytest.MonkeyPatch(), history)
    assert fast == pure


@pytest.mark.skipif(not CASES.is_dir(), reason="the reference figures are not beside this checkout")
@pytest.mark.parametrize("name", ["fesa-2016-random", "fesa-2016-published", "fesa-2016-club"])
def test_compiled_and_pure_agree_on_the_federations_figures(name, monkeypatch):
    document_ = json.loads((CASES / f"{name}.json").read_text())
    for case in document_.get("cases", [document_]):
        fast, pure = both(monkeypatch, history_of(case["history"]))
        assert fast == pure
