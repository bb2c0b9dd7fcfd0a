"""Dossier of a grade that waits for approval: the rule and the games that earned it, on one to three pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.charts.graph import Drawing
from portal.site.federation_identity import Identity
from ratings.localize import format_day, join_details

from .graph import draw_graph
from .layout import QUIET, Sheet

CREST = 14.0
"""Height of the crest in mm."""


@dataclass(frozen=True)
class Dossier:
    """Content of a dossier, as the texts to print, and the graph of all ratings.

    `games`: date, event, round, opponent, opponent's rating, result, rating after. `earlier` grades: date, grade, how,
    event. Results `since`: date, event, games, rating before, change, rating after. `dated` is the day of writing.
    """

    title: str
    identity: Identity
    facts: Sequence[tuple[str, str]]
    rule: str
    dated: dt.date
    games: Sequence[tuple[str, ...]] = ()
    graph: Drawing | None = None
    earlier: Sequence[tuple[str, ...]] = ()
    since: Sequence[tuple[str, ...]] = ()


class DossierDocument(Sheet):
    """PDF file with its title, the day and the page number in the footer."""

    foot = ""

    def footer(self) -> None:
        self.set_y(-14)
        self.set_font(self.family, "", 7.5)
        self.set_ink(QUIET)
        width = self.epw * 0.8
        self.set_font_size(min(7.5, 7.5 * width / max(self.get_string_width(self.foot), 1)))
        self.cell(width, 5, self.foot)
        self.set_font_size(7.5)
        self.cell(self.epw - width, 5, _("Page %(number)d of {nb}") % {"number": self.page_no()}, align="R")


def write_dossier(dossier: Dossier) -> bytes:
    with DossierDocument("sans", identity=dossier.identity, title=dossier.title, dated=dossier.dated) as sheet:
        sheet.foot = join_details([dossier.identity.name, dossier.title, format_day(dossier.dated)])
        sheet.set_margins(18, 16)
        sheet.set_auto_page_break(auto=True, margin=18)
        sheet.add_page()
        _write_head(sheet)
        sheet.write_line(dossier.title, 17, style="B")
        sheet.ln(2)
        sheet.write_facts(dossier.facts)
        sheet.write_heading(_("Rule"))
        sheet.write_text(dossier.rule, 9)
        _draw_graph(sheet, dossier)
        games, earlier, since = (
            (_("Games that count"), _("No game counts for this grade.")),
            (_("Earlier grades"), _("No earlier grade on this list.")),
            (_("Results since"), _("No results since that day.")),
        )
        _write_section(sheet, games, _games_header(), dossier.games, (19, 40, 12, 45, 16, 14, 16), "LLRLRRR")
        _write_section(sheet, earlier, _earlier_header(), dossier.earlier, (22, 22, 45, 73), "LLLL")
        _write_section(sheet, since, _since_header(), dossier.since, (20, 70, 16, 18, 16, 18), "LLRRRR")
        return bytes(sheet.output())


def _write_head(sheet: Sheet) -> None:
    """Write the federation's name beside its crest, above a line in its colour."""
    top, left = sheet.y, sheet.l_margin
    if sheet.draw_crest(left, top, CREST):
        sheet.set_left_margin(left + CREST + 4)
    sheet.set_y(top + 2)
    sheet.write_line(sheet.identity.name, 12, style="B", colour=sheet.accent)
    if sheet.identity.line:
        sheet.write_line(sheet.identity.line, 8.5, colour=QUIET)
    sheet.set_left_margin(left)
    sheet.set_draw_color(*sheet.accent)
    sheet.set_line_width(0.6)
    sheet.line(left, top + CREST + 2, left + sheet.epw, top + CREST + 2)
    sheet.set_y(top + CREST + 6)


def _draw_graph(sheet: Sheet, dossier: Dossier) -> None:
    if dossier.graph:
        frame = dossier.graph.frame
        sheet.write_heading(_("Rating"), needs=sheet.epw * frame.height / frame.width + 12)
        draw_graph(sheet, dossier.graph)


def _write_section(
    sheet: Sheet,
    texts: tuple[str, str],
    head: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    widths: Sequence[int],
    numbers: str,
) -> None:
    """Write a table below its heading; `texts` are the heading and the sentence that replaces a table without rows."""
    heading, replacement = texts
    sheet.write_heading(heading)
    if rows:
        sheet.write_table(head, rows, widths, numbers)
    else:
        sheet.write_text(replacement, 9, colour=QUIET)


def _games_header() -> list[str]:
    return [_("Date"), _("Event"), _("Round"), _("Opponent"), _("Rating"), _("Result"), _("After")]


def _earlier_header() -> list[str]:
    return [_("Date"), _("Grade"), _("How"), _("Event")]


def _since_header() -> list[str]:
    return [_("Date"), _("Event"), _("Games"), _("Before"), "±", _("After")]
