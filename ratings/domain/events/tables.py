"""Saving of events and of tables with their results; every change marks the lists on which they are rated.

Results must be saved with these functions, so that no list is left unmarked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from django.db import transaction

from ratings.domain.runs.marking import mark_event_out_of_date, mark_lists_out_of_date
from ratings.formats.checks import UNPLAYED_POINTS
from ratings.formats.parsed import Cell, ParsedRow
from ratings.models import Entry, Event, Game, Player, RatingList, Table
from ratings.models.messages import RunReason
from ratings.queries.lists.lists_of_days import check_lists_of_days
from ratings.systems.values import GameBetween


@dataclass(frozen=True)
class NewEntry:
    """A player's entry in a table to be saved."""

    player: Player
    number: int
    macmahon: float | None = None
    place: int | None = None
    fixed_rating: float | None = None
    guest: bool = False


@dataclass(frozen=True, slots=True)
class NumberedGame(GameBetween[int]):
    """A game to be saved, between players given by their numbers in the table."""

    round: int
    score: float


def build_entries_and_games(
    rows: Sequence[ParsedRow], players: Mapping[int, Player]
) -> tuple[list[NewEntry], list[NumberedGame]]:
    """Return the checked rows of a crosstable as entries and games to be saved, each game once."""
    entries = [
        NewEntry(players[row.number], row.number, row.macmahon, row.place, guest=row.simultaneous) for row in rows
    ]
    return entries, build_games(rows)


def build_games(rows: Sequence[ParsedRow]) -> list[NumberedGame]:
    """Return the games of checked rows, each game once."""
    simultaneous = {row.number for row in rows if row.simultaneous}
    by_number = {row.number: row for row in rows}
    return [
        _build_game(row, round_, cell, by_number.get(cell.forfeit))
        for row in rows
        for round_, cell in enumerate(row.cells, 1)
        if cell.named == 0 or row.number < cell.named or cell.named in simultaneous
    ]


def _build_game(row: ParsedRow, round_: int, cell: Cell, opponent: ParsedRow | None) -> NumberedGame:
    """Return the game of a cell; `opponent` is the row of the opponent if the game is not rated.

    Such a game has the colour that either row has. Its handicap and stones stay, although no rule reads them.
    """
    black, kind = cell.has_black, cell.kind
    if opponent is not None:
        other = opponent.cells[round_ - 1] if len(opponent.cells) >= round_ else cell.mirrored(row.number)
        if black is None and other.has_black is not None:
            black = not other.has_black
        kind = kind or UNPLAYED_POINTS.get((cell.points, other.points), "")
    return NumberedGame(
        round_,
        row.number,
        cell.named or None,
        cell.points,
        played=bool(cell.opponent),
        handicap=cell.handicap,
        giver=cell.giver,
        stones=cell.stones,
        black=None if black is None else "a" if black else "b",
        kind=kind,
    )


@transaction.atomic
def save_table(table: Table, entries: Sequence[NewEntry], games: Sequence[NumberedGame]) -> Table:
    """Save a table, replacing all its results, and mark its lists for rating from its old and its new day."""
    is_new = table.pk is None
    save_details(table)
    if not is_new:
        table.games.all().delete()
        table.entries.all().delete()
    stored = {
        entry.number: Entry(
            table=table,
            player=entry.player,
            number=entry.number,
            macmahon=None if entry.macmahon is None else Decimal(str(entry.macmahon)),
            place=entry.place,
            fixed_rating=entry.fixed_rating,
            guest=entry.guest,
        )
        for entry in entries
    }
    Entry.objects.bulk_create(stored.values())
    Game.objects.bulk_create(
        Game(**asdict(game) | {"a": stored[game.a], "b": None if game.b is None else stored[game.b]}, table=table)
        for game in games
    )
    return table


@transaction.atomic
def save_details(table: Table) -> Table:
    """Save a table's own fields (days, name, position) without its results, and mark its lists for rating."""
    is_new = table.pk is None
    if not is_new:
        before = Table.objects.get(pk=table.pk)
        _mark_lists(before, RunReason.TABLE_CHANGED(table=before))
    table.full_clean()
    table.save()
    _mark_lists(table, RunReason.TABLE_ADDED(table=table) if is_new else RunReason.TABLE_CHANGED(table=table))
    return table


def _mark_lists(table: Table, reason: str) -> None:
    """Mark the lists of a table for rating; lock the event's row, so that its lists cannot change meanwhile."""
    event = Event.objects.select_for_update().get(pk=table.event_id)
    mark_lists_out_of_date(event.lists.all(), table.last_day, reason, tables=[table])


@transaction.atomic
def save_event(event: Event, lists: Iterable[RatingList] | None = None) -> Event:
    """Save an event's own fields (and `lists`, if given), and mark its old and new lists for rating.

    Raise ValidationError if a field is invalid, or if another list rates the events of the event's last day.
    """
    before = []
    if event.pk:
        Event.objects.select_for_update().get(pk=event.pk)
        before = list(event.lists.all())
    event.full_clean()
    event.save()
    if lists is not None:
        lists = list(lists)
        check_lists_of_days(lists, event.start, event.end)
        event.lists.set(lists)
    void = event.state == Event.State.VOID
    reason = RunReason.EVENT_VOIDED(event=event) if void else RunReason.EVENT_CHANGED(event=event)
    mark_event_out_of_date(event, *before, reason=reason)
    return event
