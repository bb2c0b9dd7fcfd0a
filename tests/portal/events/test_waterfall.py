"""Drawings of a rating change: bars that begin where the last one ended, marks on a scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.events.waterfall import INSET, WIDTH, Drawing, draw_differences, draw_scale, draw_waterfall

CHANGES = st.lists(st.floats(-60, 60), min_size=1, max_size=12)


def test_bars_begin_where_the_last_one_ended():
    # an axis from 1490 to 1510, 400 - 2 x 12 units wide: 18.8 units a point
    assert draw_waterfall(1500, [10, -20, 0]) == [
        Drawing("up", "200.0", "188.0", "200.0", "", "388.0"),
        Drawing("down", "12.0", "376.0", "200.0", "388.0", "12.0"),
        Drawing("zero", "10.8", "2.5", "200.0", "12.0", ""),
        Drawing("sum", "12.0", "188.0", "200.0"),
    ]


def test_small_changes_look_small():
    up, total = draw_waterfall(1500, [3])
    assert (up.kind, float(up.width)) == ("up", pytest.approx(376 * 3 / 12))
    assert total == Drawing("sum", up.x, up.width, up.start)


@given(before=st.floats(-3000, 4000), changes=CHANGES)
def test_bars_stay_inside_and_join(before, changes):
    bars = draw_waterfall(before, changes)
    assert len(bars) == len(changes) + 1
    for bar in bars:
        assert INSET - 1.3 <= float(bar.x) <= float(bar.x) + float(bar.width) <= WIDTH - INSET + 1.4
    assert [bar.tie_below for bar in bars[:-2]] == [bar.tie_above for bar in bars[1:-1]]


def test_scale_marks_opponents_by_result_and_the_rating_reached():
    assert draw_scale([(1400, 1), (1500, 0.5), (1600, 0)], 1450) == [
        Drawing("won", "10.8", "2.5", "106.0"),
        Drawing("drawn", "198.8", "2.5", "106.0"),
        Drawing("lost", "386.8", "2.5", "106.0"),
        Drawing("sum", "104.8", "2.5", "106.0"),
    ]


def test_differences_begin_at_zero_and_end_with_the_result():
    # an axis from -8 to 4, 376 units wide: zero is at 12 + 376 x 8 / 12
    assert draw_differences([-8, 0, 4, 2]) == [
        Drawing("down", "12.0", "250.7", "262.7"),
        Drawing("zero", "261.4", "2.5", "262.7"),
        Drawing("up", "262.7", "125.3", "262.7"),
        Drawing("sum", "262.7", "62.7", "262.7"),
    ]
