"""Test the state of rif-2021 as text."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.canonical_json import write_json
from ratings.systems.rif.state_2021 import State2021, write_state, write_state_as_text

RATINGS = st.floats(-2000, 6000) | st.integers(-2000, 6000)
STATES = st.builds(
    State2021,
    st.none() | RATINGS,
    st.none() | st.floats(0, 1000),
    st.integers(0, 5000),
    st.integers(0, 50),
    st.none() | st.dates(dt.date(1900, 1, 1)),
)


@given(STATES)
def test_write_state_as_text_writes_the_state_as_canonical_json(state):
    assert write_state_as_text(state) == write_json(write_state(state))
