"""The whole list on one page is for printing: it may be heavier than other pages, but each row is light."""

import datetime as dt
import random

import pytest
from django.test import Client
from django.utils import timezone

from ratings.domain.lists.publishing import publish
from ratings.management.bench.site import COUNTRIES, FIRSTS, GIVEN, LASTS
from ratings.models import DatedList, Entry, Game, Player, Table
from tests.factories import give_ratings, make_event, make_list

pytestmark = pytest.mark.django_db

PLAYERS, ROUNDS = 500, 3


@pytest.fixture
def rating_list(rate_all):
    """A list of players who all have played three times in the last twelve months."""
    rng, shogi = random.Random(1), make_list("shogi")
    players = Player.objects.bulk_create(
        Player(
            family_name=rng.choice(FIRSTS.split()) + rng.choice(LASTS.split()),
            given_name=rng.choice(GIVEN.split()),
            country=rng.choice(COUNTRIES.split()),
        )
        for _ in range(PLAYERS)
    )
    give_ratings(shogi, players, 1500)
    for month in range(1, ROUNDS + 1):
        event = make_event(f"Event {month}", str(timezone.localdate() - dt.timedelta(days=30 * month)), [shogi])
        table = Table.objects.create(event=event, first_day=event.start, last_day=event.end)
        seats = Entry.objects.bulk_create(
            Entry(table=table, player=player, number=number)
            for number, player in enumerate(rng.sample(players, PLAYERS), 1)
        )
        Game.objects.bulk_create(
            Game(table=table, round=1, a=a, b=b, score=rng.choice([0.0, 0.5, 1.0]))
            for a, b in zip(seats[::2], seats[1::2], strict=True)
        )
    rate_all()
    publish(DatedList(list=shogi, day=timezone.localdate() - dt.timedelta(days=45)))
    return shogi


def weigh(query):
    response = Client(headers={"Accept-Encoding": "gzip"}).get(f"/lists/shogi/{query}")
    assert response["Content-Encoding"] == "gzip"
    return len(response.content), len(response.context["listing"].page.object_list)


def test_whole_list_of_500_players_is_light(rating_list):
    weight, rows = weigh("?rows=all")
    assert (rows, weight <= 60 * 1024) == (PLAYERS, True), weight


def test_page_of_a_list_is_light(rating_list):
    weight, rows = weigh("")
    assert (rows, weight <= 20 * 1024) == (50, True), weight
