"""Players' states as stored by rating runs: current, at the end of a day, or before a table."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import JSONField, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from ratings.batches import in_batches
from ratings.models import Change, Player, RatedTable, RatingList
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.replay import opening_state
from ratings.systems.state_json import state_from_json

from .values import MAX_PLAYERS_BY_ID


def latest_changes(
    rating_list: RatingList, among: Q | None = None, players: Collection[int] | None = None
) -> QuerySet[Change]:
    """Return the last change of every player, or of these players, among the changes that satisfy `among`.

    With more than MAX_PLAYERS_BY_ID `players` the last changes of all players are returned.
    """
    of_player = rating_list.changes.filter(among or Q(), player=OuterRef("pk")).order_by("-day", "-place")
    rows = Player.objects.all()
    if players is not None and len(players) <= MAX_PLAYERS_BY_ID:
        rows = rows.filter(pk__in=players)
    return Change.objects.filter(pk__in=rows.values(last=Subquery(of_player.values("pk")[:1])))


def select_before(day: dt.date, place: int) -> Q:
    """Return a filter of the changes before a position in the order of a list's steps."""
    earlier = Q(day__lt=day)
    return (earlier | Q(day=day, place__lt=place)) if place else earlier


def read_states_before(
    rating_list: RatingList, days: Collection[tuple[int, dt.date]]
) -> dict[tuple[int, dt.date], str]:
    """Return the stored state of players, by primary key, at the start of a day each, where one is stored.

    One query reads the days of the changes, and one the states for each 500 of them.
    """
    if not days:
        return {}
    players = {player for player, _day in days}
    changes = rating_list.changes.filter(day__lt=max(day for _player, day in days))
    if len(players) <= MAX_PLAYERS_BY_ID:
        changes = changes.filter(player__in=players)
    by_player: dict[int, list[tuple[dt.date, int]]] = {}
    for player, day, pk in changes.order_by("day", "place").values_list("player", "day", "pk").iterator():
        by_player.setdefault(player, []).append((day, pk))
    latest = {}
    for player, day in days:
        known = by_player.get(player, [])
        if index := bisect_left(known, day, key=lambda change: change[0]):
            latest[player, day] = known[index - 1][1]
    states = {
        pk: state
        for batch in in_batches(sorted(set(latest.values())))
        for pk, state in Change.objects.filter(pk__in=batch).values_list("pk", "state")
    }
    return {key: states[pk] for key, pk in latest.items()}


LAST_PLAYED = Cast(KeyTextTransform("last_played", Cast("state", JSONField())), TextField())
"""Day of a player's last game in the stored state, for systems that drop long absent players."""


def listed_on(changes: QuerySet[Change], rating_list: RatingList, day: dt.date) -> QuerySet[Change]:
    """Return the changes of the players who were on the list at the end of a day.

    `changes` are players' last changes until that day. A player is on the list if they are published then and not
    absent for too long.
    """
    listed = changes.filter(published=True, hidden=False, after__isnull=False)
    absent = rating_list.rating_system.rating.absence_cutoff(day)
    if absent is None:
        return listed
    listed = listed.alias(last_played=LAST_PLAYED)
    return listed.filter(Q(last_played__isnull=True) | Q(last_played__gt=f"{absent}"))


def is_absent(last_played: str | None, absent: dt.date | None) -> bool:
    """Return True if a player who played last on `last_played` is absent for too long.

    `absent` is the result of the system's `absence_cutoff`; None if absence does not count.
    """
    return absent is not None and last_played is not None and last_played <= f"{absent}"


def is_listed(player: Player, rating_list: RatingList, day: dt.date) -> bool:
    """Return True if a player was on a list at the end of a day."""
    return listed_on(latest_changes(rating_list, Q(day__lte=day), [player.pk]), rating_list, day).exists()


def state_at(player: Player, rating_list: RatingList, on: dt.date | None = None) -> Any:
    """Return a player's state after their last step on a list, or at the end of a day; None if it is not known."""
    changes = rating_list.changes.filter(player=player).order_by("-day", "-place")
    if on is not None:
        changes = changes.filter(day__lte=on)
    return known_state(rating_list, changes.values_list("state", flat=True).first())


def known_state(rating_list: RatingList, stored: str | None) -> Any:
    """Return a stored state; None if it is missing or the list's system cannot read it.

    The latter happens while a list waits to be rated by another system.
    """
    try:
        return None if stored is None else state_from_json(rating_list.rating_system, stored)
    except ValueError:
        return None


def incoming_states(rated: RatedTable, system: System[Any], players: Mapping[str, values.Player]) -> dict[str, Any]:
    """Return the states of a rated table's players before it, by the ids of the table's value."""
    player_ids = rated.table.entries.values_list("player", flat=True)
    changes = latest_changes(rated.list, select_before(rated.day, rated.place), list(player_ids))
    stored = dict(changes.values_list("player__public_id", "state"))
    return {
        id: state_from_json(system, stored[id]) if id in stored else opening_state(system, player)
        for id, player in players.items()
    }
