"""Rounds of a table as pairings with their results."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.templatetags.portal_format import points
from ratings.localize import MINUS
from ratings.queries.events.crosstables import Crosstable, CrosstableCell, CrosstableRow


@dataclass(frozen=True)
class Pairing:
    """A game of a round, or a player without one; `first` is the player who finished higher.

    `result` and `other_result` are the scores of the two as 1, ½ or 0, or `note` says in words that nothing was
    played. `mark` is the handicap and colour of `first` in the federations' notation.
    """

    first: CrosstableRow
    second: CrosstableRow | None
    score: float
    note: str
    mark: str

    @property
    def result(self) -> str:
        return points(self.score)

    @property
    def other_result(self) -> str:
        return points(1 - self.score)


def list_pairings(crosstable: Crosstable, number: int) -> list[Pairing]:
    """Return the pairings of a round, those of the players who finished highest first, unpaired players last."""
    rows = {row.entry.pk: row for row in crosstable.rows}
    listed: set[int] = set()
    pairings, unpaired = [], []
    for row in crosstable.finishing_order:
        for cell in row.rounds[number - 1]:
            if cell.opponent is None:
                unpaired.append(Pairing(row, None, cell.cell.points, absence(cell), ""))
            elif cell.opponent.pk not in listed:
                note = "" if cell.played else absence(cell)
                mark = cell.cell.mark.replace("-", MINUS)
                pairings.append(Pairing(row, rows[cell.opponent.pk], cell.cell.points, note, mark))
        listed.add(row.entry.pk)
    return [*pairings, *unpaired]


def absence(cell: CrosstableCell) -> str:
    """Return in words why a player did not play in a round, from the points that this player got."""
    if cell.opponent is None:
        return {1: _("bye"), 0.5: _("half bye"), 0: _("absent")}[cell.cell.points]
    return {1: _("forfeit win"), 0.5: _("half bye"), 0: _("forfeit")}[cell.cell.points]
