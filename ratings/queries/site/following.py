"""Queries for the pages that users follow."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from ratings.models import Club, Event, Follow, FollowSettings, MailFrequency, NameVisibility, Player, RatingList
from ratings.queries.events.events import events_with_page
from ratings.queries.lists.lists import public_lists

Target = Player | Club | Event | RatingList
FIELDS: dict[type[Any], str] = {Player: "player", Club: "club", Event: "event", RatingList: "list"}
"""Name of the field of a `Follow` by the class of what is followed."""


def followable_players() -> QuerySet[Player]:
    """Return the players who can be followed: not merged, and not anonymous."""
    return Player.objects.filter(merged_into=None).exclude(shown=NameVisibility.ANONYMOUS)


def followable(name: str) -> QuerySet[Any]:
    """Return what can be followed of a kind: the players of `followable_players`, and everything with a public page."""
    rows: dict[str, QuerySet[Any]] = {
        "player": followable_players(),
        "club": Club.objects.all(),
        "event": events_with_page(),
        "list": public_lists().filter(comparison_to=None),
    }
    return rows[name]


def find_follow(user: Any, target: Target) -> Follow | None:
    """Return the row by which a user follows something; None if they do not."""
    return Follow.objects.filter(user=user.pk, **{FIELDS[type(target)]: target}).first()


def follows_of(user: Any) -> list[Follow]:
    """Return everything that a user follows and that still has a public page, by kind and name, with one query."""
    has_page = reduce(or_, (Q(**{f"{name}__in": followable(name).order_by()}) for name in FIELDS.values()))
    rows = Follow.objects.filter(has_page, user=user.pk)
    ordered = rows.select_related("player", "club", "event", "list__federation")
    return sorted(ordered, key=lambda follow: (str(follow.target).casefold(), follow.pk))


def own_frequency(user: Any) -> str:
    """Return how often a user gets mails about corrections of their own rating."""
    chosen = FollowSettings.objects.filter(user=user.pk).values_list("own_corrections", flat=True).first()
    return chosen or MailFrequency.AT_ONCE
