"""Changes that are displayed beside rounded ratings."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.displayed_changes import round_change, round_difference
from ratings.localize import format_rating


class Row(NamedTuple):
    before: float | None
    after: float | None
    change: float | None


@pytest.mark.parametrize(
    ("row", "decimals", "displayed"),
    [
        (Row(2018.4, 2060.6, 42.2), 0, 43),
        (Row(2018.6, 2060.4, 41.8), 0, 41),
        (Row(-313.1, -190.98, 122.12), 1, 122.1),
        (Row(1926, 1926, -30.2), 0, -30),
        (Row(1926, 1926, 0), 0, 0),
        (Row(None, 1500.4, 0), 0, 0),
        (Row(None, 1500.4, None), 0, None),
        (Row(1500.4, None, None), 0, None),
    ],
)
def test_change_is_the_difference_of_the_displayed_ratings(row, decimals, displayed):
    assert round_change(row, decimals) == displayed


ratings = st.floats(-1000, 4000, allow_nan=False)


@given(before=ratings, after=ratings, decimals=st.sampled_from([0, 1]))
def test_displayed_rating_and_difference_sum_to_the_next_rating(before, after, decimals):
    shown = [float(format_rating(value, decimals).replace("−", "-")) for value in (before, after)]
    assert round(shown[0] + round_difference(before, after, decimals), decimals) == shown[1]
