import math

import numpy as np
import pytest

from ratings.laboratory.accuracy import Accuracy, Bin, calibration, measure_accuracy, wilson_interval


def test_accuracy_is_the_mean_over_games():
    expected, score = np.array([0.8, 0.5]), np.array([1.0, 0.5])
    losses = -math.log(0.8), -math.log(0.5)
    half = 1.959964 * (losses[1] - losses[0]) / 2  # the standard deviation of two values, divided by √2
    found = measure_accuracy(expected, score)
    assert found == Accuracy(2, pytest.approx(sum(losses) / 2), pytest.approx(0.02), pytest.approx(half))


def test_accuracy_of_no_games_is_unknown():
    assert measure_accuracy(np.array([]), np.array([])) is None


def test_calibration_takes_each_game_from_the_stronger_side():
    """10/11 for the first player, who wins; 1/11 for him, who wins, so that the stronger side loses; two even games,
    which have no stronger side; a sure win.
    """
    expected, score = np.array([10 / 11, 1 / 11, 0.5, 0.5, 1.0]), np.array([1.0, 1.0, 1.0, 0.0, 1.0])
    assert calibration(expected, score) == [
        Bin(0.5, 0.55, 2, 0.5, 0.5, *wilson_interval(0.5, 2)),
        Bin(0.9, pytest.approx(0.95), 2, pytest.approx(10 / 11), 0.5, *wilson_interval(0.5, 2)),
        Bin(0.95, 1.0, 1, 1.0, 1.0, *wilson_interval(1, 1)),
    ]


def test_bounds_of_bins_belong_to_the_upper_one():
    expected = np.array([0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95])
    assert [round(one.lower, 2) for one in calibration(expected, np.ones(9))] == expected.tolist()


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_interval_as_published(wins, games, low, high):
    """Newcombe 1998, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17:857-872,
    table I, method 3.
    """
    assert wilson_interval(wins / games, games) == pytest.approx((low, high), abs=0.00005)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_wilson_interval_contains_its_share(share):
    intervals = {games: wilson_interval(share, games) for games in range(2, 2000, 2)}
    assert {games: bounds for games, bounds in intervals.items() if not bounds[0] <= share <= bounds[1]} == {}
