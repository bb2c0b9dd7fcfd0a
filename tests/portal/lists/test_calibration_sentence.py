"""Sentence about the calibration of the present rules."""

import pytest

from portal.lists.calibration_sentence import describe_calibration


def make_bin(expected, score, games, width=0.02):
    return {"expected": expected, "score": score, "games": games, "interval": [score - width, score + width]}


def describe(bins, interval):
    games = sum(bin_["games"] for bin_ in bins)
    mean = sum(bin_["score"] * bin_["games"] for bin_ in bins) / games if games else 0
    return describe_calibration({"calibration": bins, "favourite": {"mean": mean, "interval": interval}})


@pytest.mark.parametrize(
    ("bins", "interval", "sentence"),
    [
        (
            [make_bin(0.6, 0.6, 100), make_bin(0.85, 0.81, 400)],
            [0.75, 0.79],
            "Today’s rules are a little too sure: where they expect 85 %, players scored 81 %.",
        ),
        (
            [make_bin(0.85, 0.75, 400), make_bin(0.95, 0.96, 20)],
            [0.74, 0.78],
            "Today’s rules are too sure: where they expect 85 %, players scored 75 %.",
        ),
        (
            [make_bin(0.6, 0.63, 900)],
            [0.61, 0.65],
            "Today’s rules are not quite sure enough: where they expect 60 %, players scored 63 %.",
        ),
        (
            [make_bin(0.6, 0.7, 900)],
            [0.68, 0.72],
            "Today’s rules are not sure enough: where they expect 60 %, players scored 70 %.",
        ),
        (
            [make_bin(0.702, 0.698, 900, 0.05)],
            [0.697, 0.699],
            "Today’s rules are a little too sure: where they expect 70.2 %, players scored 69.8 %.",
        ),
        (
            [make_bin(0.6, 0.55, 100), make_bin(0.8, 0.83, 100)],
            [0.65, 0.73],
            "Today’s rules are neither too sure nor too careful: they expect 70 % of the stronger side, and it scored"
            " 69 %. The difference lies within the interval of 95 %.",
        ),
        ([make_bin(0.85, 0.6, 9)], None, "There are too few events to judge whether today’s rules are too sure."),
        ([], [0, 1], "There are too few events to judge whether today’s rules are too sure."),
    ],
    ids=["a little", "too sure", "not quite", "not sure enough", "no single class", "agree", "few events", "no games"],
)
def test_sentence_follows_the_games_of_the_stronger_sides(bins, interval, sentence):
    assert describe(bins, interval) == sentence
