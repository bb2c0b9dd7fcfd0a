"""Reader of FIDE's rating lists as XML, which it reads as a stream, without a tree of the whole file."""

from __future__ import annotations

import re
from typing import BinaryIO
from xml.sax.xmlreader import AttributesImpl

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems
from ratings.formats.problems import FileProblem
from ratings.formats.xml_elements import LineHandler, parse_xml, parse_xml_stream

from .list_players import ListedField, Selection, finish_list, read_listed_player
from .rating_list import CHAPTERS

TAGS = {"id": "fideid", "name": "name", "country": "country", "sex": "sex", "birth_year": "birthday"}
TEXT_AT_MOST = 200
"""Characters of a field that are kept."""


def looks_like_fide_xml(data: bytes) -> bool:
    """Return True if the root element is that of FIDE's lists."""
    return bool(re.search(rb"<playerslist[\s/>]", data[:1000]))


def read_fide_xml(data: bytes, chapter: str = CHAPTERS[0]) -> tuple[ParsedList | None, Problems]:
    """Return the list, None if the file is no valid XML, and all problems of the file.

    `chapter` names the ratings that are read from a combined list. The file has no day.
    """
    problems = Problems()
    handler = PlayerHandler(chapter, Selection(), problems)
    return _finish(handler, is_valid=parse_xml(data, handler, problems)), problems


def read_fide_xml_stream(stream: BinaryIO, chapter: str, selection: Selection) -> tuple[ParsedList | None, Problems]:
    """Return the selected players of an open file of any size, as `read_fide_xml` does."""
    problems = Problems()
    handler = PlayerHandler(chapter, selection, problems)
    return _finish(handler, is_valid=parse_xml_stream(stream, handler, problems)), problems


def _finish(handler: PlayerHandler, *, is_valid: bool) -> ParsedList | None:
    """Return the list that was read; None if the file is no valid XML and has no player."""
    problems, selection = handler.problems, handler.selection
    if not is_valid and not selection.seen:
        return None
    if is_valid and selection.seen and not handler.has_chapter and not problems.fatal:
        problems.error(FileProblem.CHAPTER_MISSING(chapter=handler.chapter))
    return finish_list(ParsedList(None, tuple(handler.players)), selection.selected, problems)


class PlayerHandler(LineHandler):
    """Handler that reads each player as soon as its element ends."""

    def __init__(self, chapter: str, selection: Selection, problems: Problems) -> None:
        super().__init__()
        self.chapter, self.selection = chapter, selection
        prefix = "" if chapter == CHAPTERS[0] else f"{chapter}_"
        self.tags = TAGS | {"rating": f"{prefix}rating", "k": f"{prefix}k"}
        self.problems = problems
        self.players: list[ParsedPlayer] = []
        self.line, self.has_chapter = 0, False
        self.texts: dict[str, str] = {}
        self.tag = ""

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: ARG002 - the interface's argument
        if name == "player":
            self.texts, self.line = {}, self.current_line
        self.tag = name
        self.texts[name] = ""

    def characters(self, content: str) -> None:
        if self.tag and len(self.texts[self.tag]) < TEXT_AT_MOST:
            self.texts[self.tag] += content

    def endElement(self, name: str) -> None:
        self.tag = ""
        if name == "player":
            self.read_player()

    def read_player(self) -> None:
        self.has_chapter |= self.tags["rating"] in self.texts
        if not self.selection.add(self.texts.get(self.tags["country"], "")):
            return
        fields = {field: ListedField(self.texts.get(tag, "").strip(), f"<{tag}>") for field, tag in self.tags.items()}
        player = read_listed_player(self.line, fields, self.problems)
        self.players += [player] if player else []
