"""Rounds of a table as pairings with their results."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.templatetags.portal_format import points
from ratings.characters import MINUS
from ratings.queries.events.crosstables import Crosstable, CrosstableCell, CrosstableRow
from ratings.systems.values import GameKind


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
                note = "" if cell.played else _describe_game(cell)
                mark = cell.cell.mark.replace("-", MINUS)
                pairings.append(Pairing(row, rows[cell.opponent.pk], cell.cell.points, note, mark))
        listed.add(row.entry.pk)
    return [*pairings, *unpaired]


def _describe_game(cell: CrosstableCell) -> str:
    """Return in words how a game ended that is not rated, for both players or for the first."""
    both = {GameKind.BOTH_LOST: _("both lost by default"), GameKind.BOTH_WON: _("full point for both")}
    return next((text for kind, text in both.items() if cell.cell.kind == kind), "") or absence(cell)


def absence(cell: CrosstableCell) -> str:
    """Return in words why a player has no rated game in a round, from the points that this player got."""
    if cell.opponent is None:
        return {1: _("bye"), 0.5: _("half bye"), 0: _("absent")}[cell.cell.points]
    if cell.cell.kind == GameKind.UNRATED:
        return {1: _("won, not rated"), 0.5: _("draw, not rated"), 0: _("lost, not rated")}[cell.cell.points]
    return {1: _("forfeit win"), 0.5: _("half bye"), 0: _("forfeit")}[cell.cell.points]
