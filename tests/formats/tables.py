"""Hypothesis strategies for tables that a format can carry whole."""

import dataclasses
import datetime as dt

from hypothesis import strategies as st

from ratings.formats.fide.country_codes import FEDERATION_BY_COUNTRY
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.systems.handicaps import SHOGI_HANDICAPS

TODAY = dt.date(2026, 11, 21)
LETTERS = "abcdeABCDEéüøñß"


def words(alphabet=LETTERS, least=1):
    """Words of letters, parted by single blanks; with `alphabet` any other signs too."""
    word = st.text(alphabet, min_size=1, max_size=6)
    return st.lists(word, min_size=least, max_size=2).map(" ".join)


even = st.just({})
colours = st.builds(lambda black: {"black": black}, st.booleans())
shogi = st.builds(
    lambda kind, gave: {"handicap": kind, "gave": gave}, st.sampled_from(sorted(SHOGI_HANDICAPS)), st.booleans()
)
stones = st.builds(lambda number, black: {"black": black, "stones": number}, st.integers(1, 9), st.booleans())


@st.composite
def tables(draw, *, names=None, conditions=even, optional=(), heads=None):
    """Tables of some players and rounds. `optional`: which of new, macmahon, grade rows may have."""
    count, rounds = draw(st.integers(2, 7)), draw(st.integers(1, 5))
    names = words() if names is None else names
    rows = [
        ParsedRow(
            number, 0, draw(names), draw(names | st.just("")), draw(st.sampled_from(sorted(FEDERATION_BY_COUNTRY)))
        )
        for number in range(1, count + 1)
    ]
    for _ in range(rounds):
        _pair(draw, rows, conditions)
    macmahon = "macmahon" in optional and draw(st.booleans())
    for row in rows:
        row.new = "new" in optional and draw(st.booleans())
        row.macmahon = draw(st.integers(0, 6)) / 2 if macmahon else None
        if "grade" in optional:
            row.grade = draw(st.sampled_from([None, "30 Kyu", "1 Kyu", "1 Dan", "9 Dan"]))
        row.points = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    first = draw(st.dates(dt.date(1950, 1, 1), TODAY - dt.timedelta(10)))
    last = first + dt.timedelta(draw(st.integers(0, 9)))
    return ParsedTable(draw(words()), first, last, rows, *draw(st.just(()) if heads is None else heads))


def _pair(draw, rows, conditions):
    """A round: some play, the others are free with a point, a half or none."""
    order = draw(st.permutations(rows))
    playing = 2 * draw(st.integers(0, len(rows) // 2))
    for one, other in zip(order[:playing:2], order[1:playing:2], strict=True):
        cell = Cell(other.number, draw(st.sampled_from([0, 0.5, 1])), **draw(conditions))
        one.cells.append(cell)
        other.cells.append(cell.mirrored(one.number))
    for row in order[playing:]:
        row.cells.append(Cell(0, draw(st.sampled_from([0, 0.5, 1]))))


def change_table(table, **changes):
    """Return a table after fields of its first row were changed, or of the table where rows have no such field."""
    fields = {field.name for field in dataclasses.fields(ParsedRow)}
    for name, value in changes.items():
        setattr(table.rows[0] if name in fields else table, name, value)
    return table


def errors(problems):
    return [str(problem) for problem in problems.all if problem.level == "error"]


def without_lines(table):
    for row in table.rows:
        row.line = 0
    return table
