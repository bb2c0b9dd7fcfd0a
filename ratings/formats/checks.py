"""The checks that every reader of a cross-table shares: numbers, sizes, and the two sides of each game."""

from __future__ import annotations

from dataclasses import replace

from ratings.systems.words import Words as _

from .parsed import ROUNDS_AT_MOST, ROWS_AT_MOST, Cell, ParsedRow, Problems, points_text


def check_in_order(rows: list[ParsedRow], problems: Problems) -> bool:
    """Whether the rows are numbered 1, 2, 3 …; opponents are counted by rows, so nothing else can be checked."""
    for expected, row in enumerate(rows, 1):
        if row.number != expected:
            problems.error(
                _(
                    "row {expected} of the table bears the number {number}; opponents are counted by rows, so number"
                    " them 1, 2, 3 … in order",
                    expected=expected,
                    number=row.number,
                ),
                row.line,
                row.number,
            )
            return False
    return few_enough(len(rows), problems)


def check_numbers(rows: list[ParsedRow], problems: Problems) -> bool:
    """Whether every number stands once; if not, nobody's opponents are certain.

    For formats that name opponents by number: the rows may come in any order, and a gap is a warning only.
    """
    if not few_enough(len(rows), problems):
        return False
    seen: set[int] = set()
    good = True
    for row in rows:
        if row.number in seen:
            problems.error(_("the number {number} stands twice", number=row.number), row.line, row.number)
            good = False
        seen.add(row.number)
        if not 1 <= row.number <= ROWS_AT_MOST:
            problems.error(
                _(
                    "the number {number} is not one of 1 to {most:,}",
                    number=row.number,
                    most=ROWS_AT_MOST,
                ),
                row.line,
                row.number,
            )
            good = False
    if good and (gaps := sorted(set(range(1, max(seen, default=0) + 1)) - seen)):
        shown = ", ".join(map(str, gaps[:5])) + (" …" if len(gaps) > 5 else "")
        problems.warn(_("nobody has the number {shown}: are all players in the file?", shown=shown))
    return good


def few_enough(rows: int, problems: Problems) -> bool:
    """Whether a table may have so many rows."""
    if rows > ROWS_AT_MOST:
        problems.error(_("{rows:,} rows; at most {most:,} players", rows=rows, most=ROWS_AT_MOST))
    return rows <= ROWS_AT_MOST


def check_games(rows: list[ParsedRow], problems: Problems) -> None:
    """The errors of a cross-table that need more than one cell: mirror, results, handicaps, points, pairs."""
    if most := next((row for row in rows if len(row.cells) > ROUNDS_AT_MOST), None):
        problems.error(_("more than {most} rounds cannot be read", most=ROUNDS_AT_MOST), most.line, most.number)
        return
    _check_rounds(rows, problems)
    by_number = {row.number: row for row in rows}
    for row in (row for row in rows if not row.broken):
        met: dict[int, int] = {}
        for round_, cell in enumerate(row.cells, 1):
            if cell.opponent == 0:
                continue
            if problem := _wrong_opponent(row, cell, round_, by_number):
                cure = "mirror" if cell.opponent in by_number and cell.opponent != row.number else ""
                problems.error(problem, row.line, row.number, round_, cure=cure)
            elif row.number < cell.opponent and cell.opponent in met:
                problems.warn(
                    _("{name} meets row {opponent} twice", name=row.name, opponent=cell.opponent),
                    row.line,
                    row.number,
                    round_,
                )
            met[cell.opponent] = round_
        if row.cells and all(cell.opponent == 0 for cell in row.cells):
            problems.warn(_("{name} has no game", name=row.name), row.line, row.number)
        _check_points(row, problems)
    for round_ in range(1, max((len(row.cells) for row in rows), default=0) + 1):
        if all(len(row.cells) < round_ or row.cells[round_ - 1].opponent == 0 for row in rows if not row.broken):
            problems.warn(_("nobody has a game"), round=round_)


