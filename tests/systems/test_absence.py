"""#9 of the renju rules: who is off the list of a day."""

import datetime as dt

from hypothesis import example, given
from hypothesis import strategies as st

from ratings.systems.rif.state import absent_since, is_published

days = st.dates(dt.date(1980, 1, 1), dt.date(2060, 12, 31))


@given(days, days)
@example(dt.date(2016, 2, 29), dt.date(2021, 2, 28))
@example(dt.date(2016, 2, 29), dt.date(2021, 3, 1))
@example(dt.date(2019, 2, 28), dt.date(2024, 2, 29))
@example(dt.date(2019, 3, 1), dt.date(2024, 2, 29))
def test_absence_is_the_same_seen_from_either_day(last_played, on):
    assert is_published(last_played, on) is (last_played > absent_since(on))
