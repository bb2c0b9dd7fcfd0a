"""Handicap stones that follow from the grades: `HA[h1]` means the difference in ranks, reduced by one.

h9 stands for even games. Where the results name stones, those count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ratings.formats.event_head import HeadText
from ratings.formats.parsed import Cell, ParsedRow, Problems
from ratings.formats.problems import FileProblem
from ratings.systems.handicaps import MAX_STONES

EVEN_GAMES_POLICY = "h9"
CORRECTIONS = range(9)
"""Numbers by which the difference in ranks is reduced."""
GRADE = re.compile(r"(\d{1,2}) (Dan|Kyu)")


def read_policy(policy: HeadText | None, rows: list[ParsedRow], problems: Problems) -> None:
    """Set the stones that follow from the policy (HA, or the file's extension), unless the results name any.

    Report a policy that does not fit the results, and games whose stones cannot be known.
    """
    if policy is None:
        return
    has_stones = any(cell.stones for row in rows for cell in row.cells)
    correction = re.fullmatch(r"h([0-8])", policy.text.strip().lower())
    if policy.text.lower() == EVEN_GAMES_POLICY:
        if has_stones:
            problems.warn(FileProblem.EVEN_GAMES_WITH_STONES(), policy.line)
    elif correction and not has_stones:
        _derive_stones(rows, int(correction[1]), policy, problems)
    elif not has_stones:
        problems.warn(FileProblem.HANDICAP_WITHOUT_STONES(text=policy.text[:40]), policy.line)


def _derive_stones(rows: list[ParsedRow], correction: int, policy: HeadText, problems: Problems) -> None:
    by_number = {row.number: row for row in rows}
    derived = unknown = 0
    for row, other, round_ in _list_games(by_number):
        difference = _compare(row, other)
        if difference is None:
            unknown += 1
            continue
        stones = count_stones(difference, correction)
        if not stones:
            continue
        black = difference < 0
        cell, mirror = row.cells[round_], other.cells[round_]
        if cell.black not in (None, black):
            unknown += 1
            continue
        row.cells[round_] = replace(cell, black=black, stones=stones)
        other.cells[round_] = replace(mirror, black=not black, stones=stones)
        derived += 1
    if derived:
        problems.note(FileProblem.STONES_FROM_GRADES(policy=policy.text[:40], games=derived), policy.line)
    if unknown:
        problems.warn(FileProblem.STONES_UNKNOWN(policy=policy.text[:40], games=unknown), policy.line)


def count_stones(difference: int, correction: int) -> int:
    """Return the stones for a difference in ranks."""
    return min(max(abs(difference) - correction, 0), MAX_STONES)


def find_policy(rows: Sequence[ParsedRow]) -> str:
    """Return the policy from which all stones follow, such as h1; h9 if there are none, "" if no policy fits."""
    by_number = {row.number: row for row in rows}
    games = [(_compare(row, other), row.cells[round_]) for row, other, round_ in _list_games(by_number)]
    if not any(cell.stones for _difference, cell in games):
        return EVEN_GAMES_POLICY
    return next((f"h{correction}" for correction in CORRECTIONS if _fits(games, correction)), "")


def _fits(games: Sequence[tuple[int | None, Cell]], correction: int) -> bool:
    return all(
        difference is not None
        and cell.stones == count_stones(difference, correction)
        and (not cell.stones or cell.black == (difference < 0))
        for difference, cell in games
    )


def _list_games(rows: Mapping[int, ParsedRow]) -> Iterator[tuple[ParsedRow, ParsedRow, int]]:
    """Yield each game that both rows have, once, with the index of its round."""
    for number, row in rows.items():
        for round_, cell in enumerate(row.cells):
            other = rows.get(cell.opponent)
            if other is None or number >= other.number or not cell.readable or len(other.cells) <= round_:
                continue
            if other.cells[round_].readable and other.cells[round_].opponent == number:
                yield row, other, round_


def _compare(row: ParsedRow, other: ParsedRow) -> int | None:
    """Return by how many ranks a player is stronger than another one; None if a grade is missing."""
    ranks = [_rank_of(each.grade) for each in (row, other)]
    return None if ranks[0] is None or ranks[1] is None else ranks[0] - ranks[1]


def _rank_of(grade: str | None) -> int | None:
    """Return a rank as a number: 0 for 1 Dan, -1 for 1 Kyu."""
    match = GRADE.fullmatch(grade or "")
    if match is None:
        return None
    return int(match[1]) - 1 if match[2] == "Dan" else -int(match[1])
