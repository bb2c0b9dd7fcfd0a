"""A list of games in a sheet, one a row: round, player, opponent, result of the player."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace

from ratings.systems.bgf_tables import MOST_STONES
from ratings.systems.fesa_tables import HANDICAPS
from ratings.systems.words import Words as _

from .checks import check_games, check_numbers
from .head import Head
from .parsed import ROUNDS_AT_MOST, ROWS_AT_MOST, Cell, ParsedRow, ParsedTable, Problems
from .sheet import Line, Sheet, check_titles, date_told, names_of, table_of

READ = {
    "round", "player", "player family", "player given", "family", "given", "opponent", "opponent family",
    "opponent given", "result", "handicap", "giver", "colour",
}  # fmt: skip
RESULTS = {"+": 1.0, "-": 0.0, "=": 0.5, "1": 1.0, "0": 0.0, "½": 0.5, "0.5": 0.5, "1/2": 0.5}
PAIRS = {"1-0": 1.0, "0-1": 0.0, "½-½": 0.5, "0.5-0.5": 0.5, "1/2-1/2": 0.5, "1:0": 1.0, "0:1": 0.0}
PLAYER = {"player", "joueur", "spieler", "1"}
OPPONENT = {"opponent", "adversaire", "gegner", "2"}
BLACK = {"b", "black", "noir", "schwarz"}
WHITE = {"w", "white", "blanc", "weiss", "weiß"}
GAMES_AT_MOST = ROWS_AT_MOST * ROUNDS_AT_MOST
NO_HANDICAP = {"", "-", "0", "no", "none", "non", "nein"}
Name = tuple[str, str]


@dataclass(slots=True)
class Pairings:
    """Players in the order in which they come, and their cells by number and round."""

    problems: Problems
    numbers: dict[str, int] = field(default_factory=dict)
    rows: list[ParsedRow] = field(default_factory=list)
    cells: dict[tuple[int, int], tuple[Cell, int]] = field(default_factory=dict)

    def number(self, name: Name, line: int) -> int:
        key = f"{name[0]}, {name[1]}".casefold()
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers) + 1
            self.rows.append(ParsedRow(self.numbers[key], line, *name))
        return self.numbers[key]

    def put(self, number: int, round_: int, cell: Cell, line: int) -> None:
        """A player's game of a round; the same game again, from the opponent's side, changes nothing."""
        there, before = self.cells.setdefault((number, round_), (cell, line))
        if there != cell:
            name = self.rows[number - 1].name
            self.problems.error(
                _("{name} has another result in this round, in line {before}", name=name, before=before),
                line,
                number,
                round_,
            )


def read_games(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """The table of a sheet whose columns are a game list's; rounds without a line are absences."""
    table = table_of(sheet, head, today, problems)
    check_titles(sheet, READ, problems)
    if not sheet.body:
        problems.error(_("no games: below the header row stands a row a game: round, player, opponent, result"))
    if len(sheet.body) > GAMES_AT_MOST:
        problems.error(_("{body:,} games; at most {most:,} are read", body=len(sheet.body), most=GAMES_AT_MOST))
        return table
    pairings = Pairings(problems)
    for line in sheet.body:
        _game(line, sheet, pairings, problems)
    rounds = max((round_ for _, round_ in pairings.cells), default=0)
    for row in pairings.rows:
        cells = [pairings.cells.get((row.number, round_)) for round_ in range(1, rounds + 1)]
        row.cells = [given[0] if given else Cell(0, 0) for given in cells]
    table.rows = pairings.rows
    if check_numbers(table.rows, problems) and not problems.fatal:  # games that were not read leave gaps
        check_games(table.rows, problems)
    return table


