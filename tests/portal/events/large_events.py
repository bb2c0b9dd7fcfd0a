"""Events of as many players as a large event has, for tests of the weight of pages."""

from ratings.management.bench.history import pairings
from ratings.management.bench.site import ROUNDS_OF_MANY, SEATS
from ratings.models import Entry, Game, Table
from tests.factories import make_event


def make_large_event(rating_list, players, rng):
    """Return an event of `SEATS` players with nine rounds of random results, which are not rated yet."""
    event = make_event("Large", lists=[rating_list])
    table = Table.objects.create(event=event, first_day=event.start, last_day=event.end)
    entries = Entry.objects.bulk_create(
        Entry(table=table, player=player, number=number) for number, player in enumerate(players, 1)
    )
    Game.objects.bulk_create(
        Game(table=table, round=number, a=entries[a], b=entries[b], score=rng.choice([0.0, 0.5, 1.0]))
        for number, a, b in pairings(SEATS, ROUNDS_OF_MANY)
    )
    return event
