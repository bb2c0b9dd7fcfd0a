"""Games that count on closing days are counted once, with their tables."""

import datetime as dt

import pytest
from django.db.models import Sum

from ratings.domain.lists.publishing import publish
from ratings.models import Change, DatedLine, DatedList
from tests.factories import give_rating, make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("system", "options"),
    [("fide-2024", {}), ("glicko-2", {"period": "month"}), ("rif-2021", {"established_games": 0})],
)
def test_games_are_counted_once(system, options, rate_all):
    rating_list, ada, ben = make_list("one", system=system, options=options), make_player("Ada"), make_player("Ben")
    for player in (ada, ben):
        give_rating(rating_list, player, 1900, "2024-01-01", games=10, bonus_games=None)
    make_table(rating_list, [ada, ben], [(1, 1, 2, 1.0), (2, 2, 1, 0.5)], "2024-02-05")
    rate_all()
    assert Change.objects.filter(player=ada).aggregate(total=Sum("games")) == {"total": 2}
    dated = publish(DatedList.objects.create(list=rating_list, day=dt.date(2024, 5, 31)))
    expected = 2 if system == "fide-2024" else 12  # the other two count those before the list too
    assert DatedLine.objects.get(dated=dated, player=ada).games == expected