def _game(line: Line, sheet: Sheet, pairings: Pairings, problems: Problems) -> None:
    columns = sheet.columns
    assert columns
    before = len(problems.all)
    player, opponent = names_of(line, columns, "player"), names_of(line, columns, "opponent")
    round_ = _round(line.cell(columns.at["round"]), line, problems)
    points = _result(line.cell(columns.at["result"]), line, round_, problems)
    if not player[0]:
        problems.error(_("the player is missing"), line.number, None, round_)
    if any(line.cells[columns.width :]):
        problems.error(_("more cells than the header row has columns"), line.number)
    if opponent[0] and _same(player, opponent):
        problems.error(_("{player} plays himself", player=" ".join(player).strip()), line.number, None, round_)
    if round_ is None or points is None or any(problem.level == "error" for problem in problems.all[before:]):
        return
    number = pairings.number(player, line.number)
    if not opponent[0]:
        if line.cell(columns.at.get("handicap")).lower() not in NO_HANDICAP:
            problems.warn(_("a handicap without an opponent was left out"), line.number, number, round_)
        pairings.put(number, round_, Cell(0, points), line.number)
        return
    other = pairings.number(opponent, line.number)
    cell = _conditions(line, sheet, Cell(other, points), (player, opponent), problems)
    pairings.put(number, round_, cell, line.number)
    pairings.put(other, round_, cell.seen_from(number), line.number)


def _same(one: Name, other: Name) -> bool:
    return [part.casefold() for part in one] == [part.casefold() for part in other]


def _round(text: str, line: Line, problems: Problems) -> int | None:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    if not 1 <= number <= ROUNDS_AT_MOST:
        problems.error(
            _(
                "“{text}” is no round; write a number from 1 to {most}",
                text=text[:20],
                most=ROUNDS_AT_MOST,
            ),
            line.number,
        )
        return None
    return number


def _result(text: str, line: Line, round_: int | None, problems: Problems) -> float | None:
    plain = text.replace(" ", "").replace(",", ".").replace("–", "-")
    points = RESULTS.get(plain, PAIRS.get(plain))
    if points is None:
        told = date_told(text) or _(
            "“{text}” is no result; write 1, 0 or ½, or 1-0, 0-1, ½-½, as the player has it", text=text[:20]
        )
        problems.error(told, line.number, None, round_)
    return points


def _conditions(line: Line, sheet: Sheet, cell: Cell, names: tuple[Name, Name], problems: Problems) -> Cell:
    """The cell with colour and handicap: a type of shogi with its giver, or a number of stones in go."""
    columns = sheet.columns
    assert columns
    handicap = line.cell(columns.at.get("handicap")).lower()
    gave = _gave(line.cell(columns.at.get("giver")), names)
    black = _black(line.cell(columns.at.get("colour")), line, problems)
    if handicap in NO_HANDICAP:
        return replace(cell, black=black)
    kind = {"m": "s"}.get(handicap, handicap)
    if kind in HANDICAPS:
        if gave is None:
            problems.error(_("who gave the handicap? write player or opponent as the handicap giver"), line.number)
        return replace(cell, handicap=kind, gave=bool(gave), black=black)
    if not (handicap.isascii() and handicap.isdecimal() and len(handicap) < 3):
        told = _(
            "handicap “{handicap}” is not one of {handicaps} nor a number of stones",
            handicap=handicap[:20],
            handicaps=" ".join(HANDICAPS),
        )
        problems.error(told, line.number)
        return cell
    if int(handicap) > MOST_STONES:
        problems.warn(
            _(
                "{handicap} stones are more than {most}: is that right?",
                handicap=handicap,
                most=MOST_STONES,
            ),
            line.number,
        )
    black = not gave if black is None and gave is not None else black
    if black is None or black == gave:
        problems.error(_("who had the stones? the handicap's giver is White, the other one Black"), line.number)
    return replace(cell, stones=int(handicap), black=bool(black))


def _gave(text: str, names: tuple[Name, Name]) -> bool | None:
    """Whether the player gave the handicap; None where it is not told or says neither."""
    word = " ".join(text.replace(",", " ").split()).casefold()
    if word in PLAYER or word == " ".join(names[0]).casefold():
        return True
    return False if word in OPPONENT or word == " ".join(names[1]).casefold() else None


def _black(text: str, line: Line, problems: Problems) -> bool | None:
    word = text.casefold()
    if word not in BLACK | WHITE | {"", "-"}:
        problems.error(_("“{text}” is no colour; write b or w, as the player had it", text=text[:20]), line.number)
    return True if word in BLACK else False if word in WHITE else None
