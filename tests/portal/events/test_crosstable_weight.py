"""The crosstable of 700 players and nine rounds stays within the weight of a page."""

import random

import pytest
from django.test import Client

from ratings.management.bench.site import COUNTRIES, FIRSTS, GIVEN, LASTS, SEATS
from ratings.models import Player
from tests.factories import make_list

from .large_events import make_large_event

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
    event = make_large_event(make_list("shogi"), Player.objects.bulk_create(make_players(rng)), rng)
    rate_all()
    return event


@pytest.mark.parametrize("query", ["", "?sort=-performance"])
def test_crosstable_of_700_players_is_light(event, query):
    visitor = Client(headers={"Accept-Encoding": "gzip"})
    page = visitor.get(f"/events/{event.public_id}/crosstable/{query}")
    assert (page["Content-Encoding"], len(page.content) <= 60 * 1024) == ("gzip", True), len(page.content)
