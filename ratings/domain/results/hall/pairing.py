"""Pairings of a round: typed, or read from a file of a pairing program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django_countries import countries

from ratings.formats.pairings import Pairing, find_pairings, last_paired_round
from ratings.formats.parsed import ROUNDS_AT_MOST, ParsedRow, ParsedTable
from ratings.formats.tokens import read_cell
from ratings.localize import join_parts
from ratings.matching import fold
from ratings.models import Hall, HallBoard
from ratings.queries.results.halls import BoardState, Person, people_of, read_hall

from .halls import append_people, find_name_problem, lock_hall, save_changed
from .provisional import request_ratings
from .recording import Device, Tap, record_tap

NUMBERS = re.compile(r"(\d+)\s*[-–—:]\s*(\d+)(.*)", re.ASCII)
SEPARATOR = re.compile(r"\s+[-–—:]\s+|\s+(?:vs?\.?|against)\s+|\t|;", re.IGNORECASE)
MARK = re.compile(r"\s*((?:/[bw]\d{0,2})?(?:\s*\(\s*[-+]\s*\w+\s*\))?)\s*$", re.IGNORECASE)
BYES = {"bye", "exempt", "freilos", "spielfrei", "不戦勝", "-", "–"}
CODES = {1.0: "first", 0.5: "draw", 0.0: "second"}


@dataclass
class _Reader:
    """Reader of typed pairings: `people` grows by names with a comma that are not known yet."""

    people: dict[int, Person]
    new: list[Person]

    def read(self, text: str) -> list[Pairing]:
        """Return the boards; raise ValidationError with the problems of all lines."""
        boards: list[Pairing] = []
        problems: list[str] = []
        seated: dict[int, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            try:
                board = self.read_line(line.strip())
                self.check_seats(board, number, seated)
                boards.append(board)
            except ValidationError as error:
                problems.append(_("Line %(line)d: %(problem)s") % {"line": number, "problem": " ".join(error.messages)})
        if problems:
            raise ValidationError(problems)
        return boards

    def read_line(self, line: str) -> Pairing:
        mark = MARK.search(line)
        assert mark
        names, sign = line[: mark.start()], mark[1].strip()
        numbers = NUMBERS.fullmatch(names)
        sides = [numbers[1], numbers[2]] if numbers and not numbers[3].strip() else SEPARATOR.split(names)
        if len(sides) > 2:
            raise ValidationError(_("Write two players, as “Adler – Maes”; “%(line)s” has more.") % {"line": line[:80]})
        first = self.find(sides[0])
        if len(sides) == 1 or fold(sides[1].strip()) in BYES or not sides[1].strip():
            return Pairing(first, 0)
        return add_conditions(Pairing(first, self.find(sides[1])), sign)

    def find(self, text: str) -> int:
        """Return the id of the person whom a text names: by number, family name, or full name."""
        text = text.strip()
        if text.isdecimal() and int(text) in self.people:
            return int(text)
        wanted = fold(text.replace(",", " "))
        matches = [person.id for person in self.people.values() if wanted in _names_of(person)]
        if len(matches) == 1:
            return matches[0]
        if len(matches) > 1:
            raise ValidationError(_("%(count)d players are called “%(name)s”: write the given name as well.")
                                  % {"count": len(matches), "name": text[:80]})  # fmt: skip
        family, comma, given = (part.strip() for part in text.partition(","))
        if comma and family and given:
            return self.add(Person(0, family, given))
        message = _("“%(name)s” is not among the players. A new player is written “Family name, Given name”.")
        raise ValidationError(message % {"name": text[:80]})

    def add(self, person: Person) -> int:
        if problem := find_name_problem(person):
            raise ValidationError(problem)
        person = replace(person, id=max(self.people, default=0) + 1)
        self.people[person.id] = person
        self.new.append(person)
        return person.id

    def check_seats(self, board: Pairing, line: int, seated: dict[int, int]) -> None:
        for id in filter(None, (board.first, board.second)):
            if id in seated:
                name = self.people[id].name
                before = {"name": name, "line": seated[id]}
                raise ValidationError(_("%(name)s is already in line %(line)d.") % before)
            seated[id] = line


def _names_of(person: Person) -> set[str]:
    family, given = person.family, person.given
    return {fold(name) for name in (family, f"{family} {given}", f"{given} {family}")}


def add_conditions(pairing: Pairing, sign: str) -> Pairing:
    """Return a pairing with the handicap and colour of a mark of the crosstable, such as (-l) or /b2."""
    if not sign:
        return pairing
    cell = read_cell(f"1+{sign.replace(' ', '')}")
    if cell is None:
        raise ValidationError(_("“%(sign)s” is not a handicap: write (-l), or /b2 for Black with two stones.")
                              % {"sign": sign})  # fmt: skip
    return replace(
        pairing, handicap=cell.handicap or "", giver=cell.giver or "", stones=cell.stones, black=cell.black_side or ""
    )


@transaction.atomic
def save_typed_pairings(hall: Hall, round_: int, text: str, *, replaces: bool = True) -> int:
    """Replace the pairings of a round by typed ones, one board per line; return the number of boards.

    Boards with the same players keep their results. Raise ValidationError with the problems of all lines, or if a board
    with a result would be deleted. Unless `replaces`, other pairings of the round are an error as well: they were saved
    after somebody else had typed these.
    """
    hall = lock_hall(hall)
    reader = _Reader(dict(people_of(hall)), [])
    pairings = reader.read(text)
    if not replaces:
        _check_not_paired(hall, round_, pairings)
    if reader.new:
        append_people(hall, reader.new)
    _replace_boards(hall, round_, pairings)
    save_changed(hall, "people", "rounds")
    request_ratings(hall)
    return len(pairings)


@dataclass(frozen=True)
class Seat:
    """The board of a typed line; `is_swapped` if the player who was typed first is the second one there."""

    board: int
    is_swapped: bool


def find_seats(hall: Hall, round_: int, text: str) -> list[Seat | None]:
    """Return the board of each typed line, None where these two have none; empty if the lines cannot be read."""
    hall = Hall.objects.get(pk=hall.pk)  # the lines may have added people
    try:
        pairings = _Reader(dict(people_of(hall)), []).read(text)
    except ValidationError:
        return []
    boards = _read_boards_by_players(hall, round_)
    found = [(pairing, boards.get(_players_of(pairing))) for pairing in pairings]
    return [Seat(board.pk, board.first != pairing.first) if board else None for pairing, board in found]


def _check_not_paired(hall: Hall, round_: int, pairings: Sequence[Pairing]) -> None:
    stored = _read_boards_by_players(hall, round_).keys()
    if stored and stored != {_players_of(pairing) for pairing in pairings}:
        message = _("Round %(round)d already has different pairings. To replace them, use “Change the pairings”.")
        raise ValidationError(message % {"round": round_})


def _replace_boards(hall: Hall, round_: int, pairings: Sequence[Pairing]) -> None:
    if not 1 <= round_ <= ROUNDS_AT_MOST:
        raise ValidationError(_("Enter a number of rounds from 1 to %(most)d.") % {"most": ROUNDS_AT_MOST})
    hall.rounds = max(hall.rounds, round_)
    states = [state for each in read_hall(hall).rounds if each.number == round_ for state in each.boards]
    stored = {_players_of(state.board): state for state in states}
    wanted = {_players_of(pairing) for pairing in pairings}
    gone = [state for players, state in stored.items() if players not in wanted]
    _check_without_results(gone)
    HallBoard.objects.filter(pk__in=[state.board.pk for state in gone]).delete()
    boards = HallBoard.objects.filter(hall=hall, round=round_)
    for place, board in enumerate(boards.order_by("number"), 1):  # out of the way of the new numbers
        HallBoard.objects.filter(pk=board.pk).update(number=10_000 + place)
    for number, pairing in enumerate(pairings, 1):
        state = stored.get(_players_of(pairing))
        board = state.board if state else HallBoard(hall=hall, round=round_)
        _seat(board, pairing, number, keeps_sides=bool(state and state.entries))
        board.save()


def _seat(board: HallBoard, pairing: Pairing, number: int, *, keeps_sides: bool) -> None:
    """Seat the players at a board; one with results keeps who is first, which the results refer to."""
    swaps = keeps_sides and board.first != pairing.first
    other = {"a": "b", "b": "a", "": ""} if swaps else {"a": "a", "b": "b", "": ""}
    if not swaps:
        board.first, board.second = pairing.first, pairing.second or None
    board.number, board.handicap, board.stones = number, pairing.handicap, pairing.stones
    board.giver, board.black = other[pairing.giver], other[pairing.black]


def _read_boards_by_players(hall: Hall, round_: int) -> dict[frozenset[int], HallBoard]:
    return {_players_of(board): board for board in HallBoard.objects.filter(hall=hall, round=round_)}


def _players_of(seats: HallBoard | Pairing) -> frozenset[int]:
    """Return the ids of the two players of a board, in any order; 0 is the opponent of a bye."""
    return frozenset((seats.first, seats.second or 0))


def _check_without_results(boards: Iterable[BoardState]) -> None:
    numbers = [str(state.board.number) for state in boards if state.entries]
    if numbers:
        message = _("Board %(boards)s has a result: clear it before you change who plays there.")
        raise ValidationError(message % {"boards": join_parts(numbers)})


@transaction.atomic
def save_file_pairings(hall: Hall, table: ParsedTable, device: Device) -> int:
    """Save the pairings of all rounds of a file that the hall does not have yet; return the last round of the file.

    Its players are added by name. Results in the file are entered for the new boards. A round that has no result in the
    hall yet is replaced. Raise ValidationError if the file has no pairings.
    """
    hall = lock_hall(hall)
    last = last_paired_round(table)
    if last == 0:
        raise ValidationError(_("The file has no pairings: nobody in it has an opponent."))
    append_people(hall, [_read_person(row) for row in table.rows])
    by_name = {fold(person.name): person.id for person in people_of(hall).values()}
    ids = {row.number: by_name[fold(row.name)] for row in table.rows}
    started = {each.number for each in read_hall(hall).rounds if any(board.entries for board in each.boards)}
    for round_ in set(range(1, last + 1)) - started:
        pairings = [_renumber(pairing, ids) for pairing in find_pairings(table, round_)]
        _replace_boards(hall, round_, pairings)
        _enter_results(hall, round_, pairings, device)
    hall.version = Hall.objects.values_list("version", flat=True).get(pk=hall.pk)  # the results have changed it
    save_changed(hall, "people", "rounds")
    return last


def _read_person(row: ParsedRow) -> Person:
    """Return the person of a row; an unknown country is left out. Raise ValidationError if there is no name."""
    country = row.country.upper() if row.country.upper() in countries else ""
    person = Person(0, "" if row.broken else row.family, row.given, country)
    if problem := find_name_problem(person):
        raise ValidationError(_("Row %(row)d: %(problem)s") % {"row": row.number, "problem": problem})
    return person


def _renumber(pairing: Pairing, ids: Mapping[int, int]) -> Pairing:
    return replace(pairing, first=ids[pairing.first], second=ids.get(pairing.second, 0))


def _enter_results(hall: Hall, round_: int, pairings: Iterable[Pairing], device: Device) -> None:
    boards = _read_boards_by_players(hall, round_)
    for pairing in pairings:
        if pairing.points is not None:
            board = boards[_players_of(pairing)]
            record_tap(hall, device, Tap(board.pk, CODES[pairing.points], uuid4()))


def write_pairings(people: Mapping[int, Person], boards: Iterable[HallBoard]) -> str:
    """Return the boards of a round as they are typed."""
    return "\n".join(_write_board(people, board) for board in boards)


def _write_board(people: Mapping[int, Person], board: HallBoard) -> str:
    first = _write_name(people, board.first)
    if board.second is None:
        return f"{first} – bye"
    colour = f" /{'b' if board.black == 'a' else 'w'}{board.stones or ''}" if board.black else ""
    handicap = f" ({'-' if board.giver == 'a' else '+'}{board.handicap})" if board.handicap else ""
    return f"{first} – {_write_name(people, board.second)}{colour}{handicap}"


def _write_name(people: Mapping[int, Person], id: int) -> str:
    """Return a person's family name, with the given name if the family name is not unique."""
    person = people[id]
    same = [each for each in people.values() if fold(each.family) == fold(person.family)]
    return person.family if len(same) == 1 else f"{person.family}, {person.given}".rstrip(", ")
