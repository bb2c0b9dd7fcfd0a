"""Points that rules add to ratings besides the games, such as a bonus: sums of each year, kept until it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Max, Sum
from django.db.models.functions import ExtractYear

from ratings.models import RatedTable, RatingList
from ratings.queries.events.explanations import rate_again
from ratings.systems.values import PartKind, Row

TABLES_AT_ONCE = 2000
"""Tables that are rated again at one time, and the rest of their year: some twenty seconds."""
RulePoints = Mapping[str, Any]
"""Sums by year, as JSON: `key`, which changes with the year's changes, and `points` by kind and kind of player."""


def sum_rule_points(rating_list: RatingList, known: RulePoints) -> dict[str, Any]:
    """Return the points of each year that came from bonuses, the lowest rating and other rules, in rating points.

    Tables of years that have changed since `known` was returned are rated again, the latest years first; of other years
    its figures are kept. Years that would take too long now are left out until the next time.
    `points` has the keys “bonus”, “floor” and “rule”, each with the sum of established and of new players.
    """
    found: dict[str, Any] = {}
    rated_again = 0
    for year, (key, tables) in sorted(_make_keys(rating_list).items(), reverse=True):
        if known.get(year, {}).get("key") == key:
            found[year] = known[year]
        elif rated_again < TABLES_AT_ONCE:
            found[year] = {"key": key, "points": _sum_year(rating_list, year)}
            rated_again += tables
    return found


def _make_keys(rating_list: RatingList) -> dict[str, tuple[str, int]]:
    """Return a key for each year with changes by tables, and its number of tables.

    A run replaces rows, which changes their primary keys and with them the key of the year.
    """
    of_tables = rating_list.changes.filter(table__isnull=False).order_by()
    years = of_tables.annotate(year=ExtractYear("day")).values("year")
    system = rating_list.system + ("" if rating_list.rating_system.rating.marks_provisional else ", by games")
    counted = years.annotate(
        rows=Count("pk"), last=Max("pk"), total=Sum("pk"), tables=Count("table", distinct=True)
    ).values_list("year", "tables", "rows", "last", "total")
    return {str(year): (f"{system} {rows} {last} {total}", tables) for year, tables, rows, last, total in counted}


def _sum_year(rating_list: RatingList, year: str) -> dict[str, list[float]]:
    tables = rating_list.rated_tables.filter(day__year=int(year)).select_related("list__comparison_to", "table__event")
    played = Counter[str]()
    if not rating_list.rating_system.rating.marks_provisional:
        earlier = rating_list.changes.filter(day__year__lt=int(year)).order_by().values("player__public_id")
        played.update(dict(earlier.annotate(sum=Sum("games")).values_list("player__public_id", "sum")))
    sums: dict[str, list[float]] = {kind.value: [0.0, 0.0] for kind in PartKind if kind != PartKind.GAME}
    for rated in tables.order_by("day", "place").iterator(chunk_size=100):
        for kind, is_new, points in _list_parts(rated, played):
            sums[kind][is_new] += points
    return sums


def _list_parts(rated: RatedTable, played: Counter[str]) -> Iterable[tuple[str, bool, float]]:
    """Yield the kind of each part without a game of a table's changes, whether the player is new, and its points.

    `played` are the numbers of rated games before the table, to which its games are added.
    """
    system = rated.list.rating_system_on(rated.day)
    result, _names = rate_again(rated)
    for row in result.rows:
        is_new = system.rating.is_newcomer(row.category, played[row.player])
        played[row.player] += row.games
        if not _is_sum(row):
            continue
        for part in system.presentation.explained(row).parts:
            if part.kind != PartKind.GAME and part.term is None:
                yield part.kind, is_new, part.points


def _is_sum(row: Row) -> bool:
    """Return True if a row changes a rating that existed before by the games of the table."""
    return bool(row.terms) and row.before is not None and row.after is not None
