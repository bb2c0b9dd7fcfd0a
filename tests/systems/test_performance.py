"""The performance by its definition: the rating at which the expected score is the score made."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import get_system
from ratings.systems.performance import RatedGame, compute_performance, sum_expected_scores
from ratings.systems.values import Game

FESA = get_system("fesa-2016")


def result(opponent, score, own=1500, **game):
    return RatedGame(own, opponent, Game(1, "a", "b", score, **game))


def test_performance_of_three_points_in_four_games_is_400_log10_of_3_above():
    # expected 3/4 of each game: 1 / (1 + 10 ** (-d / 400)) = 3/4, so d = 400 · log10(3) = 190.85
    results = [result(1500, 1.0)] * 3 + [result(1500, 0.0)]
    assert compute_performance(FESA, results) == pytest.approx(1500 + 400 * math.log10(3), abs=0.5)


def test_performance_of_half_the_points_is_the_opponents_rating():
    assert compute_performance(FESA, [result(1720, 1.0), result(1720, 0.0)]) == pytest.approx(1720, abs=0.5)


@pytest.mark.parametrize("scores", [[], [1.0, 1.0], [0.0]])
def test_performance_is_none_where_no_rating_has_that_score(scores):
    assert compute_performance(FESA, [result(1500, score) for score in scores]) is None


def test_performance_does_not_depend_on_the_own_rating():
    games = [(1400, 1.0), (1600, 0.5), (1900, 0.0)]
    assert compute_performance(FESA, [result(*game, own=900) for game in games]) == compute_performance(
        FESA, [result(*game, own=2300) for game in games]
    )


def test_a_handicap_taken_lowers_the_performance():
    even = compute_performance(FESA, [result(1800, 1.0), result(1800, 0.0)])
    taken = compute_performance(FESA, [result(1800, score, handicap="b", giver="b") for score in (1.0, 0.0)])
    given_ = compute_performance(FESA, [result(1800, score, handicap="b", giver="a") for score in (1.0, 0.0)])
    assert taken < even < given_


@given(st.lists(st.tuples(st.integers(500, 2600), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30))
def test_at_the_performance_the_score_is_what_was_expected(games):
    score = sum(points for _, points in games)
    found = compute_performance(FESA, [result(*game) for game in games])
    if not 0 < score < len(games):
        assert found is None
    else:
        # within a quarter of a point of rating, which changes no expectation of a game by more than 0.0004
        assert sum_expected_scores(FESA, [result(*game, own=found) for game in games]) == pytest.approx(
            score, abs=0.0005 * len(games)
        )


@given(st.lists(st.tuples(st.integers(0, 2600), st.sampled_from(["", "b", "2p"]), st.sampled_from("ab")), max_size=9))
def test_predicted_sum_is_that_of_the_predictions_of_single_games(games):
    played = [
        (rating, result(rating, 1.0, handicap=handicap or None, giver=giver).game) for rating, handicap, giver in games
    ]
    single = [FESA.rating.predict(1500.0, rating, game, "a") for rating, game in played]
    assert FESA.rating.predict_sum([(rating, game, None) for rating, game in played])(1500.0) == sum(single)
