"""Reader of the only table in a ratings-history/1 file, as a crosstable."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from ratings.formats.checks import check_games, check_numbers
from ratings.formats.event_head import Head
from ratings.formats.parsed import BYTES_AT_MOST, LINE_AT_MOST, ROUNDS_AT_MOST, Cell, ParsedRow, ParsedTable, Problems
from ratings.formats.people.outside_ids import make_key
from ratings.formats.problems import FileProblem
from ratings.systems.values import Game, History, Player, Table

from .file import HistoryError, parse_history, read_json

ENTRIES_AT_MOST = 40_000  # a thousand players' games of thirty rounds, and more


def read_history_table(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table of a history with exactly one table, None for other files, and all problems of the file.

    A table without a name gets the event's (`head`). Openings, adjustments and decisions are not read.
    """
    problems = Problems()
    if len(data) > BYTES_AT_MOST:
        problems.error(FileProblem.FILE_TOO_LARGE(data=len(data), most=BYTES_AT_MOST))
        return None, problems
    try:
        document = read_json(data)
        if (entries := _count_entries(document)) > ENTRIES_AT_MOST:
            problems.error(FileProblem.TOO_MANY_ENTRIES(entries=entries, most=ENTRIES_AT_MOST))
            return None, problems
        history = parse_history(document)
    except HistoryError as error:
        for problem in error.problems:
            problems.error(problem)
        return None, problems
    if len(history.tables) != 1:
        problems.error(FileProblem.SEVERAL_TABLES(tables=len(history.tables)))
        return None, problems
    names = (history.tables[0].event, *(player.name or player.id for player in history.players.values()))
    if any(len(name) > LINE_AT_MOST for name in names):
        problems.error(FileProblem.NAME_TOO_LONG_TO_READ(most=LINE_AT_MOST))
        return None, problems
    return _build_table(history, history.tables[0], head, today, problems), problems


def _count_entries(document: object) -> int:
    """Return the number of entries of all lists, which is limited since each invalid entry adds large messages."""
    entries, pending = 0, [document]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            entries += len(value)
            pending += value
        elif isinstance(value, dict):
            pending += value.values()
    return entries


def _build_table(history: History, table: Table, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    if table.last_day > today:
        problems.error(FileProblem.LAST_DAY_IN_FUTURE(last_day=table.last_day))
    if table.last_day < table.date:
        problems.error(FileProblem.LAST_DAY_BEFORE_FIRST(end=table.last_day, start=table.date))
    if history.adjustments or history.decisions or any(player.opening for player in history.players.values()):
        problems.warn(FileProblem.NOT_RESULTS())
    if table.fixed or table.under_21 or table.overtime or any(_has_conditions(game) for game in table.games):
        problems.warn(FileProblem.NOT_IN_A_CROSSTABLE())
    rows = _build_rows(table, history.players, problems)
    if not rows:
        problems.error(FileProblem.TABLE_WITHOUT_PLAYERS())
    if check_numbers(rows, problems) and _fill_cells(rows, table, problems):
        check_games(rows, problems)
    control = "" if table.minutes is None or table.overtime else f"{table.minutes:g} minutes"
    return ParsedTable(table.event or head.name, table.date, table.last_day, rows, time_control=control)


def _has_conditions(game: Game) -> bool:
    return game.board != Game(None, "", None, None).board or game.online or game.correspondence


def _build_rows(table: Table, players: Mapping[str, Player], problems: Problems) -> list[ParsedRow]:
    rows, undivided = [], 0
    for number, id in enumerate(table.players, 1):
        player = players[id]
        family, comma, given = (part.strip() for part in player.name.partition(","))
        if not comma and " " in family:
            undivided += 1
            family, _blank, given = family.rpartition(" ")
        outside = {make_key(one["registry"], one.get("country", "")): one["value"] for one in player.outside_ids}
        rows.append(ParsedRow(number, 0, family or player.id, given, player.country.upper(), outside=outside))
    if undivided:
        problems.warn(FileProblem.NAMES_WITHOUT_COMMA(undivided=undivided))
    return rows


def _fill_cells(rows: list[ParsedRow], table: Table, problems: Problems) -> bool:
    """Put the games into the rows' cells; return False if they do not make a crosstable."""
    numbers = {id: row.number for id, row in zip(table.players, rows, strict=True)}
    cells: dict[tuple[int, int], Cell] = {}
    rounds = {game.round for game in table.games if game.round is not None}
    if invalid_rounds := sorted(round_ for round_ in rounds if not 1 <= round_ <= ROUNDS_AT_MOST):
        problems.error(FileProblem.ROUND_OUT_OF_RANGE(outside=invalid_rounds[0], most=ROUNDS_AT_MOST))
        return False
    sides = [side for game in table.games for side in _get_sides(game, numbers)]
    for round_, row_number, cell in sides:
        if round_ is None or cell is None:
            problems.error(FileProblem.GAME_INCOMPLETE(), None, row_number)
        elif (row_number, round_) in cells:
            problems.error(FileProblem.SEVERAL_GAMES_IN_ROUND(name=rows[row_number - 1].name), None, row_number, round_)
        else:
            cells[row_number, round_] = cell
    for row in rows:
        row.cells = [cells.get((row.number, round_), Cell(0, 0)) for round_ in range(1, max(rounds, default=0) + 1)]
    return not problems.fatal


def _get_sides(game: Game, numbers: Mapping[str, int]) -> list[tuple[int | None, int, Cell | None]]:
    """Return round, row number and cell for each player of a game."""
    a, b = numbers[game.a], None if game.b is None else numbers[game.b]
    if game.score is None:
        return [(game.round, a, None)]
    sides: list[tuple[int | None, int, Cell | None]] = [(game.round, a, Cell.from_game(game, "a", b or 0))]
    return [*sides, (game.round, b, Cell.from_game(game, "b", a))] if b is not None else sides
