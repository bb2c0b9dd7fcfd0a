"""Tables in which a player has an entry, with details that distinguish namesakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from ratings.formats.sheet_content import content_from_json
from ratings.localize import join_parts
from ratings.models import Event, Game, Membership, Player, Submission, Table


@dataclass(frozen=True)
class PlayerTable:
    """A table of a player, with the name as written in the results, the clubs at the time, and the games played.

    `points` are those scored in played games, `games` is their number.
    """

    table: Table
    written: str
    club: str
    points: float
    games: int


def player_tables(player: Player, event: Event | None = None) -> list[PlayerTable]:
    """Return all tables of a player, or those of one event, newest first; needs five queries."""
    tables = Table.objects.filter(entries__player=player)
    if event is not None:
        tables = tables.filter(event=event)
    ordered = list(tables.select_related("event").order_by("-last_day", "-first_day", "-pk"))
    memberships = list(player.memberships.select_related("club"))
    written, results = _load_written_names(player, ordered), _load_scores(player, ordered)
    return [
        PlayerTable(
            table,
            written.get(table.pk, ""),
            join_parts(member.club.name for member in memberships if _is_current(member, table)),
            sum(results[table.pk]),
            len(results[table.pk]),
        )
        for table in ordered
    ]


def _is_current(member: Membership, table: Table) -> bool:
    begun = member.start is None or member.start <= table.last_day
    return begun and (member.end is None or member.end >= table.last_day)


def _load_written_names(player: Player, tables: Iterable[Table]) -> dict[int, str]:
    """Return the name and country in the oldest version of each table; tables without versions are omitted."""
    ids = {player.public_id, *player.merged.values_list("public_id", flat=True)}
    versions = Submission.objects.filter(table__in=tables, state=Submission.State.ACCEPTED).order_by("-pk")
    written = {}
    for table, content in versions.values_list("table", "content"):
        for row in content_from_json(content).rows:
            if row.player in ids:
                written[table] = f"{row.name} {row.country}".strip()
    return written


def _load_scores(player: Player, tables: Iterable[Table]) -> dict[int, list[float]]:
    games = Game.objects.filter(Q(a__player=player) | Q(b__player=player), table__in=tables, played=True)
    results: dict[int, list[float]] = defaultdict(list)
    for table, first, score in games.values_list("table", "a__player", "score"):
        results[table].append(score if first == player.pk else 1 - score)
    return results


def players_of_event(event: Event) -> list[Player]:
    """Return all players with an entry in a table of an event, by name."""
    return list(Player.objects.filter(entries__table__event=event).distinct())
