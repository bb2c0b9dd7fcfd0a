"""Reader of small XML files as elements with their line numbers, without document types and entities of their own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from io import BytesIO
from typing import BinaryIO
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from ratings.formats.parsed import BYTES_AT_MOST, SPACES, Problems
from ratings.formats.problems import FileProblem

ELEMENTS_AT_MOST = 50_000
DEPTH_AT_MOST = 20
TEXT_AT_MOST = 500
"""Characters of a text or attribute that are kept."""
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not allow."""


@dataclass(slots=True)
class Element:
    """An element with its attributes, the text directly in it, and its children."""

    tag: str
    line: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def get(self, name: str) -> str:
        """Return an attribute without blanks around it, "" if it is missing."""
        return self.attributes.get(name, "").strip()

    def find(self, tag: str) -> Element | None:
        """Return the first child with a tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def child_text(self, tag: str) -> str:
        """Return the text of the first child with a tag, without blanks around it, "" if there is none."""
        child = self.find(tag)
        return child.text.strip() if child else ""

    def iterate(self, tag: str) -> Iterator[Element]:
        """Yield all elements with a tag below this one, in the order of the file."""
        waiting = [*reversed(self.children)]
        while waiting:
            element = waiting.pop()
            if element.tag == tag:
                yield element
            waiting += reversed(element.children)


class LineHandler(ContentHandler):
    """SAX handler that knows which line is being read."""

    locator: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:
        self.locator = locator

    @property
    def current_line(self) -> int:
        """Number of the line with the element that begins, 0 if the parser does not know it."""
        return (self.locator and self.locator.getLineNumber()) or 0


class _TooManyElementsError(Exception):
    """Error that ends the reading of a file with more elements than any results file has."""


def parse_xml(data: bytes, handler: ContentHandler, problems: Problems, *, most: int = BYTES_AT_MOST) -> bool:
    """Give a file to a SAX handler; return False after adding an error if it is too large or no valid XML.

    The handler has been given all elements before the error. Document types and entities are refused. `most` is the
    maximum number of bytes.
    """
    if len(data) > most:
        problems.error(FileProblem.FILE_TOO_LARGE(data=len(data), most=most))
        return False
    return parse_xml_stream(BytesIO(data), handler, problems)


def parse_xml_stream(stream: BinaryIO, handler: ContentHandler, problems: Problems) -> bool:
    """Give an open file of any size to a SAX handler; return False after adding an error if it is no valid XML."""
    parser = make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    try:
        parser.parse(stream)
    except SAXParseException as error:
        message = FileProblem.XML_UNREADABLE(column=(error.getColumnNumber() or 0) + 1, error=error.getMessage())
        problems.error(message, error.getLineNumber())
        return False
    except (DefusedXmlException, UnicodeError, LookupError):
        problems.error(FileProblem.XML_FORBIDDEN())
        return False
    return True


def read_elements(data: bytes, problems: Problems) -> Element | None:
    """Return the root element of a file; None after adding an error if it is no valid XML."""
    handler = _ElementHandler()
    try:
        if not parse_xml(data, handler, problems):
            return None
    except _TooManyElementsError:
        problems.error(FileProblem.TOO_MANY_ENTRIES(entries=ELEMENTS_AT_MOST + 1, most=ELEMENTS_AT_MOST))
        return None
    return handler.root


class _ElementHandler(LineHandler):
    """Handler that builds the tree of a file."""

    def __init__(self) -> None:
        super().__init__()
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        self.count += 1
        if self.count > ELEMENTS_AT_MOST or len(self.open) > DEPTH_AT_MOST:
            raise _TooManyElementsError
        attributes = {key: clean_text(attrs.getValue(key)[:TEXT_AT_MOST]) for key in attrs.getNames()}
        element = Element(name, self.current_line, attributes)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def characters(self, content: str) -> None:
        if self.open and len(self.open[-1].text) < TEXT_AT_MOST:
            self.open[-1].text += clean_text(content[:TEXT_AT_MOST])

    def endElement(self, name: str) -> None:  # noqa: ARG002 - the interface's argument
        self.open.pop()


def clean_text(text: str) -> str:
    """Return a text with control characters and no-break spaces as blanks, and with composed accents."""
    return unicodedata.normalize("NFC", text).translate(SPACES).replace("\n", " ")


def escape_attribute(text: str) -> str:
    """Return a text as the value of an attribute between double quotes; characters that XML forbids become blanks."""
    allowed = "".join(" " if FORBIDDEN.match(sign) else sign for sign in text)
    return escape(allowed, quote=True).replace("\n", "&#10;").replace("\t", "&#9;").replace("&#x27;", "'")


def write_element(tag: str, attributes: Mapping[str, object], *, closed: bool = True) -> str:
    """Return a tag with its attributes by name, as programs in Java write them; `closed` makes it a whole element."""
    texts = "".join(f' {name}="{escape_attribute(str(value))}"' for name, value in sorted(attributes.items()))
    return f"<{tag}{texts}/>" if closed else f"<{tag}{texts}>"
