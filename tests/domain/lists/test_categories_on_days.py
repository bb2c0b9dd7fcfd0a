"""Categories that long absence changes, on published and past lists."""

import datetime as dt

import pytest

from ratings.domain.lists.publishing import publish
from ratings.models import DatedLine, DatedList
from ratings.queries.lists.past import past_rows
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("system", "state", "categories"),
    [
        ("fide-2024", {"bonus_games": None}, ["rated", "inactive"]),
        ("glicko-2", {"bonus_games": None, "deviation": 100}, ["established", "provisional"]),
    ],
)
def test_category_is_that_of_the_day(system, state, categories, rate_all):
    rating_list, ada, ben = make_list("one", system=system, active_years=9), make_player("Ada"), make_player("Ben")
    for player in (ada, ben):
        give_rating(rating_list, player, 1900, "2020-01-01", **state)
    make_table(rating_list, [ada, ben], [(1, 1, 2, 1.0)], "2020-02-05")
    rate_all()
    days = dt.date(2020, 3, 31), dt.date(2024, 3, 31)
    past = [past_rows(rating_list, day)["category"][0].decode() for day in days]
    published = []
    for day in days:
        dated = publish(DatedList.objects.create(list=rating_list, day=day))
        published.append(DatedLine.objects.get(dated=dated, player=ada).category)
    assert (past, published) == (categories, categories)
