"""Reader of a list of games in a sheet, with one game per row: round, player, opponent, result of the player."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace

from ratings.formats.checks import check_games, check_numbers
from ratings.formats.event_head import Head
from ratings.formats.parsed import (
    FATAL,
    ROUNDS_AT_MOST,
    ROWS_AT_MOST,
    Cell,
    ParsedRow,
    ParsedTable,
    Problems,
    unreadable,
)
from ratings.formats.problems import FileProblem
from ratings.systems.handicaps import MAX_STONES, SHOGI_HANDICAPS

from .sheet import Line, Sheet, build_table, check_titles, date_error, read_names

KNOWN_COLUMNS = {
    "round",
    "player",
    "player family",
    "player given",
    "family",
    "given",
    "opponent",
    "opponent family",
    "opponent given",
    "result",
    "handicap",
    "giver",
    "colour",
}
RESULTS = {"+": 1.0, "-": 0.0, "=": 0.5, "1": 1.0, "0": 0.0, "½": 0.5, "0.5": 0.5, "1/2": 0.5}
PAIRS = {"1-0": 1.0, "0-1": 0.0, "½-½": 0.5, "0.5-0.5": 0.5, "1/2-1/2": 0.5, "1:0": 1.0, "0:1": 0.0}
PAIRS |= {"½:½": 0.5, "0.5:0.5": 0.5, "1/2:1/2": 0.5}
FORFEITS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("+--", "+:-"), (1.0, 0.0)),
    **dict.fromkeys(("--+", "-:+"), (0.0, 1.0)),
    **dict.fromkeys(("---", "-:-"), (0.0, 0.0)),
}
"""Results of games that were not played: those of the player and of the opponent."""
PLAYER = {"player", "joueur", "spieler", "1"}
OPPONENT = {"opponent", "adversaire", "gegner", "2"}
BLACK = {"b", "black", "noir", "schwarz"}
WHITE = {"w", "white", "blanc", "weiss", "weiß"}
GAMES_AT_MOST = ROWS_AT_MOST * ROUNDS_AT_MOST
NO_HANDICAP = {"", "-", "0", "no", "none", "non", "nein"}
Name = tuple[str, str]


@dataclass(slots=True)
class GameCollector:
    """The players, numbered in the order in which they first appear, and their cells by number and round."""

    problems: Problems
    numbers: dict[str, int] = field(default_factory=dict)
    rows: list[ParsedRow] = field(default_factory=list)
    cells: dict[tuple[int, int], tuple[Cell, int]] = field(default_factory=dict)

    def number_player(self, name: Name, line: int) -> int:
        key = f"{name[0]}, {name[1]}".casefold()
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers) + 1
            self.rows.append(ParsedRow(self.numbers[key], line, *name))
        return self.numbers[key]

    def add_cell(self, number: int, round_: int, cell: Cell, line: int) -> None:
        """Add a player's game of a round; add an error if the round already has another result.

        Repeating a game, as from the opponent's side, changes nothing.
        """
        existing, before = self.cells.setdefault((number, round_), (cell, line))
        if existing != cell:
            name = self.rows[number - 1].name
            self.problems.error(FileProblem.ANOTHER_RESULT_IN_ROUND(name=name, before=before), line, number, round_)


def read_game_list(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """Return the table of a sheet with the columns of a game list; rounds without a game are absences."""
    table = build_table(sheet, head, today, problems)
    check_titles(sheet, KNOWN_COLUMNS, problems)
    if not sheet.body:
        problems.error(FileProblem.NO_GAMES())
    if len(sheet.body) > GAMES_AT_MOST:
        problems.error(FileProblem.TOO_MANY_GAMES(body=len(sheet.body), most=GAMES_AT_MOST))
        return table
    pairings = GameCollector(problems)
    for line in sheet.body:
        _read_game(line, sheet, pairings, problems)
    rounds = max((round_ for _, round_ in pairings.cells), default=0)
    for row in pairings.rows:
        cells = [pairings.cells.get((row.number, round_)) for round_ in range(1, rounds + 1)]
        row.cells = [entry[0] if entry else Cell(0, 0) for entry in cells]
    table.rows = pairings.rows
    errors = sum(problem.level == FATAL for problem in problems.all)
    unreadable_cells = sum(not cell.readable for row in table.rows for cell in row.cells)
    if check_numbers(table.rows, problems) and errors == unreadable_cells:  # games that could not be added leave gaps
        check_games(table.rows, problems)
    return table


def _read_game(line: Line, sheet: Sheet, pairings: GameCollector, problems: Problems) -> None:
    columns = sheet.columns
    assert columns
    before = len(problems.all)
    player, opponent = read_names(line, columns, "player"), read_names(line, columns, "opponent")
    round_ = _read_round(line.cell(columns.at["round"]), line, problems)
    points = _read_result(line.cell(columns.at["result"]), line, round_, problems)
    if not player[0]:
        problems.error(FileProblem.PLAYER_MISSING(), line.number, None, round_)
    if any(line.cells[columns.width :]):
        problems.error(FileProblem.TOO_MANY_CELLS(), line.number)
    if opponent[0] and _is_same_name(player, opponent):
        problems.error(FileProblem.PLAYS_SELF(name=" ".join(player).strip()), line.number, None, round_)
    errors = [problem for problem in problems.all[before:] if problem.level == FATAL]
    if round_ is not None and points is None and player[0] and len(errors) == 1:
        _put_unreadable_result(line.cell(columns.at["result"]), round_, (player, opponent), line, pairings)
    if round_ is None or points is None or errors:
        return
    number = pairings.number_player(player, line.number)
    if not opponent[0]:
        if line.cell(columns.at.get("handicap")).lower() not in NO_HANDICAP:
            problems.warn(FileProblem.HANDICAP_WITHOUT_OPPONENT(), line.number, number, round_)
        pairings.add_cell(number, round_, Cell(0, points), line.number)
        return
    other = pairings.number_player(opponent, line.number)
    cell = _add_conditions(line, sheet, Cell(other, points), (player, opponent), problems)
    mirrored = cell.mirrored(number)
    if forfeit := _find_forfeit(line.cell(columns.at["result"])):
        cell = Cell(0, forfeit[0], forfeit=other, paired_black=cell.black)
        mirrored = Cell(0, forfeit[1], forfeit=number, paired_black=mirrored.black)
    pairings.add_cell(number, round_, cell, line.number)
    pairings.add_cell(other, round_, mirrored, line.number)


def _put_unreadable_result(
    text: str, round_: int, names: tuple[Name, Name], line: Line, pairings: GameCollector
) -> None:
    """Put the text of an invalid result into the player's cell, after the opponent's number."""
    player, opponent = names
    number = pairings.number_player(player, line.number)
    other = pairings.number_player(opponent, line.number) if opponent[0] else 0
    pairings.add_cell(number, round_, unreadable(f"{other} {text}"), line.number)


def _is_same_name(first: Name, second: Name) -> bool:
    return [part.casefold() for part in first] == [part.casefold() for part in second]


def _read_round(text: str, line: Line, problems: Problems) -> int | None:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    if not 1 <= number <= ROUNDS_AT_MOST:
        problems.error(FileProblem.NOT_A_ROUND(text=text[:20], most=ROUNDS_AT_MOST), line.number)
        return None
    return number


def _read_result(text: str, line: Line, round_: int | None, problems: Problems) -> float | None:
    points = find_points(text)
    if points is None:
        message = date_error(text) or FileProblem.NOT_A_SCORE(text=text[:20])
        problems.error(message, line.number, None, round_)
    return points


def find_points(text: str) -> float | None:
    """Return the points of the player whose result a text is; None if it is no result."""
    if forfeit := _find_forfeit(text):
        return forfeit[0]
    plain = _normalize_result(text)
    return RESULTS.get(plain, PAIRS.get(plain))


def _find_forfeit(text: str) -> tuple[float, float] | None:
    """Return the points of both players of a game won or lost by default; None for any other result."""
    return FORFEITS.get(_normalize_result(text))


def _normalize_result(text: str) -> str:
    return text.replace(" ", "").replace(",", ".").replace("–", "-")


def _add_conditions(line: Line, sheet: Sheet, cell: Cell, names: tuple[Name, Name], problems: Problems) -> Cell:
    """Return the cell with colour and handicap: a type of shogi with its giver, or a number of stones in go."""
    columns = sheet.columns
    assert columns
    handicap = line.cell(columns.at.get("handicap")).lower()
    gave = _player_gave_handicap(line.cell(columns.at.get("giver")), names)
    black = _player_has_black(line.cell(columns.at.get("colour")), line, problems)
    if handicap in NO_HANDICAP:
        return replace(cell, black=black)
    kind = {"m": "s"}.get(handicap, handicap)
    if kind in SHOGI_HANDICAPS:
        if gave is None:
            problems.error(FileProblem.HANDICAP_GIVER_MISSING(), line.number)
        return replace(cell, handicap=kind, gave=bool(gave), black=black)
    if not (handicap.isascii() and handicap.isdecimal() and len(handicap) < 3):
        message = FileProblem.NOT_A_HANDICAP_OR_STONES(handicap=handicap[:20], handicaps=" ".join(SHOGI_HANDICAPS))
        problems.error(message, line.number)
        return cell
    if int(handicap) > MAX_STONES:
        problems.warn(FileProblem.MANY_STONES(stones=handicap, most=MAX_STONES), line.number)
    black = not gave if black is None and gave is not None else black
    if black is None or black == gave:
        problems.error(FileProblem.STONES_OWNER_MISSING(), line.number)
    return replace(cell, stones=int(handicap), black=bool(black))


def _player_gave_handicap(text: str, names: tuple[Name, Name]) -> bool | None:
    """Return True if the player gave the handicap, False if the opponent did, None if the text names neither."""
    name = " ".join(text.replace(",", " ").split()).casefold()
    if name in PLAYER or name == " ".join(names[0]).casefold():
        return True
    return False if name in OPPONENT or name == " ".join(names[1]).casefold() else None


def _player_has_black(text: str, line: Line, problems: Problems) -> bool | None:
    colour = text.casefold()
    if colour not in BLACK | WHITE | {"", "-"}:
        problems.error(FileProblem.NOT_A_COLOUR(text=text[:20]), line.number)
    return True if colour in BLACK else False if colour in WHITE else None
