"""Games in the cells of a crosstable: links to the opponent's row, with the result in words for screen readers.

They say “won against Lind, Ada, 19+”. Names in every cell would nearly double the weight of large crosstables: there
they say “19+ won”, and the link leads to the opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.html import escape
from django.utils.translation import gettext as _

from portal.events.rounds import absence
from portal.templatetags.portal_format import comma_name
from ratings.characters import MINUS
from ratings.queries.events.crosstables import Crosstable, CrosstableCell

SIGNS = {1: "+", 0.5: "=", 0: MINUS}
"""Sign of a result in the cell of a game."""
RESULTS = {1: f"<b>{SIGNS[1]}</b>", 0.5: f"<i>{SIGNS[0.5]}</i>", 0: SIGNS[0]}
"""Signs as HTML; short elements, which the style sheet selects, keep large tables light."""
ROW_ID = "r"
"""Prefix of the ids of rows, short because every cell repeats it."""
MAX_ROWS_WITH_NAMES = 200
"""Number of players up to which the cell of a game names the opponent for screen readers."""


def make_game_writer(crosstable: Crosstable) -> Callable[[CrosstableCell], str]:
    """Return the function that writes a game as a link to the opponent's row, or an absence in words.

    A game that is not rated has both.
    """
    position = crosstable.positions
    is_named = len(crosstable.rows) <= MAX_ROWS_WITH_NAMES
    label = _make_labeller(crosstable) if is_named else None
    words = {1: escape(_("won")), 0.5: escape(_("draw")), 0: escape(_("lost"))}

    def write(cell: CrosstableCell) -> str:
        if cell.opponent is None:
            return f"<i>{escape(absence(cell))}{cell.cell.mark}</i>"
        if not cell.played:
            row = position[cell.opponent.number]
            text = f"{row}{SIGNS[cell.cell.points]}{cell.cell.mark.replace('-', MINUS)}"
            return f'<i><a href="#{ROW_ID}{row}">{text}</a> {escape(absence(cell))}</i>'
        row, score = position[cell.opponent.number], cell.cell.points
        mark = cell.cell.mark.replace("-", MINUS)
        text = f"{row}{RESULTS[score]}{mark}"
        if label is None:
            return f'<a href="#{ROW_ID}{row}">{text}<u> {words[score]}</u></a>'
        return f'<a href="#{ROW_ID}{row}" aria-label="{label(cell, f"{row}{SIGNS[score]}{mark}")}">{text}</a>'

    return write


def _make_labeller(crosstable: Crosstable) -> Callable[[CrosstableCell, str], str]:
    """Return a function that describes a game in words, as escaped HTML."""
    names: Mapping[int, str] = {row.entry.number: escape(comma_name(row.entry.player)) for row in crosstable.rows}
    patterns = {
        1: escape(_("won against {name}, {result}")),
        0.5: escape(_("draw with {name}, {result}")),
        0: escape(_("lost to {name}, {result}")),
    }

    def label(cell: CrosstableCell, text: str) -> str:
        name = names[cell.opponent.number] if cell.opponent else ""
        return patterns[cell.cell.points].format(name=name, result=text)

    return label
