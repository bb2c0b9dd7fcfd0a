"""Queries for clubs, their members and their strength. Anonymous players are not members of any club here."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from ratings.matching import fold
from ratings.models import Award, Club, Entry, Event, Membership, NameVisibility, Player, RatingList, Standing
from ratings.queries.lists.lists import promotions

from .names import by_public_name, country_position


def clubs_by_country(order: Sequence[str]) -> QuerySet[Club]:
    """Return all clubs by the position of their country in these codes, and then by name."""
    return Club.objects.order_by(country_position(order), "name")


def open_clubs_of(country: str) -> QuerySet[Club]:
    """Return the clubs of a country that are not closed, by name."""
    return Club.objects.filter(country=country, closed=None).order_by("name")


def filter_by_words(clubs: QuerySet[Club], text: str) -> QuerySet[Club]:
    """Return the clubs with all words of a text in their name or city."""
    for word in fold(text).split():
        clubs = clubs.filter(search_name__contains=word)
    return clubs


def filter_by_list(clubs: QuerySet[Club], rating_list: RatingList) -> QuerySet[Club]:
    """Return the clubs that have a member with a rating on a list."""
    rated = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False)
    members = current_memberships().filter(club=OuterRef("pk"), player__in=rated.values("player"))
    return clubs.filter(Exists(members))


def countries_with_clubs() -> list[str]:
    return list(Club.objects.exclude(country="").order_by("country").values_list("country", flat=True).distinct())


def current_memberships() -> QuerySet[Membership]:
    """Return the current memberships of all players but the anonymous ones."""
    return Membership.objects.filter(end__isnull=True).exclude(player__shown=NameVisibility.ANONYMOUS)


@dataclass(frozen=True)
class Strength:
    """The strength of a club on a list.

    `rated` and `active` are numbers of members. `mean`, `median` and `best` are the ratings of the active ones, None
    if there are none.
    """

    rating_list: RatingList
    rated: int
    active: int
    mean: float | None
    median: float | None
    best: float | None


@dataclass(frozen=True)
class ClubLine:
    club: Club
    members: int
    strengths: list[Strength]


def club_lines(clubs: Collection[Club], lists: Sequence[RatingList], today: dt.date) -> list[ClubLine]:
    """Return clubs with the number of members and the strength on each list, in one query."""
    members, ratings = _read_members_and_ratings(clubs)
    return [
        ClubLine(
            club,
            len(members[club.pk]),
            [
                _compute_strength(rating_list, ratings[club.pk, rating_list.pk], today)
                for rating_list in lists
                if (club.pk, rating_list.pk) in ratings
            ],
        )
        for club in clubs
    ]


Rated = tuple[float, dt.date | None]
"""A rating, and the day on which its player last played."""


def _read_members_and_ratings(
    clubs: Collection[Club],
) -> tuple[dict[int, set[int]], dict[tuple[int, int], list[Rated]]]:
    """Return the members of each club, and the members' ratings by club and list."""
    on_list = Q(player__standings__published=True, player__standings__rating__isnull=False)
    present = current_memberships().filter(club__in=clubs).order_by()
    rows = present.annotate(standing=FilteredRelation("player__standings", condition=on_list)).values_list(
        "club", "player", "standing__list", "standing__rating", "standing__last_played"
    )
    members: dict[int, set[int]] = defaultdict(set)
    ratings: dict[tuple[int, int], list[Rated]] = defaultdict(list)
    for club, player, list_pk, rating, last_played in rows:
        members[club].add(player)
        if rating is not None:
            ratings[club, list_pk].append((rating, last_played))
    return members, ratings


def _compute_strength(rating_list: RatingList, rated: list[Rated], today: dt.date) -> Strength:
    since = rating_list.active_since(today)
    active = [rating for rating, last_played in rated if last_played is not None and last_played >= since]
    figures = (fmean(active), median(active), max(active)) if active else (None, None, None)
    return Strength(rating_list, len(rated), len(active), *figures)


def members_on(club: Club, rating_list: RatingList | None) -> QuerySet[Player]:
    """Return a club's current members, with `start` and their `rating`, `grade`, `games`, `last_played` on a list."""
    on_list = Q(standings__list=rating_list, standings__published=True, standings__rating__isnull=False)
    members = Player.objects.filter(memberships__in=current_memberships().filter(club=club))
    annotated: QuerySet[Any] = members.annotate(
        standing=FilteredRelation("standings", condition=on_list),
        start=F("memberships__start"),
        rating=F("standing__rating"),
        grade=F("standing__grade"),
        games=F("standing__games"),
        last_played=F("standing__last_played"),
    )
    return annotated


def members_by_rating(members: QuerySet[Player]) -> QuerySet[Player]:
    return members.order_by(F("rating").desc(nulls_last=True), *by_public_name())


def promotions_of_members(club: Club) -> QuerySet[Award]:
    """Return the promotions of a club's current members, on public lists."""
    # passed as values: with a subquery the database expects as many members as a club may have, and reads all awards
    members = list(current_memberships().filter(club=club).order_by().values_list("player", flat=True))
    return promotions().filter(player__in=members)


def events_with_members(club: Club) -> QuerySet[Event]:
    """Return the accepted events in which a current member of a club played."""
    played = _seats_of_members(club).values("table__event")
    return Event.objects.filter(pk__in=played, state=Event.State.ACCEPTED)


def _seats_of_members(club: Club) -> QuerySet[Entry]:
    """Return the seats of a club's current members in the tables that are not deleted."""
    members = list(current_memberships().filter(club=club).order_by().values_list("player", flat=True))
    return Entry.objects.filter(player__in=members, table__deleted_at=None)


def names_of_members(club: Club, events: Collection[Event]) -> dict[int, list[str]]:
    """Return the public names of a club's current members who played in events, by the event's primary key."""
    seats = _seats_of_members(club).filter(table__event__in=events).select_related("player", "table")
    names: dict[int, list[str]] = defaultdict(list)
    for seat in seats.order_by(*by_public_name("player__")):
        if seat.player.public_name not in names[seat.table.event_id]:
            names[seat.table.event_id].append(seat.player.public_name)
    return dict(names)


def events_of(club: Club) -> QuerySet[Event]:
    """Return the accepted events held by a club, newest first."""
    return club.events.filter(state=Event.State.ACCEPTED).order_by("-end", "-start", "name")
