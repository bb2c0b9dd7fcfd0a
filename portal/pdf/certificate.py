"""Certificate of a grade: one landscape page to hang on a wall, with the address that confirms it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.site.federation_identity import Identity

from .layout import QUIET, Sheet, can_write

GOLD, PALE = (158, 122, 52), (252, 250, 244)
MARGIN, WIDTH, HEIGHT = 34.0, 297.0, 210.0
CORNER = 9.0
CREST = 18.0
"""Width and height of the crest in mm."""


@dataclass(frozen=True)
class Certificate:
    """Content of a certificate: `earned` says in sentences how it was earned, `event` where; `address` confirms it."""

    name: str
    native: str
    grade: str
    list: str
    identity: Identity
    day: dt.date
    earned: str
    event: str
    address: str


def write_certificate(certificate: Certificate) -> bytes:
    title = _("%(name)s, %(grade)s") % {"name": certificate.name, "grade": certificate.grade}
    identity = certificate.identity
    with Sheet("serif", identity=identity, title=title, dated=certificate.day, landscape=True) as sheet:
        sheet.set_auto_page_break(auto=False)
        sheet.set_margins(MARGIN, MARGIN)
        sheet.add_page()
        _draw_frame(sheet)
        _write_texts(sheet, certificate)
        _draw_seal(sheet, WIDTH / 2, 166)
        sheet.set_y(179)
        sheet.write_line(_("Check whether this certificate is valid:"), 10.5, align="C", colour=QUIET)
        sheet.write_line(certificate.address, 11, align="C", link=certificate.address)
        return bytes(sheet.output())


def _write_texts(sheet: Sheet, certificate: Certificate) -> None:
    sheet.set_y(28)
    sheet.set_char_spacing(1.6)
    sheet.write_line(certificate.identity.name.upper(), 14, align="C", colour=sheet.accent)
    sheet.set_char_spacing(0)
    sheet.ln(1)
    sheet.write_line(_("Certificate of Grade"), 42, align="C")
    sheet.ln(1)
    sheet.write_line(_("This is to certify that"), 15, style="I", align="C", colour=QUIET)
    shows_native = bool(certificate.native) and can_write(certificate.native)
    sheet.set_y(70 if shows_native else 75)
    sheet.write_line(certificate.name, 46, style="B", align="C")
    if shows_native:
        sheet.write_line(certificate.native, 18, align="C")
    sheet.set_y(104)
    sheet.write_line(_("holds the grade of"), 15, style="I", align="C", colour=QUIET)
    sheet.write_line(certificate.grade, 42, style="B", align="C", colour=GOLD)
    sheet.ln(1)
    since = _("on the rating list “%(list)s” since %(day)s") % {"list": certificate.list, "day": certificate.day}
    sheet.write_line(since, 15, align="C")
    sheet.write_line(certificate.earned, 12.5, style="I", align="C", colour=QUIET)
    if certificate.event:
        sheet.write_line(certificate.event, 12.5, align="C", colour=QUIET)


def _draw_frame(sheet: Sheet) -> None:
    """Draw two lines with cut-in corners, and a small diamond in each corner."""
    sheet.set_fill_color(*PALE)
    sheet.rect(0, 0, WIDTH, HEIGHT, style="F")
    for inset, width, colour in ((10.0, 1.1, sheet.head), (13.0, 0.35, GOLD)):
        sheet.set_draw_color(*colour)
        sheet.set_line_width(width)
        sheet.polyline(_outline_points(inset), polygon=True)
    sheet.set_fill_color(*GOLD)
    for x in (13.5, WIDTH - 13.5):
        for y in (13.5, HEIGHT - 13.5):
            sheet.polyline([(x, y - 2), (x + 2, y), (x, y + 2), (x - 2, y)], polygon=True, style="F")


def _outline_points(inset: float) -> list[tuple[float, float]]:
    left, top, right, bottom = inset, inset, WIDTH - inset, HEIGHT - inset
    return [
        (left + CORNER, top),
        (right - CORNER, top),
        (right - CORNER, top + CORNER),
        (right, top + CORNER),
        (right, bottom - CORNER),
        (right - CORNER, bottom - CORNER),
        (right - CORNER, bottom),
        (left + CORNER, bottom),
        (left + CORNER, bottom - CORNER),
        (left, bottom - CORNER),
        (left, top + CORNER),
        (left + CORNER, top + CORNER),
    ]


def _draw_seal(sheet: Sheet, x: float, y: float) -> None:
    """Draw the federation's crest, or a rosette if it has none, between two lines, centred at (x, y) in mm."""
    sheet.set_draw_color(*GOLD)
    sheet.set_fill_color(*GOLD)
    sheet.set_line_width(0.3)
    sheet.line(x - 60, y, x - 11, y)
    sheet.line(x + 11, y, x + 60, y)
    if sheet.draw_crest(x - CREST / 2, y - CREST / 2, CREST):
        return
    sheet.star(x, y, 6.6, 8, 24, style="F")
    sheet.set_draw_color(*PALE)
    sheet.circle(x, y, 5.6, style="D")
    sheet.set_fill_color(*PALE)
    sheet.star(x, y, 1.7, 4.2, 5, rotate_degrees=0, style="F")
