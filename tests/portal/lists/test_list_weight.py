"""Whole lists are printed in parts, each of which is as light as any other page."""

import datetime as dt
import random

import pytest
from django.test import Client
from django.utils import timezone

from ratings.domain.lists.publishing import publish
from ratings.models import DatedLine, DatedList, Entry, Game, Table
from tests.factories import give_rating, make_event, make_list
from tests.long_names import make_players_with_long_names
from tests.shared import reused

pytestmark = pytest.mark.django_db

PLAYERS, ROUNDS, AT_A_TABLE = 704, 3, 64
LANGUAGES = ("fr", "ja")


@pytest.fixture
@reused
def rating_list(rate_all):
    """A list of players who all have played three times in the last twelve months, published twice since."""
    rng, shogi = random.Random(1), make_list("shogi")
    players = make_players_with_long_names(PLAYERS)
    for player in players:
        give_rating(shogi, player, rng.randint(800, 2300))
    for month in range(1, ROUNDS + 1):
        rng.shuffle(players)
        for first in range(0, PLAYERS, AT_A_TABLE):
            day = timezone.localdate() - dt.timedelta(days=30 * month + rng.randint(-12, 12))
            seat(shogi, str(day), players[first : first + AT_A_TABLE], rng)
    rate_all()
    for days in (70, 10):
        publish(DatedList(list=shogi, day=timezone.localdate() - dt.timedelta(days=days)))
    return shogi


def seat(shogi, day, players, rng):
    event = make_event(f"Event {rng.random()}", day, [shogi])
    table = Table.objects.create(event=event, first_day=event.start, last_day=event.end)
    seats = Entry.objects.bulk_create(
        Entry(table=table, player=player, number=number) for number, player in enumerate(players, 1)
    )
    Game.objects.bulk_create(
        Game(table=table, round=1, a=a, b=b, score=rng.choice([0.0, 0.5, 1.0]))
        for a, b in zip(seats[::2], seats[1::2], strict=True)
    )


def weigh(address, language="en"):
    visitor = Client(headers={"Accept-Encoding": "gzip", "Accept-Language": language})
    response = visitor.get(f"/lists/shogi/{address}")
    assert response["Content-Encoding"] == "gzip"
    page = response.context["listing"].page if "listing" in response.context else response.context["lines"]
    return len(response.content), len(page.object_list)


def list_parts(address):
    """Return the numbers of rows of all parts of a whole list, and the weights above 60 KB."""
    weights = [weigh(f"{address}rows=all&page={page}", language) for page in (1, 2, 3) for language in LANGUAGES]
    return [rows for _, rows in weights[:: len(LANGUAGES)]], [weight for weight, _ in weights if weight > 60 * 1024]


def test_parts_of_whole_lists_are_light(rating_list):
    published = rating_list.dated.order_by("day").last()
    of_past_day = f"?on={published.day - dt.timedelta(days=10)}&active=all&"
    assert list_parts("?") == ([300, 300, 104], [])
    assert list_parts(f"dated/{published.day}/?") == ([300, 300, 104], [])
    assert list_parts(of_past_day) == ([300, 300, 104], [])
    lines = list(DatedLine.objects.filter(dated=published))
    for line in lines:
        line.revised_rank, line.revised_rating, line.revised_grade = line.rank + 3, line.rating + 7.5, "1 Kyu"
    DatedLine.objects.bulk_update(lines, ["revised_rank", "revised_rating", "revised_grade"])
    DatedList.objects.filter(pk=published.pk).update(revised_at=timezone.now())
    assert list_parts(f"dated/{published.day}/?games=1&") == ([300, 300, 104], [])


def test_page_of_a_list_is_light(rating_list):
    weight, rows = weigh("")
    assert (rows, weight <= 20 * 1024) == (50, True), weight
