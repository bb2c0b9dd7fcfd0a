"""Queries for rating lists: the current list, past days, promotions and holders of grades."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Prefetch, Q, QuerySet, Subquery
from pydantic import TypeAdapter

from ratings.models import (
    Award,
    Change,
    Club,
    DatedList,
    Event,
    Membership,
    NameVisibility,
    Player,
    RatedTable,
    RatingList,
    Run,
    Standing,
)
from ratings.queries.players.names import by_public_name
from ratings.queries.runs.states import latest_changes, listed_on
from ratings.systems import SYSTEMS
from ratings.systems.values import AwardHow

from .activity import active_standings
from .list_cache import cached

NEWEST = TypeAdapter(list[tuple[dt.date, int, int]])
BY_YEAR = TypeAdapter(dict[int, dict[str, int]])


def public_lists() -> QuerySet[RatingList]:
    """Return the lists that are open to the public, including comparison lists."""
    lists = RatingList.objects.exclude(public=False).exclude(comparison_to__public=False)
    return lists.select_related("comparison_to", "federation")


def is_first_list(rating_list: RatingList) -> bool:
    """Return True for the first public list, which pages of its players show if their address names none."""
    return not public_lists().filter(pk__lt=rating_list.pk).exists()


def list_as_of(rating_list: RatingList, day: dt.date) -> QuerySet[Change]:
    """Return the list at the end of a day: the last change of each player published then, highest rating first.

    Ratings of a past day are as they are computed today, corrections included.
    """
    changes = listed_on(latest_changes(rating_list, Q(day__lte=day)), rating_list, day)
    return changes.select_related("player").order_by("-after", *by_public_name("player__"))


def published_standings(rating_list: RatingList, active_on: dt.date | None) -> QuerySet[Standing]:
    """Return the published standings of players active on a day (None: all), highest rating first, then by name."""
    standings = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False)
    if active_on is not None:
        standings = standings.filter(active_standings(rating_list, active_on))
    return standings.select_related("player").order_by("-rating", *by_public_name("player__"))


def standings_with_last_rating(standings: QuerySet[Standing]) -> list[Any]:
    """Return the standings of players who are on a list, or were removed from it for absence.

    Absent players have the last rating that they had on the list. Players whose rating is not published for another
    reason are left out.
    """
    dropping = [key for key, system in SYSTEMS.items() if system.rating_class.hides_absent_players]
    rated = list(standings.filter(Q(published=True) | Q(list__system__in=dropping), rating__isnull=False))
    absent = [standing for standing in rated if not standing.published]
    last = _read_last_listed(absent) if absent else {}
    for standing in absent:
        standing.rating = last.get((standing.list_id, standing.player_id))
    return [standing for standing in rated if standing.rating is not None]


def _read_last_listed(absent: list[Any]) -> dict[tuple[int, int], float]:
    """Return the last listed ratings of these standings, by list and player; withdrawn players have none."""
    lists, players = {standing.list_id for standing in absent}, {standing.player_id for standing in absent}
    changes = Change.objects.filter(list__in=lists, player__in=players)
    listed = changes.filter(published=True, hidden=False, after__isnull=False).order_by("day", "place")
    rows: Any = listed.values_list("list", "player", "after")
    return {(list_, player): after for list_, player, after in rows}


def with_clubs(standings: QuerySet[Standing]) -> QuerySet[Standing]:
    """Return standings with each player's current membership in `present`, a list of at most one."""
    present = Membership.objects.filter(end__isnull=True).select_related("club")
    return standings.prefetch_related(Prefetch("player__memberships", present, to_attr="present"))


@dataclass(frozen=True)
class Status:
    """The day until which results are rated on a list, the end of its last run, and its newest dated list."""

    last_result: dt.date | None
    last_run: dt.datetime | None
    dated: DatedList | None


def status_of(rating_list: RatingList) -> Status:
    tables = RatedTable.objects.filter(list=OuterRef("pk")).order_by("-day").values("day")[:1]
    runs = Run.objects.finished().filter(list=OuterRef("pk")).latest_first()
    dated = DatedList.objects.filter(list=OuterRef("pk")).order_by("-day")
    lists = RatingList.objects.filter(pk=rating_list.pk).values_list(
        Subquery(tables),
        Subquery(runs.values("ended_at")[:1]),
        Subquery(dated.values("pk")[:1]),
        Subquery(dated.values("day")[:1]),
        Subquery(dated.values("published_at")[:1]),
    )
    last_result, last_run, pk, day, published_at = lists[0]
    newest = DatedList(pk=pk, list=rating_list, day=day, published_at=published_at) if pk else None
    return Status(last_result, last_run, newest)


