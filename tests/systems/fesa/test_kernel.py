"""Compiled loops give the same rows as `rate`, on random histories and on the federation's own figures."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import parse_history
from tests.cases import CASES, beside_the_checkout
from tests.histories import document, rated_player
from tests.systems.kernels import assert_alike, rate_compiled
from tests.thorough import share

HANDICAPS = ("s", "l", "b", "r", "rl", "2p", "4p", "5p", "6p")


@st.composite
def histories(draw, system):
    """Return players of all kinds with a few tables; some sit at tables without games, some have many games."""
    players = {}
    for number in range(draw(st.integers(2, 9))):
        rating, games = draw(st.integers(1, 3200)), draw(st.integers(9, 120))
        known = {"opening": {"rating": rating, "games": games, "bonus_games": min(100, games)}}
        provisional = {"opening": {"rating": rating, "games": draw(st.integers(0, 17))}}
        outsider = {"fixed": True, "opening": {"rating": rating}}
        prior = {"prior_grade": draw(st.sampled_from(("3 Kyu", "2 Dan")))}
        unlisted = known | {"unlisted": True}
        unrated = {"opening": {"rating": rating, "past": draw(pasts(system))}}
        kinds = ({}, {}, known, known, outsider, prior, unlisted, provisional, unrated)
        players[f"P{number}"] = draw(st.sampled_from(kinds))
    tables = [draw(games_between(sorted(players))) for _ in range(draw(st.integers(1, 5)))]
    return parse_history(document(players, *tables, system=system))


def pasts(system):
    """Return a strategy of past results: mixed, all won or all lost; those of fesa-2000 have a weight."""
    rating = st.one_of(st.integers(1, 3200), st.sampled_from((1500.5, 350.25)))
    weight = st.sampled_from((1, 0.75, (1 + 5 / 18) / 2))

    def rows(scores):
        score = st.sampled_from(scores)
        row = st.tuples(rating, score, weight) if system == "fesa-2000" else st.tuples(rating, score)
        return st.lists(row.map(list), min_size=1, max_size=12)

    return st.sampled_from(((0, 0.5, 1), (1,), (0,))).flatmap(rows)


def games_between(players):
    """Return a strategy of games, with and without handicap."""
    ids = st.sampled_from(players)
    handicap = st.sampled_from(HANDICAPS).map(lambda kind: {"handicap": kind, "giver": "a"})
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1)), st.one_of(st.just({}), st.just({}), handicap))
    return st.lists(pairs.filter(lambda game: game[0] != game[1]), min_size=1, max_size=50)


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
@given(data=st.data())
@settings(max_examples=share(200, 50))
def test_compiled_and_pure_agree_on_random_histories(system, data):
    assert_alike(data.draw(histories(system)))


def test_compiled_code_leaves_handicap_games_of_fesa_2000_unrated():
    """A and B only play with a handicap, and C and D have 17 rated games."""
    handicap = {"handicap": "2p", "giver": "a"}
    players = {"A": {"prior_grade": "3 Kyu"}, "B": {}, "C": rated_player(1500), "D": rated_player(1480, games=3)}
    games = [("A", "B", 1, handicap), *[("C", "D", n % 2) for n in range(17)], ("C", "D", 1, handicap)]
    history = parse_history(document(players, games, [("A", "B", 1, handicap)], system="fesa-2000"))
    assert_alike(history)
    result = rate_compiled(history)
    assert result.games == [0, 0, 17, 17, 0, 0, 0, 0]
    assert result.states[:2] == ["{}", "{}"]
    assert result.warnings == {
        0: (
            "2 handicap games are not rated in this edition",
            "C has 17 games: above 16 games the formula is unreliable; split the results by date",
            "D has 17 games: above 16 games the formula is unreliable; split the results by date",
        ),
        1: ("1 handicap games are not rated in this edition",),
    }


@pytest.mark.parametrize("system", ["fesa-2016", "fesa-2000"])
def test_compiled_code_names_players_whose_ratings_are_not_settled(system, monkeypatch):
    for module in ("compiled", "seats"):
        monkeypatch.setattr(f"ratings.systems.fesa.{module}.MAX_ROUNDS", 1)
    players = {"A": {}} | {id: rated_player(1500) for id in "BCDE"}
    history = parse_history(document(players, [("A", "B", 0.5), ("B", "C", 1)], [("D", "E", 0.5)], system=system))
    assert_alike(history)
    result = rate_compiled(history)
    assert result.settled == [False, True]
    assert result.warnings == {0: ("not settled after 1 rounds; still moving: A, B, C",)}


@beside_the_checkout
@pytest.mark.parametrize("name", ["fesa-2016-random", "fesa-2016-published", "fesa-2016-club", "fesa-2000"])
def test_compiled_and_pure_agree_on_the_federations_figures(name):
    document_ = json.loads((CASES / f"{name}.json").read_text())
    for case in document_.get("cases", [document_]):
        assert_alike(parse_history(case["history"]))
