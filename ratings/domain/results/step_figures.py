"""Figures recorded with the steps of an event: the players, rounds, games and questions that a step concerned."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.formats.tokens import read_cell
from ratings.models import Entry, Event, Game, Submission

Figures = dict[str, int]
"""Numbers by name: players, rounds, games, new (players), answered (questions), comments."""


def count_submissions(submissions: Iterable[Submission]) -> Figures:
    """Return the figures of some submissions together; `rounds` are those of the longest."""
    figures = {"players": 0, "rounds": 0, "games": 0, "new": 0, "answered": 0}
    for submission in submissions:
        content = content_from_json(submission.content)
        rows = [row for row in content.rows if row.name or row.player]
        figures["players"] += len(rows)
        figures["rounds"] = max(figures["rounds"], content.used_rounds)
        figures["games"] += _count_games(content)
        figures["new"] += sum(1 for row in rows if row.new and not row.player)
        figures["answered"] += len(submission.warnings)
    return figures


def _count_games(content: SheetContent) -> int:
    """Return the number of games with an opponent; a game that stands in both rows is counted once."""
    games = set()
    for number, row in enumerate(content.rows, 1):
        for round_, text in enumerate(row.cells, 1):
            cell = read_cell(text)
            if cell is not None and cell.opponent and cell.opponent != number:
                games.add((round_, min(number, cell.opponent), max(number, cell.opponent)))
    return len(games)


def count_tables(event: Event) -> Figures:
    """Return the figures of the tables of an event, with two queries."""
    entries = Entry.objects.filter(table__event=event)
    games = Game.objects.filter(table__event=event, played=True)
    return {"players": entries.count(), "games": games.count()}
