"""In which tables a player sits, with what tells two namesakes apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from ratings.formats.entered import content_of
from ratings.models import Event, Game, Membership, Player, Sheet, Table


@dataclass(frozen=True)
class SeatOf:
    """A table of a player: how he was written in what was given, his club by then, and his points over the board."""

    table: Table
    written: str
    club: str
    points: float
    games: int


def seats_of(player: Player, event: Event | None = None) -> list[SeatOf]:
    """All tables of a player, or those of one event, newest first: five queries."""
    tables = Table.objects.filter(entries__player=player)
    if event is not None:
        tables = tables.filter(event=event)
    shown = list(tables.select_related("event").order_by("-last_day", "-first_day", "-pk"))
    memberships = list(player.memberships.select_related("club"))
    written, results = _written(player, shown), _results(player, shown)
    return [
        SeatOf(
            table,
            written.get(table.pk, ""),
            ", ".join(member.club.name for member in memberships if _in_time(member, table)),
            sum(results[table.pk]),
            len(results[table.pk]),
        )
        for table in shown
    ]


def _in_time(member: Membership, table: Table) -> bool:
    begun = member.start is None or member.start <= table.last_day
    return begun and (member.end is None or member.end >= table.last_day)


def _written(player: Player, tables: Iterable[Table]) -> dict[int, str]:
    """Name and country as the oldest version of each table has them; nothing for tables without versions."""
    ids = {player.public_id, *player.merged.values_list("public_id", flat=True)}
    versions = Sheet.objects.filter(table__in=tables, state=Sheet.State.ACCEPTED).order_by("-pk")
    written = {}
    for table, content in versions.values_list("table", "content"):
        for row in content_of(content).rows:
            if row.player in ids:
                written[table] = f"{row.name} {row.country}".strip()
    return written


def _results(player: Player, tables: Iterable[Table]) -> dict[int, list[float]]:
    games = Game.objects.filter(Q(a__player=player) | Q(b__player=player), table__in=tables, played=True)
    results: dict[int, list[float]] = defaultdict(list)
    for table, first, score in games.values_list("table", "a__player", "score"):
        results[table].append(score if first == player.pk else 1 - score)
    return results


def seated_in(event: Event) -> list[Player]:
    """Everybody who sits in a table of an event, by name."""
    return list(Player.objects.filter(entries__table__event=event).distinct())
