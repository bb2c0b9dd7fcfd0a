"""Writers of rating lists in FIDE's two formats, text in columns and XML, for chess pairing programs.

Text: a title line and a line for each player, all padded to the full width, with CR and LF. Columns from 0: ID 0-14,
`Last, First` 15-75, federation 76-79, sex 80, titles 84-108, FOA 109-112. Then follow rating, games and K of each
chapter, year of birth and flag: from 113 on in a list of one chapter (width 136), and in the combined list of standard,
rapid and blitz (width 162). Unknown numbers are 0. Names are ASCII, as in FIDE's own files: other letters are written
in Latin letters without accents by the library anyascii.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple

from anyascii import anyascii

from ratings.formats.list_rows import ListRow

from .country_codes import federation_code

MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
CHAPTERS = ("standard", "rapid", "blitz")
"""Chapters of the combined list, in the order of its columns."""
HEAD = f"{'ID Number':15}{'Name':61}{'Fed':4}{'Sex':4}{'Tit':5}{'WTit':5}{'OTit':15}{'FOA':4}"
TAIL = f"{'B-day':6}{'Flag':4}"
COMBINED = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK "
NAME_WIDTH = 60
OWN_NUMBERS = 2_000_000_000
"""Added to a player's number on the site where no FIDE id is known: above FIDE's own, and still within 32 bits."""
TAGS_BY_CHAPTER = (
    ("rating", "games", "k"),
    *((f"{name}_rating", f"{name}_games", f"{name}_k") for name in CHAPTERS[1:]),
)


class FideFigures(NamedTuple):
    """Rating, games rated for the list, and K of a player in one chapter; 0 where unrated or unknown."""

    rating: int = 0
    games: int = 0
    k: int = 0


class FideDetails(NamedTuple):
    """Data of a player that the format has beside the row.

    `number` is that of the player on the site, `fide_id` the confirmed id. `games` and `k` are those of the list's
    month; None where the list's system has no such number. `sex` is M or F, and `birth_year` not 0, only if public.
    """

    number: int
    fide_id: str = ""
    k: int | None = None
    games: int | None = None
    sex: str = ""
    birth_year: int = 0


class FideLine(NamedTuple):
    """A line of a list, with the figures of one chapter, or of all three in the order of `CHAPTERS`."""

    id: int
    family: str
    given: str
    country: str
    figures: tuple[FideFigures, ...]
    sex: str = ""
    birth_year: int = 0
    inactive: bool = False

    @property
    def name(self) -> str:
        """The name as FIDE writes it, `Last, First`, in ASCII."""
        name = anyascii(", ".join(filter(None, (self.family, self.given))))
        return re.sub(r"[^ -~]", "", name)

    @property
    def flag(self) -> str:
        """The flag: i for inactive, w for woman, wi for both."""
        return f"{'w' if self.sex == 'F' else ''}{'i' if self.inactive else ''}"


def make_line(row: ListRow, details: FideDetails) -> FideLine:
    """Return the line of a row of a list with one chapter."""
    games = row.games if details.games is None else details.games
    return FideLine(
        int(details.fide_id or OWN_NUMBERS + details.number),
        row.family,
        row.given,
        row.country,
        (FideFigures(round(row.rating), games, details.k or 0),),
        details.sex,
        details.birth_year,
        row.category == "inactive",
    )


def write_fide_list(day: dt.date, lines: Iterable[FideLine]) -> str:
    """Return a list of one chapter as text, in the given order, with the month of `day` as the title of the rating."""
    month = f"{MONTHS[day.month - 1]}{day.year % 100:02}"
    return _write_text(f"{month:6}Gms K  ", lines)


def write_combined_list(lines: Iterable[FideLine]) -> str:
    """Return the combined list of the three chapters as text, in the given order."""
    return _write_text(COMBINED, lines)


def _write_text(rating_titles: str, lines: Iterable[FideLine]) -> str:
    return "".join(f"{line}\r\n" for line in [HEAD + rating_titles + TAIL, *map(_format_line, lines)])


def _format_line(line: FideLine) -> str:
    figures = "".join(f"{rating:<6}{games:<4}{k:<3}" for rating, games, k in line.figures)
    federation = federation_code(line.country)
    return (
        f"{line.id:<15}{line.name:{NAME_WIDTH}.{NAME_WIDTH}} {federation:4}{line.sex:4}{'':29}"
        f"{figures}{line.birth_year:<6}{line.flag:4}"
    )


def write_fide_xml(lines: Iterable[FideLine]) -> Iterator[str]:
    """Yield the parts of a list as XML: the elements of each player in FIDE's order, those without a value empty."""
    yield "<playerslist>\n"
    for line in lines:
        values: list[tuple[str, str | int]] = [
            ("fideid", line.id),
            ("name", line.name),
            ("country", federation_code(line.country)),
            ("sex", line.sex),
            *((tag, "") for tag in ("title", "w_title", "o_title", "foa_title")),
        ]
        for tags, figures in zip(TAGS_BY_CHAPTER, line.figures, strict=False):
            values += zip(tags, figures, strict=True)
        values += [("birthday", line.birth_year), ("flag", line.flag)]
        body = "".join(f"<{tag}>{escape(str(value), quote=False)}</{tag}>\n" for tag, value in values)
        yield f"<player>\n{body}</player>\n"
    yield "</playerslist>\n"
