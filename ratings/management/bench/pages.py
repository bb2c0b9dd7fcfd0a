"""Page types of the benchmark, with addresses of its federation."""

from __future__ import annotations

import random
from collections.abc import Sequence

from django.urls import reverse

from ratings.models import Club, Entry, Event, Player, RatingList, Table

from .history import SEED
from .site import busiest_player
from .web import MOST_RATIO_OF_LARGE, PageType

DRAWN = 1_000
"""Number of players and events drawn at random from all."""


def page_types(rating_list: RatingList) -> list[PageType]:
    """Return the page types; the first has only a short text, and the others are compared to it."""
    home, busiest = rating_list.get_absolute_url(), busiest_player()
    games = reverse("player_games", args=[busiest.public_id])
    seated = Player.objects.filter(pk__in=Entry.objects.values("player"))  # the others have no page of games
    players = random.Random(SEED).sample(list(seated.order_by("public_id")), DRAWN)
    names = [player.family_name for player in players]
    typed = [name[:-1] + "x" for name in names] + [name[:3].lower() for name in names]
    events = random.Random(SEED).sample(list(Event.objects.order_by("public_id")), DRAWN)
    codes = "DE", "JP", "US", "FR", "PL"
    rivals = zip(players, players[1:] + players[:1], strict=True)
    return [
        PageType("page of text", [reverse("privacy")]),
        PageType("front page", [reverse("front")]),
        PageType("rating list, active players", [home]),
        PageType("rating list, any page", [f"{home}?active=all&page={n}" for n in range(1, 1_900)]),
        PageType("rating list, last page", [f"{home}?active=all&page=last"]),
        PageType("rating list, filtered", [f"{home}?active=all&country={code}&page=3" for code in codes]),
        PageType("players", [player.get_absolute_url() for player in players]),
        _large_example("player of 5,000 games", [busiest.get_absolute_url()]),
        PageType("games", [reverse("player_games", args=[player.public_id]) for player in players]),
        _large_example("games of 5,000, a page", [f"{games}?page={n}" for n in range(1, 100)]),
        PageType("head to head", [reverse("versus", args=[one.public_id, other.public_id]) for one, other in rivals]),
        _large_example(
            "head to head, one with 5,000",
            [reverse("versus", args=[busiest.public_id, other.public_id]) for other in players],
        ),
        PageType("list of events", [f"{reverse('events')}?page={n}" for n in range(1, 100)]),
        PageType("events", [event.get_absolute_url() for event in events]),
        _large_example("event of 700 × 9", [Event.objects.get(public_id="LARGE").get_absolute_url()]),
        PageType("search by name", [f"{reverse('search')}?q={name}" for name in names]),
        PageType("search with a typing error", [f"{reverse('search')}?q={text}" for text in typed]),
        PageType("search suggestions", [f"{reverse('suggest')}?q={name[:4]}" for name in names]),
        PageType("list of clubs", [reverse("clubs")]),
        PageType("clubs", [club.get_absolute_url() for club in Club.objects.order_by("pk")]),
        *_list_api_types(rating_list, players, events, busiest),
    ]


def _large_example(name: str, addresses: Sequence[str]) -> PageType:
    return PageType(name, addresses, MOST_RATIO_OF_LARGE, is_example=True)


def _list_api_types(
    rating_list: RatingList, drawn: Sequence[Player], events: Sequence[Event], busiest: Player
) -> list[PageType]:
    large = Table.objects.get(event__public_id="LARGE")
    tables = Table.objects.filter(event__in=events).select_related("event")
    players, of_events, of_list = "/api/v1/players", "/api/v1/events", f"/api/v1/lists/{rating_list.slug}"
    return [
        PageType("API: standings", [f"{of_list}/standings", f"{of_list}/standings?active=false"]),
        PageType("API: changes", [f"{of_list}/changes"]),
        PageType("API: players", [f"{players}/{player.public_id}" for player in drawn]),
        PageType("API: players by name", [f"{players}?q={player.family_name}" for player in drawn]),
        PageType("API: games", [f"{players}/{player.public_id}/games" for player in drawn]),
        _large_example("API: games of 5,000", [f"{players}/{busiest.public_id}/games"]),
        PageType("API: tables", [f"{of_events}/{table.event.public_id}/tables/{table.pk}" for table in tables]),
        PageType("API: events", [f"{of_events}/{event.public_id}" for event in events]),
        _large_example("API: table of 700 × 9", [f"{of_events}/LARGE/tables/{large.pk}"]),
    ]
