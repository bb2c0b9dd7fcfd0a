"""The crosstable of 700 players and nine rounds stays within the weight of a page."""

import random

import pytest
from django.test import Client

from ratings.management.bench.history import pairings
from ratings.management.bench.site import COUNTRIES, FIRSTS, GIVEN, LASTS, ROUNDS_OF_MANY, SEATS
from ratings.models import Entry, Game, Player, Table
from tests.factories import make_event, make_list

pytestmark = pytest.mark.django_db


def make_players(rng):
    def choose(words):
        return rng.choice(words.split())

    for _ in range(SEATS):
        yield Player(
            family_name=choose(FIRSTS) + choose(LASTS),
            given_name=choose(GIVEN),
            country=choose(COUNTRIES),
        )


@pytest.fixture
def event(rate_all):
    rng = random.Random(1)
    event = make_event("Large", lists=[make_list("shogi")])
    table = Table.objects.create(event=event, first_day=event.start, last_day=event.end)
    players = Player.objects.bulk_create(make_players(rng))
    entries = Entry.objects.bulk_create(
        Entry(table=table, player=player, number=number) for number, player in enumerate(players, 1)
    )
    Game.objects.bulk_create(
        Game(table=table, round=number, a=entries[a], b=entries[b], score=rng.choice([0.0, 0.5, 1.0]))
        for number, a, b in pairings(SEATS, ROUNDS_OF_MANY)
    )
    rate_all()
    return event


@pytest.mark.parametrize("query", ["", "?sort=-performance"])
def test_crosstable_of_700_players_is_light(event, query):
    visitor = Client(headers={"Accept-Encoding": "gzip"})
    page = visitor.get(f"/events/{event.public_id}/crosstable/{query}")
    assert (page["Content-Encoding"], len(page.content) <= 60 * 1024) == ("gzip", True), len(page.content)