def _check_rounds(rows: list[ParsedRow], problems: Problems) -> None:
    counts = [len(row.cells) for row in rows if not (row.simultaneous or row.broken)]
    usual = max(counts, key=counts.count, default=0)
    for row in rows:
        if len(row.cells) != usual and not (row.simultaneous or row.broken):
            problems.error(
                _("{cells} rounds where the other rows have {usual}", cells=len(row.cells), usual=usual),
                row.line,
                row.number,
            )


def _wrong_opponent(row: ParsedRow, cell: Cell, round_: int, rows: dict[int, ParsedRow]) -> str | None:
    """What is wrong with the opponent of a cell."""
    if cell.opponent == row.number:
        return _("{name} plays himself", name=row.name)
    other = rows.get(cell.opponent)
    if other is None:
        return _(
            "opponent {opponent} does not exist: the table has {rows} rows", opponent=cell.opponent, rows=len(rows)
        )
    if other.simultaneous or other.broken or len(other.cells) < round_:
        return None  # his rounds are not checked; a missing round is told elsewhere
    mirror = other.cells[round_ - 1]
    if mirror.opponent != row.number:
        return not_mirrored(cell.opponent, mirror.opponent)
    return _wrong_result(cell, mirror) if row.number < cell.opponent else None  # told once a pair


def not_mirrored(opponent: int, named: int | None) -> str:
    """An opponent of this row names somebody else, or nobody."""
    if named:
        return _(
            "names row {opponent}, but row {opponent} names row {named} in this round", opponent=opponent, named=named
        )
    return _("names row {opponent}, but row {opponent} names nobody in this round", opponent=opponent)


def _wrong_result(cell: Cell, mirror: Cell) -> str | None:
    """What the two sides of a game say differently."""
    if mirror.points + cell.points != 1:
        return _(
            "{cell} against {mirror} in row {opponent}: the two results must add up to 1",
            cell=cell.token(),
            mirror=mirror.token(),
            opponent=cell.opponent,
        )
    if cell.handicap != mirror.handicap or (cell.handicap and cell.gave == mirror.gave):
        return _(
            "handicap {mark} against {mirror_mark} in row {opponent}: both rows need the same handicap, one"
            " given (-) and one received (+)",
            mark=cell.mark or _("missing"),
            mirror_mark=mirror.mark or _("missing"),
            opponent=cell.opponent,
        )
    if (cell.stones, cell.black) != (mirror.stones, None if mirror.black is None else not mirror.black):
        return _(
            "{mark} against {mirror_mark} in row {opponent}: both rows need the same number of stones, one with"
            " /b and one with /w",
            mark=cell.mark or _("no colour"),
            mirror_mark=mirror.mark or _("no colour"),
            opponent=cell.opponent,
        )
    return None


def _check_points(row: ParsedRow, problems: Problems) -> None:
    counted = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    if row.points is not None and row.points != counted and not row.simultaneous:
        told = _(
            "points {points}, but MacMahon and results give {counted}",
            points=points_text(row.points), counted=points_text(counted),
        )  # fmt: skip
        problems.warn(told, row.line, row.number)


def take_colours(rows: list[ParsedRow], problems: Problems) -> None:
    """A colour that stands on one side of a game only is taken over to the other, with a warning."""
    by_number = {row.number: row for row in rows}
    for row in rows:
        for i, cell in enumerate(row.cells):
            other = by_number.get(cell.opponent)
            if cell.black is not None or cell.stones or other is None or len(other.cells) <= i:
                continue
            mirror = other.cells[i]
            if mirror.opponent == row.number != other.number and mirror.black is not None:
                problems.warn(
                    _("the colour stands in row {number} only", number=other.number), row.line, row.number, i + 1
                )
                row.cells[i] = replace(cell, black=not mirror.black, stones=mirror.stones)
