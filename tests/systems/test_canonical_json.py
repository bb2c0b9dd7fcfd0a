"""Test JSON in its canonical form against the standard library."""

import datetime as dt
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.canonical_json import write_json
from ratings.systems.values import Category

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def with_whole_numbers(value):
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [with_whole_numbers(inner) for inner in value]
    if isinstance(value, dict):
        return {key: with_whole_numbers(inner) for key, inner in value.items()}
    return value


@given(VALUES)
def test_write_json_writes_what_the_standard_library_writes_compactly_and_sorted(value):
    expected = json.dumps(with_whole_numbers(value), sort_keys=True, separators=(",", ":"))
    assert write_json(value) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1.0, 2.5), "[1,2.5]"),
        (-0.0, "0"),
        (dt.date(2026, 11, 28), '"2026-11-28"'),
        (Category.RATED, '"rated"'),
        ({"b": None, "a": True}, '{"a":true,"b":null}'),
        ({}, "{}"),
    ],
)
def test_write_json_writes_other_types(value, text):
    assert write_json(value) == text


@pytest.mark.parametrize("value", [{1, 2}, b"x", np.int64(3), {1: "x"}])
def test_write_json_refuses_what_json_cannot_hold(value):
    with pytest.raises(TypeError):
        write_json(value)
