"""The one table of a ratings-history/1 file as a crosstable."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from ratings.systems.values import Game, History, Player, Table
from ratings.systems.words import Words as _

from .checks import check_games, check_numbers
from .head import Head
from .history import HistoryError, history_of, read_json
from .parsed import BYTES_AT_MOST, LINE_AT_MOST, ROUNDS_AT_MOST, Cell, ParsedRow, ParsedTable, Problems

ENTRIES_AT_MOST = 40_000  # a thousand players' games of thirty rounds, and more


def read_history_table(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The table of a history that has exactly one, None for all others, and everything that is wrong with it.

    The name is the event's (`head`) where the table has none. Openings, adjustments and decisions are not read.
    """
    problems = Problems()
    if len(data) > BYTES_AT_MOST:
        problems.error(
            _(
                "the file has {data:,} bytes or more; at most {most:,} are read",
                data=len(data),
                most=BYTES_AT_MOST,
            )
        )
        return None, problems
    try:
        document = read_json(data)
        if (entries := _entries(document)) > ENTRIES_AT_MOST:
            problems.error(
                _(
                    "its lists have {entries:,} entries; a results file has at most {most:,}",
                    entries=entries,
                    most=ENTRIES_AT_MOST,
                )
            )
            return None, problems
        history = history_of(document)
    except HistoryError as error:
        for problem in error.problems:
            problems.error(problem)
        return None, problems
    if len(history.tables) != 1:
        problems.error(
            _(
                "the history has {tables} tables; a results file has exactly one, so write one file a table",
                tables=len(history.tables),
            )
        )
        return None, problems
    names = (history.tables[0].event, *(player.name or player.id for player in history.players.values()))
    if any(len(name) > LINE_AT_MOST for name in names):
        problems.error(_("a name has more than {most:,} letters", most=LINE_AT_MOST))
        return None, problems
    return _table(history, history.tables[0], head, today, problems), problems


def _entries(document: object) -> int:
    """How many entries all lists have. Each that is wrong makes problems, which take far more room than the file."""
    entries, open = 0, [document]
    while open:
        value = open.pop()
        if isinstance(value, list):
            entries += len(value)
            open += value
        elif isinstance(value, dict):
            open += value.values()
    return entries


def _table(history: History, table: Table, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    if table.last_day > today:
        problems.error(_("the last day {last_day} is in the future", last_day=table.last_day))
    if table.last_day < table.date:
        problems.error(
            _("the last day {last_day} is before the first, {date}", last_day=table.last_day, date=table.date)
        )
    if history.adjustments or history.decisions or any(player.opening for player in history.players.values()):
        problems.warn(_("openings, adjustments and decisions of the history are not results and were not read"))
    if table.fixed or table.under_21 or table.overtime or any(_conditions(game) for game in table.games):
        problems.warn(
            _(
                "fixed ratings, ages, overtime and what is special of a game (board size, online, by correspondence)"
                " have no place in a crosstable and were not read"
            )
        )
    rows = _rows(table, history.players, problems)
    if not rows:
        problems.error(_("the table has no players"))
    if check_numbers(rows, problems) and _fill(rows, table, problems):
        check_games(rows, problems)
    control = "" if table.minutes is None or table.overtime else f"{table.minutes:g} minutes"
    return ParsedTable(table.event or head.name, table.date, table.last_day, rows, time_control=control)


def _conditions(game: Game) -> bool:
    return game.board != Game(None, "", None, None).board or game.online or game.correspondence


def _rows(table: Table, players: Mapping[str, Player], problems: Problems) -> list[ParsedRow]:
    rows, undivided = [], 0
    for number, id in enumerate(table.players, 1):
        player = players[id]
        family, comma, given = (part.strip() for part in player.name.partition(","))
        if not comma and " " in family:
            undivided += 1
            family, _blank, given = family.rpartition(" ")
        rows.append(ParsedRow(number, 0, family or player.id, given, player.country.upper()))
    if undivided:
        problems.warn(
            _(
                "{undivided} names have no comma between last and first name: the last word was read as the first name",
                undivided=undivided,
            )
        )
    return rows


def _fill(rows: list[ParsedRow], table: Table, problems: Problems) -> bool:
    """Put the games into the rows' cells; False where they are no crosstable."""
    number = {id: row.number for id, row in zip(table.players, rows, strict=True)}
    cells: dict[tuple[int, int], Cell] = {}
    rounds = {game.round for game in table.games if game.round is not None}
    if outside := sorted(round_ for round_ in rounds if not 1 <= round_ <= ROUNDS_AT_MOST):
        problems.error(_("round {outside} is not one of 1 to {most}", outside=outside[0], most=ROUNDS_AT_MOST))
        return False
    sides = [side for game in table.games for side in _sides(game, number)]
    for round_, mine, cell in sides:
        if round_ is None or cell is None:
            problems.error(_("a game without a round or a result: give it both"), None, mine)
        elif (mine, round_) in cells:
            problems.error(_("{name} has several games in this round", name=rows[mine - 1].name), None, mine, round_)
        else:
            cells[mine, round_] = cell
    for row in rows:
        row.cells = [cells.get((row.number, round_), Cell(0, 0)) for round_ in range(1, max(rounds, default=0) + 1)]
    return not problems.fatal


def _sides(game: Game, number: Mapping[str, int]) -> list[tuple[int | None, int, Cell | None]]:
    """Round, row and cell of both players of a game; unplayed ones name no opponent."""
    a, b = number[game.a], None if game.b is None else number[game.b]
    if game.score is None:
        return [(game.round, a, None)]
    if b is None or not game.played:
        other = [] if b is None else [(game.round, b, Cell(0, 1 - game.score))]
        return [(game.round, a, Cell(0, game.score)), *other]
    black = None if game.black is None else game.black == "a"
    cell = Cell(b, game.score, game.handicap, game.giver == "a", game.stones, black)
    return [(game.round, a, cell), (game.round, b, cell.seen_from(a))]
