"""Filters of the working pages."""

import datetime as dt

import pytest
from django.utils import timezone

from portal.templatetags.portal_work import waiting_time


@pytest.mark.parametrize(
    ("waited", "expected"),
    [
        ({"seconds": 59}, "less than a minute"),
        ({"minutes": 5}, "5\N{NO-BREAK SPACE}minutes"),
        ({"hours": 23, "minutes": 30}, "23\N{NO-BREAK SPACE}hours"),
        ({"days": 1, "hours": 23}, "1 day"),
        ({"days": 9}, "9 days"),
    ],
)
def test_waiting_time_is_never_zero_minutes(waited, expected):
    assert waiting_time(timezone.now() - dt.timedelta(**waited)) == expected
    assert waiting_time(None) == ""
