"""Arithmetic that compiled loops need agrees with Python's own."""

import math
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from ratings.systems.arithmetic import add_exactly, round_half_away_from_zero

POINTS = st.floats(-1e6, 1e6)


@given(st.lists(POINTS | st.floats(-1e300, 1e300), max_size=30))
@example([1.0, 2.0**-53, 2.0**-106])
@example([1.0, 2.0**-53, -(2.0**-106)])
@example([1e16, 1.0, 1e-16])
@example([1e100, 1.0, -1e100])
def test_exact_sum_is_that_of_fsum(numbers):
    assert add_exactly(numbers) == math.fsum(numbers)


@given(POINTS | st.integers(-(10**6), 10**6) | st.integers(-(10**12), 10**12).map(lambda millionths: millionths / 1e6))
@example(0.5)
@example(-0.5)
@example(2.4999995)
@example(2.4999994)
@example(1.0000005)
def test_halves_are_rounded_away_from_zero_after_rounding_to_a_millionth(points):
    millionths = round(Fraction(points) * 10**6)
    whole = math.floor((abs(millionths) + 500_000) / Fraction(10**6))
    assert round_half_away_from_zero(points) == (whole if points >= 0 else -whole)
