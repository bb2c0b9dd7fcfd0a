"""Queries for countries: their players on a list, their clubs and events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from ratings.models import Award, Club, Event, ListStatistics, RatingList, Standing
from ratings.queries.lists.lists import promotions, published_standings
from ratings.queries.lists.ranks import ranks_of


@dataclass(frozen=True)
class Country:
    """A country on a list: its players, clubs and events.

    `players`, `active`, `best` and `top` come from the list's statistics; they are 0 or None if the country has no
    player there. `top` is the mean rating of the `best` highest rated active players.
    """

    code: str
    players: int
    active: int
    best: int
    top: float | None
    clubs: int
    events: int


def countries_on(figures: dict[str, Any] | None) -> list[Country]:
    """Return all countries with players in the statistics of a list, with clubs, or with events, in two queries."""
    lines = {line["country"]: line for line in (figures or {}).get("countries", [])}
    clubs = _count_by_country(Club.objects.all())
    events = _count_by_country(Event.objects.filter(state=Event.State.ACCEPTED))
    codes = dict.fromkeys([*lines, *sorted(clubs), *sorted(events)])
    return [
        Country(
            code,
            line.get("players", 0),
            line.get("active", 0),
            line.get("best", 0),
            line.get("top"),
            clubs.get(code, 0),
            events.get(code, 0),
        )
        for code in codes
        for line in [lines.get(code, {})]
    ]


def _count_by_country(rows: QuerySet[Any]) -> dict[str, int]:
    counts = rows.exclude(country="").order_by().values_list("country").annotate(Count("pk"))
    return {str(code): number for code, number in counts}


def best_of(code: str, rating_list: RatingList, today: dt.date, number: int) -> list[Standing]:
    """Return a country's highest rated active players on a list, with `rank` among all active players of the list."""
    standings = published_standings(rating_list, today).prefetch_related(None).filter(player__country=code)
    return ranks_of(rating_list, today).rank_all(standings[:number])


def statistics_of_lists(lists: Iterable[RatingList]) -> list[tuple[RatingList, dict[str, Any] | None]]:
    """Return lists with their saved statistics, None where there are none yet, in two queries."""
    listed = list(lists)
    figures = dict(ListStatistics.objects.filter(list__in=listed).values_list("list", "figures"))
    return [(rating_list, figures.get(rating_list.pk)) for rating_list in listed]


def promotions_in(code: str, rating_list: RatingList) -> QuerySet[Award]:
    """Return the promotions of a country's players on a list, newest first."""
    return promotions(rating_list).filter(player__country=code)
