"""Saving of events and of tables with their results; every change marks the lists on which they are rated.

Results must be saved with these functions, so that no list is left unmarked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from django.db import transaction

from ratings.domain.runs.marking import mark_event_outdated, mark_lists_outdated
from ratings.formats.parsed import Cell, ParsedRow
from ratings.models import Entry, Event, Game, Player, RatingList, Table
from ratings.models.messages import RunReason


@dataclass(frozen=True)
class Seat:
    """A player's entry in a table to be saved."""

    player: Player
    number: int
    macmahon: float | None = None
    fixed_rating: float | None = None
    guest: bool = False


@dataclass(frozen=True)
class Pairing:
    """A game to be saved, with its players' numbers in the table; `b` is None for a bye or an absence."""

    round: int
    a: int
    b: int | None
    score: float
    played: bool = True
    handicap: str | None = None
    giver: str | None = None
    stones: int = 0
    black: str | None = None
    board: int = 19
    online: bool = False
    correspondence: bool = False


def build_seats_and_pairings(
    rows: Sequence[ParsedRow], players: Mapping[int, Player]
) -> tuple[list[Seat], list[Pairing]]:
    """Return the checked rows of a crosstable as seats and pairings, with each game once."""
    seats = [Seat(players[row.number], row.number, row.macmahon, guest=row.simultaneous) for row in rows]
    return seats, build_pairings(rows)


def build_pairings(rows: Sequence[ParsedRow]) -> list[Pairing]:
    """Return the games of checked rows, each game once."""
    simultaneous = {row.number for row in rows if row.simultaneous}
    return [
        _build_pairing(row, round_, cell)
        for row in rows
        for round_, cell in enumerate(row.cells, 1)
        if cell.opponent == 0 or row.number < cell.opponent or cell.opponent in simultaneous
    ]


def _build_pairing(row: ParsedRow, round_: int, cell: Cell) -> Pairing:
    if cell.opponent == 0:
        return Pairing(round_, row.number, None, cell.points, played=False)
    return Pairing(
        round_,
        row.number,
        cell.opponent,
        cell.points,
        handicap=cell.handicap,
        giver=cell.giver,
        stones=cell.stones,
        black=cell.black_side,
    )


@transaction.atomic
def save_table(table: Table, seats: Sequence[Seat], pairings: Sequence[Pairing]) -> Table:
    """Save a table, replacing all its results, and mark its lists for rating from its old and its new day."""
    save_details(table)
    table.games.all().delete()
    table.entries.all().delete()
    entries = {
        seat.number: Entry(
            table=table,
            player=seat.player,
            number=seat.number,
            macmahon=None if seat.macmahon is None else Decimal(str(seat.macmahon)),
            fixed_rating=seat.fixed_rating,
            guest=seat.guest,
        )
        for seat in seats
    }
    Entry.objects.bulk_create(entries.values())
    Game.objects.bulk_create(
        Game(
            **asdict(pairing) | {"a": entries[pairing.a], "b": None if pairing.b is None else entries[pairing.b]},
            table=table,
        )
        for pairing in pairings
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
    mark_lists_outdated(event.lists.all(), table.last_day, reason, tables=[table])


@transaction.atomic
def save_event(event: Event, lists: Iterable[RatingList] | None = None) -> Event:
    """Save an event's own fields (and `lists`, if given), and mark its old and new lists for rating."""
    before = []
    if event.pk:
        Event.objects.select_for_update().get(pk=event.pk)
        before = list(event.lists.all())
    event.full_clean()
    event.save()
    if lists is not None:
        event.lists.set(lists)
    void = event.state == Event.State.VOID
    reason = RunReason.EVENT_VOIDED(event=event) if void else RunReason.EVENT_CHANGED(event=event)
    mark_event_outdated(event, *before, reason=reason)
    return event
