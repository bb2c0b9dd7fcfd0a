"""Certificate of a grade: one landscape page to hang on a wall, with its signers and the address that confirms it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.charts.qr import Code, make_code
from portal.site.federation_identity import Identity
from ratings.localize import format_day

from .layout import INK, QUIET, Sheet, can_write

GOLD, PALE = (158, 122, 52), (252, 250, 244)
MARGIN, WIDTH, HEIGHT = 34.0, 297.0, 210.0
CORNER = 9.0
FOOT = 165.0
"""Top of the signatures, the references and the QR code, in mm."""
SIGN_WIDTH, CHECK_WIDTH, QR_SIZE = 62.0, 54.0, 24.0
CREST = 14.0
"""Width and height of the crest in mm."""


@dataclass(frozen=True)
class Signer:
    name: str
    office: str


@dataclass(frozen=True)
class Certificate:
    """Content of a certificate: `earned` says in sentences how and where it was earned.

    `address` is the page that confirms it, empty if there is none. `references` are those of the federation and of the
    approving body. A `draft` is marked as not valid.
    """

    name: str
    native: str
    grade: str
    list: str
    identity: Identity
    day: dt.date
    earned: str
    address: str
    signers: Sequence[Signer] = ()
    references: Sequence[str] = ()
    draft: bool = False


def write_certificate(certificate: Certificate) -> bytes:
    title = _("%(name)s, %(grade)s") % {"name": certificate.name, "grade": certificate.grade}
    identity = certificate.identity
    with Sheet("serif", identity=identity, title=title, dated=certificate.day, landscape=True) as sheet:
        sheet.set_auto_page_break(auto=False)
        sheet.set_margins(MARGIN, MARGIN)
        sheet.add_page()
        _draw_frame(sheet)
        _write_texts(sheet, certificate)
        _draw_seal(sheet, WIDTH / 2, FOOT - 10.5)
        _write_signers(sheet, certificate.signers)
        _write_check(sheet, certificate)
        if certificate.draft:
            _write_draft(sheet)
        return bytes(sheet.output())


def _write_signers(sheet: Sheet, signers: Sequence[Signer]) -> None:
    """Write a line to sign on for each signer, with their name and office below it."""
    sheet.set_draw_color(*INK)
    sheet.set_line_width(0.25)
    for number, signer in enumerate(signers[:2]):
        left = MARGIN + number * (SIGN_WIDTH + 12)
        sheet.line(left, FOOT + 10, left + SIGN_WIDTH, FOOT + 10)
        sheet.set_xy(left, FOOT + 11)
        for text, size, style, colour in ((signer.name, 11.0, "B", INK), (signer.office, 9.0, "", QUIET)):
            sheet.set_font(sheet.family, style, size)
            sheet.set_ink(colour)
            sheet.multi_cell(SIGN_WIDTH, size * 0.3528 * 1.2, text, align="L", new_x="LEFT", new_y="NEXT")


def _write_check(sheet: Sheet, certificate: Certificate) -> None:
    """Draw the QR code of the address at the right, and beside it the references and the address in words."""
    left = WIDTH - MARGIN - QR_SIZE
    if certificate.address:
        _draw_code(sheet, make_code(certificate.address), left, FOOT)
    sheet.set_font(sheet.family, "B", 9.5)
    sheet.set_ink()
    sheet.set_xy(left - CHECK_WIDTH - 4, FOOT)
    for reference in certificate.references:
        sheet.cell(CHECK_WIDTH, 4.2, reference, align="R", new_x="LEFT", new_y="NEXT")
        sheet.set_font(sheet.family, "", 9.5)
    if not certificate.address:
        return
    sheet.set_font(sheet.family, "", 8.5)
    sheet.set_ink(QUIET)
    sheet.cell(CHECK_WIDTH, 4.2, _("Check whether this certificate is valid:"), align="R", new_x="LEFT", new_y="NEXT")
    for part in _split_address(certificate.address):
        sheet.set_font_size(8.5)
        sheet.set_font_size(min(8.5, 8.5 * CHECK_WIDTH * 0.97 / max(sheet.get_string_width(part), 1)))
        sheet.cell(CHECK_WIDTH, 3.9, part, align="R", link=certificate.address, new_x="LEFT", new_y="NEXT")


def _split_address(address: str) -> list[str]:
    """Return an address in lines that end after a slash, so that it can be typed."""
    _host, slash, path = address.partition("://")[2].partition("/")
    start = address[: len(address) - len(path)]
    return [start, path] if slash else [address]


def _draw_code(sheet: Sheet, code: Code, x: float, y: float) -> None:
    """Draw a QR code with its white margin into a square whose upper left corner is (x, y), in mm."""
    sheet.set_fill_color(255, 255, 255)
    sheet.rect(x - 1.5, y - 1.5, QR_SIZE + 3, QR_SIZE + 3, style="F")
    sheet.set_fill_color(*INK)
    module = QR_SIZE / code.size
    for column, row, length in code.runs:
        sheet.rect(x + column * module, y + row * module, length * module, module, style="F")


def _write_draft(sheet: Sheet) -> None:
    """Write across the page that the certificate is a draft."""
    with sheet.local_context(fill_opacity=0.16), sheet.rotation(28, WIDTH / 2, HEIGHT / 2):
        sheet.set_font(sheet.family, "B", 150)
        sheet.set_ink(INK)
        sheet.set_xy(MARGIN, HEIGHT / 2 - 33)
        sheet.cell(WIDTH - 2 * MARGIN, 66, _("Draft"), align="C")


def _write_texts(sheet: Sheet, certificate: Certificate) -> None:
    sheet.set_y(24)
    sheet.set_char_spacing(1.6)
    sheet.write_line(certificate.identity.name.upper(), 14, align="C", colour=sheet.accent)
    sheet.set_char_spacing(0)
    sheet.ln(1)
    sheet.write_line(_("Certificate of Grade"), 42, align="C")
    sheet.ln(1)
    sheet.write_line(_("This is to certify that"), 15, style="I", align="C", colour=QUIET)
    shows_native = bool(certificate.native) and can_write(certificate.native)
    sheet.set_y(63 if shows_native else 67)
    sheet.write_line(certificate.name, 46, style="B", align="C")
    if shows_native:
        sheet.write_line(certificate.native, 18, align="C")
    sheet.set_y(95)
    sheet.write_line(_("holds the grade of"), 15, style="I", align="C", colour=QUIET)
    sheet.write_line(certificate.grade, 42, style="B", align="C", colour=GOLD)
    sheet.ln(1)
    since = _("on the rating list “%(list)s” since %(day)s") % {
        "list": certificate.list,
        "day": format_day(certificate.day),
    }
    sheet.write_line(since, 15, align="C")
    for sentence in certificate.earned.splitlines():
        sheet.write_line(sentence, 12.5, style="I", align="C", colour=QUIET)


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
    sheet.line(x - 60, y, x - 9, y)
    sheet.line(x + 9, y, x + 60, y)
    if sheet.draw_crest(x - CREST / 2, y - CREST / 2, CREST):
        return
    sheet.star(x, y, 5.4, 6.6, 24, style="F")
    sheet.set_draw_color(*PALE)
    sheet.circle(x, y, 4.6, style="D")
    sheet.set_fill_color(*PALE)
    sheet.star(x, y, 1.4, 3.4, 5, rotate_degrees=0, style="F")
