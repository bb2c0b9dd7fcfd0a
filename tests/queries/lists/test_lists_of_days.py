import datetime as dt

import pytest
from django.core.exceptions import ValidationError

from ratings.models import RatingList
from ratings.queries.lists.lists_of_days import check_lists_of_days, find_list_of_day
from tests.factories import make_list

pytestmark = pytest.mark.django_db
FIRST, SECOND = dt.date(2020, 1, 1), dt.date(2024, 6, 1)
DAY = dt.timedelta(days=1)


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
        (0, SECOND, "NEWEST continues OLDEST and rates events that end on 1 Jun 2024 or later: choose NEWEST."),
        (0, FIRST, "MIDDLE continues OLDEST and rates events that end on 1 Jan 2020 or later: choose MIDDLE."),
        (2, dt.date(2024, 5, 31), "NEWEST rates events that end on 1 Jun 2024 or later: choose MIDDLE."),
        (2, dt.date(2019, 5, 31), "NEWEST rates events that end on 1 Jun 2024 or later: choose OLDEST."),
    ],
)
def test_check_lists_of_days_names_the_right_list(lists, number, day, text):
    with pytest.raises(ValidationError) as raised:
        check_lists_of_days([make_list("other"), lists[number]], day, day)
    assert raised.value.messages == [text]


@pytest.mark.parametrize("chosen", [[1], [0, 1]])
def test_check_lists_of_days_accepts_the_list_of_the_last_day_and_with_it_that_of_the_first(lists, chosen):
    check_lists_of_days([*(lists[number] for number in chosen), make_list("other")], FIRST - DAY, FIRST)


@pytest.mark.parametrize("chosen", [[0], [0, 2], [1, 2]])
def test_check_lists_of_days_refuses_other_lists_of_an_event_across_the_border(lists, chosen):
    with pytest.raises(ValidationError, match="choose MIDDLE"):
        check_lists_of_days([lists[number] for number in chosen], FIRST - DAY, FIRST)
