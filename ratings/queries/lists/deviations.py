"""Deviations of players' ratings and categories on a day, computed from stored states.

Deviations are those of the list's own system, or of its comparison list.

No deviation is stored with a standing, because long absence makes it larger from day to day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery, TextField, Value

from ratings.models import Change, Player, RatingList
from ratings.queries.runs.states import known_state
from ratings.systems.values import Player as PlayerValue

ANYBODY = PlayerValue("")
"""Player without data: no system's deviation depends on more than the state and the day."""

ReadDeviation = Callable[[str | None, dt.date], float | None]


def deviation_reader(source: RatingList) -> ReadDeviation:
    """Return the function that computes the deviation, in rating points, of a state stored on a list on a day.

    It returns None for a missing state, and for one that the list's system cannot read or has no deviation for.
    """
    dated = source.dated_system

    def read(stored: str | None, day: dt.date) -> float | None:
        state = known_state(source, stored)
        return None if state is None else dated.on(day).rating.standing(state, ANYBODY, on=day).deviation

    return read


def category_reader(rating_list: RatingList) -> Callable[[str | None, str, dt.date], str]:
    """Return the function that computes the category of a stored state on a day.

    It returns the category that is stored with the state where the list's system does not let it depend on the day.
    """
    dated = rating_list.dated_system

    def read(stored: str | None, category: str, day: dt.date) -> str:
        rating = dated.on(day).rating
        state = known_state(rating_list, stored) if rating.category_depends_on_day else None
        return category if state is None else rating.standing(state, ANYBODY, on=day).category

    return read


def with_deviation_states(
    rows: QuerySet[Any], rating_list: RatingList, *, until: dt.date | None = None, player: str = "player"
) -> QuerySet[Any]:
    """Return rows with `deviation_state`: the player's last state on the list that gives the deviations.

    It is empty on lists without deviations. `until` is the last day of the states, None for the latest ones.
    """
    source = rating_list.deviation_source
    if source is None:
        with_empty_states: QuerySet[Any] = rows.annotate(deviation_state=Value("", TextField()))
        return with_empty_states
    changes = Change.objects.filter(list=source, player=OuterRef(player), hidden=False)
    if until is not None:
        changes = changes.filter(day__lte=until)
    last = Subquery(changes.order_by("-day", "-place").values("state")[:1])
    annotated: QuerySet[Any] = rows.annotate(deviation_state=last)
    return annotated


def set_deviations(rows: list[Any], rating_list: RatingList, day: dt.date) -> list[Any]:
    """Set `deviation` on each row of `with_deviation_states`, on a day, and return the rows."""
    source = rating_list.deviation_source
    read = deviation_reader(source) if source else None
    for row in rows:
        row.deviation = read(row.deviation_state, day) if read else None
    return rows


def deviations_before(players: Iterable[int], rating_list: RatingList, day: dt.date) -> dict[int, float]:
    """Return the deviations of players, by primary key, by the list's own system at the start of a day, in one query.

    Players without one are omitted; in systems without deviations all are.
    """
    if not rating_list.rating_system.rating.has_deviations:
        return {}
    read, before = deviation_reader(rating_list), day - dt.timedelta(days=1)
    rows = with_deviation_states(
        Player.objects.filter(pk__in=list(players)), rating_list, until=before, player="pk"
    ).order_by()
    found = {pk: read(state, before) for pk, state in rows.values_list("pk", "deviation_state")}
    return {pk: deviation for pk, deviation in found.items() if deviation is not None}


def deviation_of(player: Player, rating_list: RatingList, day: dt.date, *, is_present: bool = False) -> float | None:
    """Return the deviation of a player's rating at the end of a day; None on lists without deviations.

    With `is_present`, it is that of the present rating, which may be one of a closing day after the day.
    """
    source = rating_list.deviation_source
    if source is None:
        return None
    changes = Change.objects.filter(list=source, player=player, hidden=False)
    if not is_present:
        changes = changes.filter(day__lte=day)
    stored = changes.order_by("-day", "-place").values_list("state", flat=True).first()
    return deviation_reader(source)(stored, day)
