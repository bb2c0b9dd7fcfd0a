"""Drawings of intervals: one axis for all rows, the first row's value in each."""

import re

from portal.lists.interval_drawing import draw_intervals


def places(drawing):
    return [float(place) for place in re.findall(r"M([\d.]+) ", drawing)], float(
        re.search(r'cx="([\d.]+)"', drawing)[1]
    )


def test_all_rows_have_one_axis_and_the_first_value():
    rows = [{"mean": 0.56, "interval": [0.55, 0.57]}, {"mean": 0.55, "interval": [0.54, 0.56]}]
    first, second = draw_intervals(rows)
    # the axis from 0.54 to 0.57 lies between x = 6 and x = 170
    assert places(first) == ([6, 115.3, 60.7], 115.3)
    assert places(second) == ([6, 115.3, 6], 60.7)


def test_row_without_an_interval_has_its_value_only():
    first, second = draw_intervals([{"mean": 0.5, "interval": None}, {"mean": 0.6, "interval": None}])
    assert [first.count("<path"), places(first), places(second)] == [2, ([6, 6], 6), ([6, 6], 170)]


def test_single_value_stands_in_the_middle():
    (drawing,) = draw_intervals([{"mean": 0.5, "interval": None}])
    assert places(drawing) == ([6, 88], 88)
