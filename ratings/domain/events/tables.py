"""Saving and deleting results: the only way in which tables change, always marking the lists they are rated on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from django.db import transaction

from ratings.formats.parsed import Cell, ParsedRow
from ratings.models import Entry, Event, Game, Player, RatingList, Table
from ratings.systems.words import Words

from .marking import mark_event, mark_out_of_date


@dataclass(frozen=True)
class Seat:
    """A player in a table to be saved."""

    player: Player
    number: int
    macmahon: float | None = None
    fixed_rating: float | None = None
    guest: bool = False


@dataclass(frozen=True)
class Pairing:
    """A game to be saved, its players by table number; `b` is None for a bye or an absence."""

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


def results_of(rows: Sequence[ParsedRow], players: Mapping[int, Player]) -> tuple[list[Seat], list[Pairing]]:
    """Checked rows of a cross-table as seats and pairings, each game once."""
    seats = [Seat(players[row.number], row.number, row.macmahon, guest=row.simultaneous) for row in rows]
    return seats, pairings_of(rows)


def pairings_of(rows: Sequence[ParsedRow]) -> list[Pairing]:
    """The games of checked rows, each once."""
    simultaneous = {row.number for row in rows if row.simultaneous}
    return [
        _pairing(row, round_, cell)
        for row in rows
        for round_, cell in enumerate(row.cells, 1)
        if cell.opponent == 0 or row.number < cell.opponent or cell.opponent in simultaneous
    ]


def _pairing(row: ParsedRow, round_: int, cell: Cell) -> Pairing:
    if cell.opponent == 0:
        return Pairing(round_, row.number, None, cell.points, played=False)
    giver = None if cell.handicap is None else ("a" if cell.gave else "b")
    black = None if cell.black is None else ("a" if cell.black else "b")
    return Pairing(
        round_,
        row.number,
        cell.opponent,
        cell.points,
        handicap=cell.handicap,
        giver=giver,
        stones=cell.stones,
        black=black,
    )


@transaction.atomic
def save_table(table: Table, seats: Sequence[Seat], pairings: Sequence[Pairing]) -> Table:
    """Store a table with all its results, replacing what it had; both its old and its new days are rated again."""
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
    """Store a table's own fields (days, name, position), leaving its results as they are."""
    is_new = table.pk is None
    if not is_new:
        before = Table.objects.get(pk=table.pk)
        _mark(before, Words("{table} was changed", table=before))
    table.full_clean()
    table.save()
    _mark(table, Words("{table} was added", table=table) if is_new else Words("{table} was changed", table=table))
    return table


def _mark(table: Table, reason: str) -> None:
    """Mark the lists a table is rated on; the event's row is held, so that its lists cannot change meanwhile."""
    event = Event.objects.select_for_update().get(pk=table.event_id)
    mark_out_of_date(event.lists.all(), table.last_day, reason, tables=[table])


@transaction.atomic
def save_event(event: Event, lists: Iterable[RatingList] | None = None) -> Event:
    """Store an event's own fields (and its lists, where given) and re-rate wherever it was or is rated."""
    before = []
    if event.pk:
        Event.objects.select_for_update().get(pk=event.pk)
        before = list(event.lists.all())
    event.full_clean()
    event.save()
    if lists is not None:
        event.lists.set(lists)
    mark_event(event, *before, reason=Words("{event} was accepted or changed", event=event))
    return event


@transaction.atomic
def delete_table(table: Table) -> None:
    _mark(table, Words("{table} was deleted", table=table))
    table.delete()


@transaction.atomic
def delete_event(event: Event) -> None:
    Event.objects.select_for_update().get(pk=event.pk)
    mark_event(event, reason=Words("{event} was deleted", event=event))
    event.delete()
