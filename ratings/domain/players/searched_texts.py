"""Texts of uploaded files and of tables in every form in which a person's name may be written in them."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ratings.formats.encodings import repair_text
from ratings.formats.spreadsheet.workbook import UNPACKED_AT_MOST
from ratings.formats.zip_errors import ZIP_ERRORS
from ratings.matching import fold
from ratings.queries.players.names import SECOND_LETTER

ENCODINGS = ("utf-8", "cp1252", "latin-1", "iso-8859-15", "cp932")
UTF_16 = ("utf-16-le", "utf-16-be")
DECLARED_ENCODING = re.compile(rb"""\bencoding\s*=\s*["']([\w.:-]{1,40})["']""")
"""Encoding that an XML file declares; its parser reads every encoding of one byte per character."""
DECLARATION_BYTES = 200
JSON_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
"""Soft hyphens and characters without width, which may stand within a word."""


@dataclass(frozen=True)
class SearchedText:
    """A text with folded lines. `is_one_row`: names can span all of it, as the cells of a workbook or of a row."""

    folded: str
    is_one_row: bool = False

    @cached_property
    def spelled(self) -> str:
        """The text with ae, oe, ue and aa as one letter, as ä, ö, ü and å are folded."""
        return SECOND_LETTER.sub("", self.folded)


def read_searched_texts(data: bytes) -> Iterator[SearchedText]:
    """Yield the text of a file in every encoding that is read; a workbook is one row, because names can span cells.

    A workbook is read up to UNPACKED_AT_MOST bytes; its reader refuses one that has more.
    """
    is_workbook = data.startswith(b"PK")
    if is_workbook:
        try:
            data = _read_xml(data)
        except ZIP_ERRORS:
            return
    texts = dict.fromkeys(each for text in _decode(data) for each in _list_forms(text))
    for folded in dict.fromkeys(map(_fold_lines, texts)):
        yield SearchedText(folded, is_one_row=is_workbook)


def list_searched_texts(text: str) -> list[SearchedText]:
    """Return the forms of a text whose parts all belong together, such as a row of a table."""
    return [SearchedText(_fold_lines(each), is_one_row=True) for each in _list_forms(text)]


def list_row_texts(cells: Iterable[str]) -> list[SearchedText]:
    """Return the forms of a row of a table, with brackets between the cells."""
    return list_searched_texts("[" + "][".join(cells) + "]")


def _decode(data: bytes) -> Iterator[str]:
    """Yield a file in the encodings it may have; invalid bytes are replaced, because the rest can name a person."""
    if data.isascii():
        yield data.decode("ascii")
    else:
        declared = DECLARED_ENCODING.search(data[:DECLARATION_BYTES])
        for encoding in dict.fromkeys((*ENCODINGS, *([declared[1].decode()] if declared else ()))):
            try:
                yield data.decode(encoding, "replace")
            except (LookupError, UnicodeError):  # an unknown encoding, or one that is not of texts
                continue
    if b"\0" in data or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        for encoding in UTF_16:
            yield data.decode(encoding, "replace")


def _list_forms(text: str) -> list[str]:
    """Return a text as it is, with its entities and escapes replaced, and with wrongly decoded letters repaired."""
    unescaped = html.unescape(text)
    if "\\u" in unescaped:
        unescaped = JSON_ESCAPE.sub(lambda match: chr(int(match[1], 16)), unescaped)
        unescaped = unescaped.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return list(dict.fromkeys((text, unescaped, repair_text(unescaped))))


def _fold_lines(text: str) -> str:
    """Return a text with each line folded; words are folded one by one, because most are short and occur often."""
    if not text.isascii():
        text = INVISIBLE.sub("", text)
    return "\n".join(" ".join(map(_fold_word, line.split())) for line in text.splitlines())


@lru_cache(maxsize=10_000)
def _fold_non_ascii(word: str) -> str:
    return fold(word)


def _fold_word(word: str) -> str:
    return word.lower() if word.isascii() else _fold_non_ascii(word)


def _read_xml(workbook: bytes) -> bytes:
    parts, left = [], UNPACKED_AT_MOST
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        for name in archive.namelist():
            if name.endswith(".xml"):
                with archive.open(name) as member:
                    parts.append(member.read(left))
                left -= len(parts[-1])
    return b"\n".join(parts)
