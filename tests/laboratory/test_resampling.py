import numpy as np
import pytest

from ratings.laboratory.resampling import Interval, resample_means


def test_means_are_those_of_the_used_games():
    figures = np.array([[1.0, 2.0, 3.0, 100.0], [0.0, 0.0, 3.0, 100.0]])
    used = np.array([True, True, True, False])
    resampled = resample_means(figures, np.array([7, 7, 9, 9]), used, resamples=50)
    assert (resampled.events, resampled.games, resampled.mean.tolist()) == (2, 3, [2.0, 1.0])
    assert sorted(set(map(tuple, resampled.means.tolist()))) == [(1.5, 0.0), (2.0, 1.0), (3.0, 3.0)]


def test_equal_seeds_give_equal_resamples_in_blocks_of_any_size(monkeypatch):
    random = np.random.default_rng(1)
    figures, event = random.random((2, 300)), random.integers(0, 40, 300)
    used = np.ones(300, dtype=bool)
    once = resample_means(figures, event, used, resamples=100)
    monkeypatch.setattr("ratings.laboratory.resampling.WEIGHTS_AT_ONCE", 400)
    assert np.allclose(resample_means(figures, event, used, resamples=100).means, once.means, rtol=1e-12)


def test_interval_is_that_of_the_normal_distribution_for_many_events():
    """The mean of n values of standard deviation s lies within 1.96 s / √n."""
    values = np.random.default_rng(5).normal(0, 1, (1, 4000))
    interval = resample_means(values, np.arange(4000), np.ones(4000, dtype=bool), resamples=4000).interval(0)
    half = 1.96 * values.std() / np.sqrt(4000)
    assert interval == Interval(
        pytest.approx(values.mean() - half, abs=0.003), pytest.approx(values.mean() + half, abs=0.003)
    )


def test_games_of_an_event_are_drawn_together():
    """Ten equal games of an event tell no more than one: the interval is not narrower."""
    values = np.random.default_rng(6).normal(0, 1, 200)
    one = resample_means(values[None], np.arange(200), np.ones(200, dtype=bool))
    ten = resample_means(np.repeat(values, 10)[None], np.repeat(np.arange(200), 10), np.ones(2000, dtype=bool))
    assert np.allclose(one.means, ten.means)


@pytest.mark.parametrize(("events", "known"), [(19, False), (20, True)])
def test_few_events_have_no_interval(events, known):
    resampled = resample_means(np.ones((2, events)), np.arange(events), np.ones(events, dtype=bool), resamples=10)
    expected = (Interval(1.0, 1.0), Interval(0.0, 0.0)) if known else (None, None)
    assert (resampled.interval(0), resampled.difference_interval(0, 1)) == expected


def test_no_games_have_no_mean():
    resampled = resample_means(np.ones((1, 3)), np.arange(3), np.zeros(3, dtype=bool), resamples=10)
    assert (resampled.events, resampled.games, resampled.interval(0)) == (0, 0, None)
    assert np.isnan(resampled.mean).all()
