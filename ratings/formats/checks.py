"""Checks shared by all readers of crosstables: row numbers, sizes and the two sides of each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ratings.formats.problems import FileProblem
from ratings.systems.messages import limit_items
from ratings.systems.values import GameKind

from .parsed import ROUNDS_AT_MOST, ROWS_AT_MOST, WARNING, Cell, ParsedRow, Problem, Problems, points_text

UNPLAYED_POINTS: Mapping[tuple[float, float], GameKind] = {(0, 0): GameKind.BOTH_LOST, (1, 1): GameKind.BOTH_WON}
"""Kinds of the games that were not played and whose points of both sides do not add up to 1."""
CUT_OFF = 3
"""Number of opponents without a row at which a table was probably cut off."""


def check_in_order(rows: list[ParsedRow], problems: Problems) -> bool:
    """Return True if the rows are numbered 1, 2, 3 … and are not too many; add an error otherwise.

    Opponents are counted by rows, so the games cannot be checked if this returns False.
    """
    for expected, row in enumerate(rows, 1):
        if row.number != expected:
            problems.error(
                FileProblem.ROW_NUMBER_OUT_OF_ORDER(expected=expected, number=row.number), row.line, row.number
            )
            return False
    return check_row_count(len(rows), problems)


def check_numbers(rows: list[ParsedRow], problems: Problems) -> bool:
    """Return True if the row numbers are unique and valid, and the rows are not too many.

    If this returns False, no opponent is certain. This is for formats that name opponents by number: the rows may be in
    any order, and a gap is only a warning.
    """
    if not check_row_count(len(rows), problems):
        return False
    seen: set[int] = set()
    good = True
    for row in rows:
        if row.number in seen:
            problems.error(FileProblem.NUMBER_TWICE(number=row.number), row.line, row.number)
            good = False
        seen.add(row.number)
        if not 1 <= row.number <= ROWS_AT_MOST:
            problems.error(FileProblem.NUMBER_OUT_OF_RANGE(number=row.number, most=ROWS_AT_MOST), row.line, row.number)
            good = False
    if good and (gaps := sorted(set(range(1, max(seen, default=0) + 1)) - seen)):
        problems.warn(FileProblem.NUMBERS_MISSING(shown=limit_items([*map(str, gaps)], 5)))
    return good


def check_row_count(rows: int, problems: Problems) -> bool:
    """Return True if a table may have this number of rows; add an error otherwise."""
    if rows > ROWS_AT_MOST:
        problems.error(FileProblem.TOO_MANY_ROWS(rows=rows, most=ROWS_AT_MOST))
    return rows <= ROWS_AT_MOST


def check_games(rows: list[ParsedRow], problems: Problems) -> None:
    """Add the problems that need more than one cell: the two sides of a game, handicaps, points and repeated pairs.

    Unreadable cells are skipped, so that they do not hide the problems of other cells.
    """
    if most := next((row for row in rows if len(row.cells) > ROUNDS_AT_MOST), None):
        problems.error(FileProblem.TOO_MANY_ROUNDS_TO_READ(most=ROUNDS_AT_MOST), most.line, most.number)
        return
    _check_rounds(rows, problems)
    cut_off = _check_complete(rows, problems)
    by_number = {row.number: row for row in rows}
    for row in (row for row in rows if not row.broken):
        rounds_by_opponent: dict[int, int] = {}
        for round_, cell in enumerate(row.cells, 1):
            if cell.named == 0 or not cell.readable or cell.named in cut_off:
                continue
            if problem := _find_opponent_error(row, cell, round_, by_number):
                fix = "mirror" if cell.named in by_number and cell.named != row.number else ""
                problems.error(problem, row.line, row.number, round_, fix=fix)
            elif row.number < cell.opponent and cell.opponent in rounds_by_opponent:
                other = by_number[cell.opponent].name
                problems.warn(FileProblem.PAIR_MEETS_AGAIN(name=row.name, other=other), row.line, row.number, round_)
            if cell.opponent:
                rounds_by_opponent[cell.opponent] = round_
        if row.cells and all(cell.readable and not cell.is_played for cell in row.cells):
            problems.warn(FileProblem.NO_GAME_OF_PLAYER(name=row.name), row.line, row.number)
        _check_points(row, problems)
    _check_empty_rounds(rows, problems)


def _check_empty_rounds(rows: list[ParsedRow], problems: Problems) -> None:
    """Add a warning for each round without a game, and one for all such rounds at the end of the table."""
    rounds = max((len(row.cells) for row in rows), default=0)
    empty = []
    for round_ in range(1, rounds + 1):
        cells = [row.cells[round_ - 1] for row in rows if len(row.cells) >= round_ and not row.broken]
        if all(cell.readable and not cell.is_played for cell in cells):
            empty.append(round_)
    last = rounds
    while last in empty:
        last -= 1
    for round_ in empty:
        if round_ < last or last == 0:
            problems.warn(FileProblem.ROUND_WITHOUT_GAME(round=round_), round=round_)
    if last and last < rounds:
        message = (
            FileProblem.LAST_ROUND_WITHOUT_GAME(round=rounds)
            if last + 1 == rounds
            else FileProblem.ROUNDS_WITHOUT_GAME(first=last + 1, last=rounds)
        )
        problems.add(Problem(WARNING, message, round=last + 1, fix="shorten"))


def _check_complete(rows: list[ParsedRow], problems: Problems) -> set[int]:
    """Return the opponents without a row at the end of the table if the file was probably cut off, with one error.

    Without `CUT_OFF` or more such opponents, each is an error of its own.
    """
    last = max((row.number for row in rows), default=0)
    cells = [cell for row in rows if not row.broken for cell in row.cells if cell.readable]
    missing = {cell.named for cell in cells if cell.named > last}
    if not (last and len(missing) >= CUT_OFF and max(missing) <= ROWS_AT_MOST):
        return set()
    problems.error(FileProblem.FILE_CUT_OFF(last=last, first=last + 1, most=max(missing)))
    return missing


def _check_rounds(rows: list[ParsedRow], problems: Problems) -> None:
    counts = [len(row.cells) for row in rows if not (row.simultaneous or row.broken)]
    usual = max(counts, key=counts.count, default=0)
    for row in rows:
        if len(row.cells) != usual and not (row.simultaneous or row.broken):
            problems.error(FileProblem.ROUNDS_DIFFER(cells=len(row.cells), usual=usual), row.line, row.number)


def _find_opponent_error(row: ParsedRow, cell: Cell, round_: int, rows: dict[int, ParsedRow]) -> str | None:
    """Return the error in the opponent or result of a cell, None if there is none."""
    if cell.named == row.number:
        return FileProblem.PLAYS_SELF(name=row.name)
    other = rows.get(cell.named)
    if other is None:
        return FileProblem.OPPONENT_MISSING(name=row.name, opponent=cell.named, rows=len(rows))
    if other.simultaneous or other.broken or len(other.cells) < round_:
        return None  # the opponent's rounds are not checked; _check_rounds reports a missing round
    mirror = other.cells[round_ - 1]
    if not mirror.readable or (mirror.named == row.number > cell.named):
        return None  # reported at the unreadable cell, or once per pair
    if mirror.named != row.number:
        return describe_mirror_error(row, other, mirror.named, rows)
    find_error = _find_unplayed_error if cell.forfeit or mirror.forfeit else _find_result_error
    return find_error(row, other, cell, mirror)


def describe_mirror_error(row: ParsedRow, other: ParsedRow, named: int | None, rows: Mapping[int, ParsedRow]) -> str:
    """Return the message for an opponent, `other`, who names another row, or none, in this round."""
    if not named:
        return FileProblem.OPPONENT_HAS_NONE(name=row.name, other=other.name)
    third = rows[named].name if named in rows else str(named)
    return FileProblem.OPPONENT_HAS_OTHER(name=row.name, other=other.name, third=third)


def _find_result_error(row: ParsedRow, other: ParsedRow, cell: Cell, mirror: Cell) -> str | None:
    """Return the error if the two sides of a game differ, None if they agree."""
    names = {"name": row.name, "other": other.name}
    if cell.points == mirror.points == 1:
        return FileProblem.BOTH_WON(**names)
    if cell.points == mirror.points == 0:
        return FileProblem.BOTH_LOST(**names)
    if mirror.points + cell.points != 1:
        return FileProblem.RESULTS_DIFFER(**names, cell=cell.token(), mirror=mirror.token())
    return _find_mark_error(row, other, cell, mirror)


def _find_unplayed_error(row: ParsedRow, other: ParsedRow, cell: Cell, mirror: Cell) -> str | None:
    """Return the error if the two sides of a game that is not rated differ, or if its points cannot be stored."""
    names = {"name": row.name, "other": other.name}
    points = cell.points, mirror.points
    unequal = bool(cell.forfeit) != bool(mirror.forfeit) or cell.kind != mirror.kind
    if not unequal and cell.kind == GameKind.UNRATED and points in ((1, 1), (0, 0)):
        return (FileProblem.BOTH_WON if cell.points else FileProblem.BOTH_LOST)(**names)
    if unequal or (sum(points) != 1 and points not in UNPLAYED_POINTS):
        return FileProblem.RESULTS_DIFFER(**names, cell=cell.typed, mirror=mirror.typed)
    return _find_mark_error(row, other, cell, mirror)


def _find_mark_error(row: ParsedRow, other: ParsedRow, cell: Cell, mirror: Cell) -> str | None:
    """Return the error if the two sides of a game differ in handicap, stones or colour.

    A game that is not rated may have a colour in one row only.
    """
    marks = {"mark": cell.mark, "mirror_mark": mirror.mark}
    if cell.handicap != mirror.handicap or (cell.handicap and cell.gave == mirror.gave):
        shown = {name: mark or FileProblem.NO_HANDICAP() for name, mark in marks.items()}
        return FileProblem.HANDICAPS_DIFFER(name=row.name, other=other.name, **shown)
    colours = {cell.has_black, mirror.has_black}
    one_is_missing = None in colours and len(colours) > 1 and not cell.forfeit
    if cell.stones != mirror.stones or colours in ({True}, {False}) or one_is_missing:
        shown = {name: mark or FileProblem.NO_COLOUR() for name, mark in marks.items()}
        return FileProblem.STONES_DIFFER(name=row.name, other=other.name, **shown)
    return None


def _check_points(row: ParsedRow, problems: Problems) -> None:
    counted = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    if not all(cell.readable for cell in row.cells):
        return
    if row.points is not None and row.points != counted and not row.simultaneous:
        message = FileProblem.POINTS_DIFFER(
            points=points_text(row.points),
            counted=points_text(counted),
        )
        problems.warn(message, row.line, row.number)


def copy_colours(rows: list[ParsedRow], problems: Problems) -> None:
    """Copy a colour that only one side of a game has to the other side, and add a warning."""
    by_number = {row.number: row for row in rows}
    for row in rows:
        for i, cell in enumerate(row.cells):
            other = by_number.get(cell.opponent) if cell.readable else None
            if cell.black is not None or cell.stones or other is None or len(other.cells) <= i:
                continue
            mirror = other.cells[i]
            if mirror.opponent == row.number != other.number and mirror.black is not None:
                problems.warn(FileProblem.COLOUR_IN_ONE_ROW(number=other.number), row.line, row.number, i + 1)
                row.cells[i] = replace(cell, black=not mirror.black, stones=mirror.stones)
