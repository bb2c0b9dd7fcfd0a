"""Sentences about a sweep, and the place of today's value."""

import pytest

from portal.lists.study_sweep import describe_swept_options, find_place, find_present_values


def result_of(system, values, best, intervals, present=None):
    swept = {"system": system, "options": {}, "values": values}
    return {
        "candidates": [{"system": "glicko-2", "options": present or {}}],
        "study": {"sweep": swept},
        "sweep": {"best": best, "intervals": intervals},
    }


@pytest.mark.parametrize(
    ("best", "interval", "present", "sentence"),
    [
        (0.5, [0.3, 0.9], 0.5, "0.5 predicts best; 0.3 to 0.9 may do equally well. It is today’s value."),
        (0.5, [0.3, 0.5], 0.4, "0.5 predicts best; 0.3 to 0.5 may do equally well. Today’s 0.4 lies within."),
        (0.5, [0.3, 0.5], 0.9, "0.5 predicts best; 0.3 to 0.5 may do equally well. Today’s 0.9 lies outside."),
        (0.5, [0.5, 0.5], 1.2, "0.5 predicts best; no other value does equally well. Today’s 1.2 was not tried."),
        (0.5, None, 0.9, "0.5 predicts best; there are too few events for an interval. Today it is 0.9."),
    ],
)
def test_sentences_say_best_value_interval_and_present_value(best, interval, present, sentence):
    intervals = None if interval is None else {"tau": interval}
    result = result_of("glicko-2", {"tau": [0.3, 0.5, 0.9]}, {"tau": best}, intervals, {"tau": present})
    assert describe_swept_options(result) == [f"Limit of volatility: {sentence}"]


def test_option_of_another_system_has_no_present_value():
    result = result_of("rif-2021", {"w2": [1, 10]}, {"w2": 10}, {"w2": [1, 10]})
    assert find_present_values(result) == {}
    assert describe_swept_options(result) == ["Drift (w²): 10 predicts best; 1 to 10 may do equally well."]


def test_present_value_is_the_default_where_the_list_has_no_other():
    result = result_of("glicko-2", {"period": ["table", "month"], "tau": [0.3, 0.5]}, {}, None, {"tau": 0.7})
    assert find_present_values(result) == {"period": "table", "tau": 0.7}


@pytest.mark.parametrize(
    ("values", "value", "place"),
    [
        ([4, 6, 8], 6, 1),
        ([4, 6, 8], 7, 1.5),
        ([8, 6, 4], 7, 0.5),
        ([4, 6, 8], 9, None),
        (["table", "month"], "month", 1),
        (["table", "month"], "year", None),
        ([True, False], False, 1),
        ([4, 6], None, None),
    ],
)
def test_place_lies_among_the_tried_values(values, value, place):
    assert find_place(values, value) == place