def clubs_of(rating_list: RatingList) -> QuerySet[Club]:
    """Return the clubs of the list's players, ordered by name; memberships of anonymous players do not count."""
    members = Membership.objects.filter(end__isnull=True, player__standings__list=rating_list)
    members = members.exclude(player__shown=NameVisibility.ANONYMOUS)
    return Club.objects.filter(pk__in=members.values("club")).order_by("name")


def promotions(rating_list: RatingList | None = None) -> QuerySet[Award]:
    """Return the promotions of published players on a list (None: all public lists), newest first.

    Only the last grade of each player and step counts. Grades that wait for approval and demotions are left out.
    """
    published = Standing.objects.filter(list=OuterRef("list"), player=OuterRef("player"), published=True)
    awards = Award.objects.filter(Exists(published), last_of_step=True, needs_approval=False).exclude(
        how=AwardHow.DEMOTION
    )
    awards = awards.filter(list__public=True) if rating_list is None else awards.filter(list=rating_list)
    return awards.select_related("player", "table__event", "list").order_by("-day", "-place", "-pk")


def set_promotion_counts(events: Collection[Event]) -> None:
    """Set `promotions`, the number of promotions on lists that are no comparisons, on each of these events.

    Awards have an index by list and day, so their day is compared with that of the table: after a corrected day, the
    promotions of a table are counted again once the list is rated.
    """
    awards = promotions().filter(table__event__in=[event.pk for event in events], list__comparison_to=None)
    awards = awards.filter(day=F("table__last_day"))
    numbers = dict(awards.order_by().values_list("table__event").annotate(Count("pk")))
    for event in events:
        event.promotions = numbers.get(event.pk, 0)  # type: ignore[attr-defined] # templates read it


def newest_promotions(lists: Iterable[RatingList], number: int) -> list[Award]:
    """Return the newest promotions over all these lists.

    The newest of each list are cached, because awards have an index by day within a list only.
    """
    by_list = [
        cached(rating_list, f"newest:{number}", partial(_read_newest, rating_list, number), NEWEST)
        for rating_list in lists
    ]
    newest = sorted(chain.from_iterable(by_list), reverse=True)[:number]
    awards = promotions().in_bulk([pk for _, _, pk in newest])
    return [awards[pk] for _, _, pk in newest if pk in awards]


def _read_newest(rating_list: RatingList, number: int) -> list[tuple[dt.date, int, int]]:
    return list(promotions(rating_list).values_list("day", "place", "pk")[:number])


def holders(rating_list: RatingList) -> dict[str, int]:
    """Return the number of published players of a list who hold each grade."""
    held = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False).exclude(grade="")
    return dict(held.order_by().values_list("grade").annotate(Count("pk")))


def holders_of(rating_list: RatingList, grades: Collection[str]) -> QuerySet[Standing]:
    """Return the standings of players who hold one of these grades, highest grade first."""
    held = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False, grade__in=grades)
    return held.select_related("player").order_by("-grade_index", "-rating", *by_public_name("player__"))


def promotions_by_year(rating_list: RatingList) -> dict[int, dict[str, int]]:
    """Return the number of promotions to each grade by year, latest year first; cached until the list changes."""
    return cached(rating_list, "promotions by year", partial(_count_promotions, rating_list), BY_YEAR)


def _count_promotions(rating_list: RatingList) -> dict[int, dict[str, int]]:
    by_year: dict[int, dict[str, int]] = defaultdict(dict)
    counts = promotions(rating_list).order_by("-day__year").values_list("day__year", "grade").annotate(Count("pk"))
    for year, grade, number in counts:
        by_year[year][grade] = number
    return dict(by_year)


MISSING_DETAILS = {
    "birth_date": Q(birth_date__isnull=True, birth_year__isnull=True),
    "start_year": Q(known__isnull=True) | Q(known__start_year__isnull=True),
    "prior_grade": Q(known__isnull=True) | Q(known__prior_grade=""),
}


def players_with_missing_details(rating_list: RatingList) -> dict[str, list[Player]]:
    """Return the players with missing details, by the assumption that the list's system makes about them."""
    source = rating_list.source
    details = FilteredRelation("on_lists", condition=Q(on_lists__list=source))
    seated = Player.objects.filter(entries__table__event__lists=source, entries__table__event__state="accepted")
    players = Player.objects.filter(pk__in=seated.values("pk")).annotate(known=details).order_by(*by_public_name())
    rated = Standing.objects.filter(list=rating_list, rating__isnull=False).values("player")
    by_assumption: dict[str, list[Player]] = {}
    for detail, assumption in rating_list.rating_system.presentation.assumptions.items():
        incomplete = players.filter(MISSING_DETAILS[detail])
        by_assumption[assumption] = [*(incomplete.exclude(pk__in=rated) if detail == "prior_grade" else incomplete)]
    return {assumption: affected for assumption, affected in by_assumption.items() if affected}
