"""The dossier of a grade that waits for approval: what was earned by what rule and games, on one to three sheets."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from . import graph
from .layout import QUIET, Sheet

GRAPH = 62.0


@dataclass(frozen=True)
class Dossier:
    """What an approver sees, all of it in words as they are to be read; the dates of `graph` and `marks` are drawn.

    `games`: date, event, round, opponent, opponent's rating, result, rating after. `earlier` grades: date, grade, how,
    event. Results `since`: date, event, games, rating before, change, rating after. `dated` is the day of writing.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    rule: str
    dated: dt.date
    games: Sequence[tuple[str, ...]] = ()
    graph: Sequence[tuple[dt.date, float]] = ()
    marks: Sequence[tuple[dt.date, str]] = ()
    bound: float | None = None
    earlier: Sequence[tuple[str, ...]] = ()
    since: Sequence[tuple[str, ...]] = ()


class DossierSheet(Sheet):
    """With its title, the day and the sheet's number at the foot."""

    foot = ""

    def footer(self) -> None:
        self.set_y(-14)
        self.set_font(self.family, "", 7.5)
        self.ink(QUIET)
        self.cell(self.epw / 2, 5, self.foot)
        self.cell(self.epw / 2, 5, _("Sheet %(number)d of {nb}") % {"number": self.page_no()}, align="R")


def write(dossier: Dossier) -> bytes:
    with DossierSheet("sans", title=dossier.title, dated=dossier.dated) as sheet:
        sheet.foot = f"{dossier.title} · {dossier.dated}"
        sheet.set_margins(18, 16)
        sheet.set_auto_page_break(auto=True, margin=18)
        sheet.add_page()
        sheet.write_line(dossier.title, 17, style="B")
        sheet.ln(2)
        sheet.facts(dossier.facts)
        sheet.heading(_("Rule"))
        sheet.write_text(dossier.rule, 9)
        _graph(sheet, dossier)
        _section(sheet, _("Games that count"), _games_head(), dossier.games, (19, 40, 12, 45, 16, 14, 16), "LLRLRRR")
        _section(sheet, _("Earlier grades"), _earlier_head(), dossier.earlier, (22, 22, 45, 73), "LLLL")
        _section(sheet, _("Results since"), _since_head(), dossier.since, (20, 70, 16, 18, 16, 18), "LLRRRR")
        return bytes(sheet.output())


def _graph(sheet: Sheet, dossier: Dossier) -> None:
    if dossier.graph:
        sheet.heading(_("Rating"), needs=GRAPH + 12)
        graph.draw(sheet, dossier.graph, dossier.marks, dossier.bound, GRAPH)


def _section(
    sheet: Sheet, title: str, head: Sequence[str], rows: Sequence[tuple[str, ...]], widths: Sequence[int], numbers: str
) -> None:
    sheet.heading(title)
    if rows:
        sheet.listing(head, rows, widths, numbers)
    else:
        sheet.write_text(_("None."), 9, colour=QUIET)


def _games_head() -> list[str]:
    return [_("Date"), _("Event"), _("Round"), _("Opponent"), _("Rating"), _("Result"), _("After")]


def _earlier_head() -> list[str]:
    return [_("Date"), _("Grade"), _("How"), _("Event")]


def _since_head() -> list[str]:
    return [_("Date"), _("Event"), _("Games"), _("Before"), "±", _("After")]
