"""Reading clubs, who is in them, and how strong they are. Who is not shown by name is in no club."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from ratings.matching import fold
from ratings.models import Award, Club, Event, Membership, Player, RatingList, Shown

from .lists import promotions
from .names import by_public_name, place_of_country


def clubs_of_country(country: str = "", name: str = "", order: Sequence[str] = ()) -> QuerySet[Club]:
    """Clubs by name: all, in the order of these countries; those of a country; those in whose name or city all these
    words occur.
    """
    clubs = Club.objects.order_by("name")
    if order:
        clubs = clubs.order_by(place_of_country(order), "name")
    if country:
        clubs = clubs.filter(country=country)
    for word in fold(name).split():
        clubs = clubs.filter(search_name__contains=word)
    return clubs


def countries_with_clubs() -> list[str]:
    return list(Club.objects.exclude(country="").order_by("country").values_list("country", flat=True).distinct())


def present_members() -> QuerySet[Membership]:
    """Everybody's present membership."""
    return Membership.objects.filter(end__isnull=True).exclude(player__shown=Shown.ANONYMOUS)


@dataclass(frozen=True)
class Strength:
    """Of a club on a list: its rated members, the active ones, and the mean and median of these and their best."""

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
    """Some clubs, such as those of a page, with their members and their strength on each list: one query."""
    members, ratings = _ratings_of_members(clubs)
    return [
        ClubLine(
            club,
            len(members[club.pk]),
            [_strength(one, ratings[club.pk, one.pk], today) for one in lists if (club.pk, one.pk) in ratings],
        )
        for club in clubs
    ]


Rated = tuple[float, dt.date | None]
"""A rating, and when its player last played."""


def _ratings_of_members(clubs: Collection[Club]) -> tuple[dict[int, set[int]], dict[tuple[int, int], list[Rated]]]:
    """The members of each club, and the ratings that these have by club and list."""
    shown = Q(player__standings__published=True, player__standings__rating__isnull=False)
    present = present_members().filter(club__in=clubs).order_by()
    rows = present.annotate(standing=FilteredRelation("player__standings", condition=shown)).values_list(
        "club", "player", "standing__list", "standing__rating", "standing__last_played"
    )
    members: dict[int, set[int]] = defaultdict(set)
    ratings: dict[tuple[int, int], list[Rated]] = defaultdict(list)
    for club, player, on, rating, last in rows:
        members[club].add(player)
        if rating is not None:
            ratings[club, on].append((rating, last))
    return members, ratings


def _strength(rating_list: RatingList, rated: list[Rated], today: dt.date) -> Strength:
    since = rating_list.active_since(today)
    active = [rating for rating, last in rated if last is not None and last >= since]
    told = (fmean(active), median(active), max(active)) if active else (None, None, None)
    return Strength(rating_list, len(rated), len(active), *told)


def members_on(club: Club, rating_list: RatingList | None) -> QuerySet[Player]:
    """Its present members with `start`, and with their `rating`, `grade`, `games` and `last_played` on a list."""
    on_list = Q(standings__list=rating_list, standings__published=True, standings__rating__isnull=False)
    members = Player.objects.filter(memberships__in=present_members().filter(club=club))
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
    """What its present members won, on public lists."""
    # named one by one: the database would read all awards for as many as a club may have
    members = list(present_members().filter(club=club).order_by().values_list("player", flat=True))
    return promotions().filter(player__in=members)


def events_of(club: Club) -> QuerySet[Event]:
    """The accepted events that it held, newest first."""
    return club.events.filter(state=Event.State.ACCEPTED).order_by("-end", "-start", "name")
