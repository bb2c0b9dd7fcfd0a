import datetime as dt

import pytest
from django.core.exceptions import ValidationError

from ratings.models import RatingList
from ratings.queries.lists.lists_of_days import check_lists_of_day, find_list_of_day
from tests.factories import make_list

pytestmark = pytest.mark.django_db
FIRST, SECOND = dt.date(2020, 1, 1), dt.date(2024, 6, 1)


@pytest.fixture
def lists():
    """Three lists, each continued by the next one, from FIRST and from SECOND on."""
    newest = make_list("newest", begins_on=SECOND)
    middle = make_list("middle", begins_on=FIRST, successor=newest)
    oldest = make_list("oldest", successor=middle)
    return [RatingList.objects.get(pk=rating_list.pk) for rating_list in (oldest, middle, newest)]


@pytest.mark.parametrize(
    ("day", "number"),
    [(dt.date(2019, 12, 31), 0), (FIRST, 1), (dt.date(2024, 5, 31), 1), (SECOND, 2), (dt.date(2999, 1, 1), 2)],
)
def test_find_list_of_day_follows_successors_and_predecessors(lists, day, number):
    assert [find_list_of_day(rating_list, day).slug for rating_list in lists] == [lists[number].slug] * 3


def test_find_list_of_day_leaves_other_lists(lists):
    other = make_list("other")
    assert find_list_of_day(other, SECOND) == other


@pytest.mark.parametrize(
    ("number", "day", "text"),
    [
        (0, SECOND, "OLDEST is continued by NEWEST from 1 Jun 2024 on: choose NEWEST."),
        (0, FIRST, "OLDEST is continued by MIDDLE from 1 Jan 2020 on: choose MIDDLE."),
        (2, dt.date(2024, 5, 31), "NEWEST rates events from 1 Jun 2024 on: choose MIDDLE."),
        (2, dt.date(2019, 5, 31), "NEWEST rates events from 1 Jun 2024 on: choose OLDEST."),
    ],
)
def test_check_lists_of_day_names_the_right_list(lists, number, day, text):
    with pytest.raises(ValidationError) as raised:
        check_lists_of_day([make_list("other"), lists[number]], day)
    assert raised.value.messages == [text]


def test_check_lists_of_day_accepts_the_right_lists(lists):
    check_lists_of_day([lists[1], make_list("other")], FIRST)
