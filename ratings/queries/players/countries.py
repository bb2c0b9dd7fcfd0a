"""Reading countries: their players on a list, their clubs and events."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from ratings.models import Award, Club, Event, ListStatistics, RatingList, Standing

from .lists import promotions, published_standings
from .ranks import ranks_of


@dataclass(frozen=True)
class Country:
    """A country on a list: `figures` as its statistics have them, empty where it has no player there."""

    code: str
    players: int
    active: int
    best: int
    top: float | None
    clubs: int
    events: int


def countries_on(figures: dict[str, Any] | None) -> list[Country]:
    """All countries with players on the list of these figures, with clubs, or with events: two queries."""
    lines = {line["country"]: line for line in (figures or {}).get("countries", [])}
    clubs, events = _by_country(Club.objects.all()), _by_country(Event.objects.filter(state=Event.State.ACCEPTED))
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


def _by_country(rows: QuerySet[Any]) -> dict[str, int]:
    counted = rows.exclude(country="").order_by().values_list("country").annotate(Count("pk"))
    return {str(code): number for code, number in counted}


def best_of(code: str, rating_list: RatingList, today: dt.date, number: int) -> list[Standing]:
    """A country's first active players on a list, each with his `rank` among all."""
    standings = published_standings(rating_list, today).prefetch_related(None).filter(player__country=code)
    return ranks_of(rating_list, today).rank_all(standings[:number])


def statistics_of_lists(lists: QuerySet[RatingList]) -> list[tuple[RatingList, dict[str, Any] | None]]:
    """Lists with their kept figures, None where none were made yet: two queries."""
    made = dict(ListStatistics.objects.filter(list__in=lists).values_list("list", "figures"))
    return [(one, made.get(one.pk)) for one in lists]


def promotions_in(code: str, rating_list: RatingList) -> QuerySet[Award]:
    """What players of a country won on a list, newest first."""
    return promotions(rating_list).filter(player__country=code)
