"""Reading rating lists: the current one and those of past days."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, FilteredRelation, Func, OuterRef, Prefetch, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from ratings.models import (
    Award,
    Change,
    Club,
    DatedList,
    Membership,
    Player,
    RatedTable,
    RatingList,
    Run,
    Shown,
    Standing,
)  # fmt: skip
from ratings.systems import SYSTEMS

from .kept import kept
from .names import by_public_name
from .states import latest_changes, listed_on


def public_lists() -> QuerySet[RatingList]:
    """The lists that are open to the public, comparisons among them."""
    return RatingList.objects.exclude(public=False).exclude(comparison_to__public=False).select_related("comparison_to")


def navigation() -> tuple[list[RatingList], str | None]:
    """All public lists but comparisons, and which rows of the whole database this transaction sees.

    PostgreSQL tells that by the transactions that it sees: nothing has been written between two that see the same.
    None where it is not told: by another database, without a list, or where what this transaction wrote is missing.
    """
    lists = public_lists().filter(comparison_to=None)
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        return list(lists), None
    snapshot = Cast(Func(function="pg_current_snapshot"), TextField())
    found: list[Any] = list(lists.annotate(snapshot=snapshot))
    return found, found[0].snapshot if found else None


def list_as_of(rating_list: RatingList, day: dt.date) -> QuerySet[Change]:
    """The list at the end of a day: the last change of everybody published then, highest rating first.

    Ratings of a past day are as they are computed today, corrections included.
    """
    changes = listed_on(latest_changes(rating_list, Q(day__lte=day)), rating_list, day)
    return changes.select_related("player").order_by("-after", *by_public_name("player__"))


def published_standings(rating_list: RatingList, active_on: dt.date | None) -> QuerySet[Standing]:
    """The public lines of a list, of those active on a day (None: all), highest first; equals by name."""
    standings = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False)
    if active_on is not None:
        standings = standings.filter(last_played__gte=rating_list.active_since(active_on))
    return standings.select_related("player").order_by("-rating", *by_public_name("player__"))


def told_standings(standings: QuerySet[Standing]) -> list[Any]:
    """Those of players who stand on a list or left it by absence, these by the rating that they stood there with last.
    Whose rating is not to be published for another reason is not among them.
    """
    dropping = [key for key, system in SYSTEMS.items() if system.drops_absent]
    found = list(standings.filter(Q(published=True) | Q(list__system__in=dropping), rating__isnull=False))
    gone = [one for one in found if not one.published]
    last = _last_listed(gone) if gone else {}
    for one in gone:
        one.rating = last.get((one.list_id, one.player_id))
    return [one for one in found if one.rating is not None]


def _last_listed(gone: list[Any]) -> dict[tuple[int, int], float]:
    """The last ratings by which these stood on their lists, by list and player; of those who are withdrawn none."""
    changes = Change.objects.filter(list__in={one.list_id for one in gone}, player__in={one.player_id for one in gone})
    listed = changes.filter(published=True, hidden=False, after__isnull=False).order_by("day", "place")
    rows: Any = listed.values_list("list", "player", "after")
    return {(list_, player): after for list_, player, after in rows}


def with_clubs(standings: QuerySet[Standing]) -> QuerySet[Standing]:
    """The same with each player's present membership in `present`, a list of none or one."""
    present = Membership.objects.filter(end__isnull=True).select_related("club")
    return standings.prefetch_related(Prefetch("player__memberships", present, to_attr="present"))


@dataclass(frozen=True)
class Status:
    """Up to which day results are rated on a list, when it was rated last, and its newest dated list."""

    last_result: dt.date | None
    last_run: dt.datetime | None
    dated: DatedList | None


def status_of(rating_list: RatingList) -> Status:
    tables = RatedTable.objects.filter(list=OuterRef("pk")).order_by("-day").values("day")[:1]
    runs = Run.objects.filter(list=OuterRef("pk"), preview=False, state=Run.State.FINISHED).order_by("-ended_at")
    dated = DatedList.objects.filter(list=OuterRef("pk")).order_by("-day")
    lists = RatingList.objects.filter(pk=rating_list.pk).values_list(
        Subquery(tables), Subquery(runs.values("ended_at")[:1]), Subquery(dated.values("pk")[:1]),
        Subquery(dated.values("day")[:1]),
    )  # fmt: skip
    last_result, last_run, pk, day = lists[0]
    return Status(last_result, last_run, DatedList(pk=pk, list=rating_list, day=day) if pk else None)


