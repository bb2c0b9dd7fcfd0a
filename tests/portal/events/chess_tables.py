"""Tables of chess events with ratings and ids in registries, for tests of the files that events offer."""

import datetime as dt

from django.utils import timezone

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, OutsideId
from tests.factories import make_event, make_list, make_table


def make_chess_list():
    return make_list("chess", system="fide-2024", federation="Chess")


def give_starting_ratings(rating_list, players):
    """Give the players the ratings 1900, 1890, 1880 and so on."""
    for number, player in enumerate(players):
        opening = Adjustment(list=rating_list, player=player, date=dt.date(2024, 3, 1), reason="opening")
        opening.set = {"rating": 1900 - 10 * number}
        save_adjustment(opening)


def make_table_with_ids(rating_list, players, registry, first_digits, **fields):
    """Return a table of three players with ids in a registry, that of the second one not confirmed, and two rounds."""
    give_starting_ratings(rating_list, players)
    for number, player in enumerate(players):
        confirmed = None if number == 1 else timezone.now()
        value = f"{first_digits}{number}"
        OutsideId.objects.create(player=player, registry=registry, value=value, confirmed_at=confirmed)
    event = make_event("Cup", "2024-05-04", [rating_list], place="Gent", country="BE")
    games = [(1, 1, 2, 1.0, {"black": "b"}), (1, 3, None, 1.0), (2, 1, 3, 0.5, {"black": "a"}), (2, 2, None, 0.5)]
    return make_table(None, players, games, "2024-05-04", event=event, **fields)
