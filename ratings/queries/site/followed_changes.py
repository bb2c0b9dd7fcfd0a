"""Subjects of the mails about followed pages, read as the public may see it now, with a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q

from ratings.models import Event, FollowedChange, Game, NameVisibility, Player, RatingList, Run, Table
from ratings.queries.events.events import events_with_page
from ratings.queries.lists.lists import public_lists

Score = tuple[float, int]
"""Points, and the number of games in which they were scored."""


@dataclass(frozen=True)
class Subjects:
    """Subjects of changes by public id (lists by slug); what the public may not see is missing.

    `tables` are the events of tables, by primary key. `scores` are by table and player. `grades` are the grades of
    players before and after a run, by run and player.
    """

    lists: Mapping[str, RatingList]
    players: Mapping[str, Player]
    events: Mapping[str, Event]
    tables: Mapping[int, Event]
    scores: Mapping[tuple[int, str], Score]
    grades: Mapping[tuple[int, str], tuple[str, str]]


def read_subjects(changes: Iterable[FollowedChange], user: Any) -> Subjects:
    """Return the subjects of changes for the mail to a user. Anonymous players are missing, except their own."""
    rows = [change.data for change in changes]
    players = {row["player"] for row in rows if "player" in row}
    players |= {player for row in rows for player in row.get("members", ())}
    tables = {table for row in rows if "player" in row for table in row.get("tables", ())}
    visible = Player.objects.exclude(~Q(account=user.pk), shown=NameVisibility.ANONYMOUS)
    events = events_with_page().filter(public_id__in=_values(rows, "event"))
    return Subjects(
        public_lists().in_bulk(_values(rows, "list"), field_name="slug"),
        visible.in_bulk(players, field_name="public_id"),
        {event.public_id: event for event in events},
        _read_events(tables),
        read_scores(tables, players),
        _read_grades(_values(rows, "run")),
    )


def _values(rows: Sequence[Mapping[str, Any]], name: str) -> set[Any]:
    return {row[name] for row in rows if name in row}


def _read_events(tables: Collection[int]) -> dict[int, Event]:
    """Return the accepted events of tables, by the table's primary key."""
    accepted = Table.objects.filter(pk__in=tables, event__state=Event.State.ACCEPTED)
    return {table.pk: table.event for table in accepted.select_related("event")}


def read_scores(tables: Collection[int], players: Collection[str]) -> dict[tuple[int, str], Score]:
    """Return the points of players (public ids) over the board, by table and player, with two queries."""
    scores: dict[tuple[int, str], Score] = defaultdict(lambda: (0.0, 0))
    played = Game.objects.filter(table__in=tables, played=True).order_by()
    for side, score in (("a", F("score")), ("b", 1.0 - F("score"))):
        own = played.filter(**{f"{side}__player__public_id__in": players}).annotate(own=score)
        for table, player, points in own.values_list("table", f"{side}__player__public_id", "own"):
            scored, games = scores[table, player]
            scores[table, player] = scored + points, games + 1
    return dict(scores)


def _read_grades(runs: Collection[int]) -> dict[tuple[int, str], tuple[str, str]]:
    stored = Run.objects.filter(pk__in=runs).values_list("pk", "grades")
    return {(pk, player): (old or "", new or "") for pk, grades in stored for player, old, new in grades}
