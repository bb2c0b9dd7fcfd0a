"""The results of 700 players are shown in parts, each of which stays within the weight of a page."""

import random
import re

import pytest
from django.test import Client

from ratings.management.bench.site import SEATS
from tests.factories import give_rating, make_list
from tests.long_names import make_players_with_long_names

from .large_events import make_large_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(rate_all):
    rng, shogi = random.Random(1), make_list("shogi")
    players = make_players_with_long_names(SEATS)
    for player in players:
        give_rating(shogi, player, rng.randint(800, 2300))
    event = make_large_event(shogi, players, rng)
    rate_all()
    return event


def test_pages_of_an_event_with_700_players_are_light(event):
    results = [
        f"{event.get_absolute_url()}?rows=all&page={part}{sort}" for part in (1, 2, 3) for sort in ("", "&sort=-name")
    ]
    tabs = [f"/events/{event.public_id}/{tab}/" for tab in ("rounds", "grades")]
    visitor = Client(headers={"Accept-Encoding": "gzip", "Accept-Language": "ja"})
    pages = {url: visitor.get(url) for url in [*results, *tabs]}
    assert {page["Content-Encoding"] for page in pages.values()} == {"gzip"}
    assert {url: len(page.content) for url, page in pages.items() if len(page.content) > 60 * 1024} == {}
    whole = [Client().get(url).text for url in results[::2]]
    assert [len(re.findall('class="number pos"', page)) for page in whole] == [300, 300, 100]
