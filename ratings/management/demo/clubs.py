"""Memberships of the demo's players in its clubs."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Sequence

from ratings.models import Club, Membership

from .people import Person

NO_CLUB, MOVED = 0.15, 0.15
"""Shares of the players who are in no club, and of the members who were in another club before."""


def draw_memberships(
    rng: random.Random, people: Sequence[Person], clubs: Sequence[Club], start: dt.date, today: dt.date
) -> Iterator[Membership]:
    """Yield the unsaved memberships of most players in a club of the country where they live.

    `start` is the day of the first event; no membership begins more than four years before it.
    """
    for person in people:
        near = [club for club in clubs if club.country == person.lives_in]
        if not near or rng.random() < NO_CLUB:
            continue
        since = max(person.since, start - dt.timedelta(days=4 * 365)).replace(day=1)
        if rng.random() < MOVED and since.year < today.year - 2 and len(near) > 1:
            moved = dt.date(rng.randint(since.year + 1, today.year - 1), 1, 1)
            former = rng.choice(near)
            yield Membership(player=person.player, club=former, start=since, end=moved)
            near.remove(former)
            since = moved
        yield Membership(player=person.player, club=rng.choice(near), start=since)
