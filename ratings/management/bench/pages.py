"""Page types of the benchmark, with addresses of its federation."""

from __future__ import annotations

import random

from django.urls import reverse

from ratings.models import Club, Event, Player, RatingList

from .history import SEED
from .site import busiest_player
from .web import PageType

SEVERAL = 12


def page_types(rating_list: RatingList) -> list[PageType]:
    """Return the page types; the first has only a short text, and the others are compared to it."""
    rng = random.Random(SEED)
    home, busiest = rating_list.get_absolute_url(), busiest_player()
    others = [Player.objects.get(public_id=f"B{rng.randrange(100_000):06}") for _ in range(SEVERAL)]
    players = [player.get_absolute_url() for player in others]
    names = [player.family_name for player in others]
    pages = [rng.randrange(1, 1500) for _ in range(SEVERAL)]
    rivals = [reverse("versus", args=[busiest.public_id, player.public_id]) for player in others]
    typed = [name[:-1] + "x" for name in names] + [name[:3].lower() for name in names]
    events = Event.objects.order_by("public_id")[100 : 100 + SEVERAL]
    api = f"/api/v1/lists/{rating_list.slug}"
    return [
        PageType("a page of words (floor)", [reverse("privacy")]),
        PageType("front page", [reverse("front")]),
        PageType("rating list, any page", [f"{home}?active=all&page={page}" for page in pages]),
        PageType("rating list, last page", [f"{home}?active=all&page=last"]),
        PageType("rating list, filtered", [f"{home}?active=all&country={code}&page=3" for code in ("DE", "JP", "US")]),
        PageType("player of 5,000 games", [busiest.get_absolute_url()]),
        PageType("players", players),
        PageType(
            "games of 5,000, a page", [f"{reverse('player_games', args=[busiest.public_id])}?page={n}" for n in (1, 50)]
        ),
        PageType("head to head", rivals),
        PageType("event of 700 × 9", [Event.objects.get(public_id="LARGE").get_absolute_url()]),
        PageType("events", [event.get_absolute_url() for event in events]),
        PageType("search by name", [f"{reverse('search')}?q={name}" for name in names]),
        PageType("search with a typing error", [f"{reverse('search')}?q={text}" for text in typed]),
        PageType("search as one types", [f"{reverse('suggest')}?q={name[:4]}" for name in names]),
        PageType("clubs", [club.get_absolute_url() for club in Club.objects.order_by("pk")[:SEVERAL]]),
        PageType("API: standings", [f"{api}/standings", f"{api}/standings?active=false"]),
        PageType("API: players", [f"/api/v1/players/{player.public_id}" for player in others]),
        PageType("API: games of 5,000", [f"/api/v1/players/{busiest.public_id}/games"]),
        PageType("API: changes", [f"{api}/changes"]),
    ]
