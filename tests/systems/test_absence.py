"""#9 of the renju rules: who is off the list of a day."""

import datetime as dt

import pytest

from ratings.systems.rif.state import absent_since, is_published


@pytest.mark.parametrize(
    ("last_played", "last_day_on_the_list"),
    [("2015-06-10", "2020-06-09"), ("2016-02-29", "2021-02-28"), ("2019-02-28", "2024-02-27"),
     ("2019-03-01", "2024-02-29"), ("2016-12-31", "2021-12-30")],
)  # fmt: skip
def test_player_leaves_the_list_five_years_after_the_last_table(last_played, last_day_on_the_list):
    played, last = dt.date.fromisoformat(last_played), dt.date.fromisoformat(last_day_on_the_list)
    after = last + dt.timedelta(1)
    assert [is_published(played, day) for day in (last, after)] == [True, False]
    assert (absent_since(last) < played, absent_since(after) >= played) == (True, True)


def test_unknown_days_do_not_count_as_absence():
    assert [is_published(None, dt.date(2024, 1, 1)), is_published(dt.date(1990, 1, 1), None)] == [True, True]