def countries_of(rating_list: RatingList) -> list[str]:
    """The countries of the list's players, by code."""
    countries = Standing.objects.filter(list=rating_list, published=True).exclude(player__country="")
    return list(countries.order_by("player__country").values_list("player__country", flat=True).distinct())


def clubs_of(rating_list: RatingList) -> QuerySet[Club]:
    """The clubs of the list's players who are shown by name."""
    members = Membership.objects.filter(end__isnull=True, player__standings__list=rating_list)
    members = members.exclude(player__shown=Shown.ANONYMOUS)
    return Club.objects.filter(pk__in=members.values("club")).order_by("name")


def promotions(rating_list: RatingList | None = None) -> QuerySet[Award]:
    """What was announced: the last grade of each player and step, newest first; not what waits, and no demotions."""
    shown = Standing.objects.filter(list=OuterRef("list"), player=OuterRef("player"), published=True)
    awards = Award.objects.filter(Exists(shown), last_of_step=True, needs_approval=False).exclude(how="demotion")
    awards = awards.filter(list__public=True) if rating_list is None else awards.filter(list=rating_list)
    return awards.select_related("player", "table__event", "list").order_by("-day", "-place", "-pk")


def newest_promotions(lists: Iterable[RatingList], number: int) -> list[Award]:
    """Of all these lists: those of each are kept, as their awards are ordered by day within a list only."""
    several = [kept(one, f"newest:{number}", partial(_newest, one, number)) for one in lists]
    newest = sorted(chain.from_iterable(several), reverse=True)[:number]
    awards = promotions().in_bulk([pk for _, _, pk in newest])
    return [awards[pk] for _, _, pk in newest if pk in awards]


def _newest(rating_list: RatingList, number: int) -> list[tuple[dt.date, int, int]]:
    return list(promotions(rating_list).values_list("day", "place", "pk")[:number])


def holders(rating_list: RatingList) -> dict[str, int]:
    """How many of the players whom the list shows hold each grade."""
    held = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False).exclude(grade="")
    return dict(held.order_by().values_list("grade").annotate(Count("pk")))


def holders_of(rating_list: RatingList, grades: Collection[str]) -> QuerySet[Standing]:
    """Who holds one of some grades, the highest first."""
    held = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False, grade__in=grades)
    return held.select_related("player").order_by("-grade_index", "-rating", *by_public_name("player__"))


def promotions_by_year(rating_list: RatingList) -> dict[int, dict[str, int]]:
    """How often each grade was won in a year, the last year first."""
    by_year: dict[int, dict[str, int]] = defaultdict(dict)
    counted = promotions(rating_list).order_by("-day__year").values_list("day__year", "grade").annotate(Count("pk"))
    for year, grade, number in counted:
        by_year[year][grade] = number
    return dict(by_year)


LACKING = {
    "birth_date": Q(birth_date__isnull=True, birth_year__isnull=True),
    "start_year": Q(known__isnull=True) | Q(known__start_year__isnull=True),
    "prior_grade": Q(known__isnull=True) | Q(known__prior_grade=""),
}


def lacking(rating_list: RatingList) -> dict[str, list[Player]]:
    """What the list's system assumes for want of knowledge, and of which of its players."""
    source = rating_list.source
    known = FilteredRelation("on_lists", condition=Q(on_lists__list=source))
    seated = Player.objects.filter(entries__table__event__lists=source, entries__table__event__state="accepted")
    players = Player.objects.filter(pk__in=seated.values("pk")).annotate(known=known).order_by(*by_public_name())
    rated = Standing.objects.filter(list=rating_list, rating__isnull=False).values("player")
    found: dict[str, list[Player]] = {}
    for detail, assumption in rating_list.rating_system.assumes.items():
        several = players.filter(LACKING[detail])
        found[assumption] = [*(several.exclude(pk__in=rated) if detail == "prior_grade" else several)]
    return {assumption: several for assumption, several in found.items() if several}
