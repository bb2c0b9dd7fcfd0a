"""Reader and writer of RenjuNet's database (.rif): countries, cities, rules, players, tournaments and games in XML.

Source: the programs that compute RIF's rating and import the database. All data are attributes. The texts of games
(moves, notes) and the lists of openings and months are not read. The file is UTF-8; bytes that are not are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.sax.xmlreader import AttributesImpl

from ratings.formats.parsed import BYTES_AT_MOST, Problems
from ratings.formats.problems import FileProblem
from ratings.formats.xml_elements import TEXT_AT_MOST, Element, LineHandler, clean_text, parse_xml, write_element

ROOT = re.compile(
    rb"<database[\s>].*?<(countries|cities|months|rules|openings|players|tournaments|games)[\s/>]", re.DOTALL
)
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "country": ("id", "name", "abbr"),
    "city": ("id", "country", "name"),
    "rule": ("id", "name", "category"),
    "player": ("id", "disp_id", "name", "surname", "native_name", "country", "gender", "birth"),
    "tournament": ("id", "name", "country", "city", "year", "month", "start", "end", "rule", "rated", "type"),
    "game": ("id", "tournament", "round", "black", "white", "bresult", "unrated"),
}
"""Attributes that are read, by element."""
GROUPS = {
    "country": "countries",
    "city": "cities",
    "rule": "rules",
    "player": "players",
    "tournament": "tournaments",
    "game": "games",
}
"""Element that contains all elements of a kind."""


@dataclass(slots=True)
class Database:
    """Elements of a database by kind and id, and the games of each tournament by its id."""

    elements: dict[str, dict[str, Element]] = field(default_factory=lambda: {tag: {} for tag in ATTRIBUTES})
    games: dict[str, list[Element]] = field(default_factory=dict)

    def find(self, tag: str, id: str) -> Element | None:
        return self.elements[tag].get(id)

    @property
    def tournaments(self) -> Iterable[Element]:
        return self.elements["tournament"].values()

    @property
    def rated(self) -> list[Element]:
        """The rated tournaments of the usual type that have games."""
        return [each for each in self.tournaments if is_rated(each) and self.games.get(each.get("id"))]


def is_rated(tournament: Element) -> bool:
    """Return True if a tournament is rated and of the usual type."""
    return tournament.get("rated") != "0" and tournament.get("type") in ("", "0")


def describe_left_out(database: Database) -> str:
    """Return how many tournaments of a database are not rated or have no games, "" if there are none."""
    unrated = sum(not is_rated(each) for each in database.tournaments)
    empty = sum(is_rated(each) for each in database.tournaments) - len(database.rated)
    return FileProblem.RIF_LEFT_OUT(unrated=unrated, empty=empty) if unrated or empty else ""


def looks_like_rif(data: bytes) -> bool:
    """Return True if the root element is that of RenjuNet's database."""
    return bool(ROOT.search(data[:5000]))


def read_database(data: bytes, problems: Problems, *, most: int = BYTES_AT_MOST) -> Database | None:
    """Return the database of a file of at most `most` bytes; None after adding an error if it is no valid XML."""
    handler = _DatabaseHandler(problems)
    if len(data) <= most and not _is_utf_8(data):
        data = data.decode("utf-8", "replace").encode()
    if not parse_xml(data, handler, problems, most=most):
        return None
    database = handler.database
    for id, games in database.games.items():
        if database.find("tournament", id) is None:
            for game in games:
                problems.error(describe_unknown(game, "tournament", id), game.line)
    return database


def describe_unknown(element: Element, missing: str, id: str) -> str:
    """Return the problem of an element that refers to an element which the database does not have."""
    return FileProblem.RIF_ID_UNKNOWN(element=element.tag, id=element.get("id")[:20], missing=missing, text=id[:20])


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class _DatabaseHandler(LineHandler):
    """Handler that collects the elements with their attributes."""

    def __init__(self, problems: Problems) -> None:
        super().__init__()
        self.database, self.problems = Database(), problems
        self.ids_of_games: set[str] = set()

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        wanted = ATTRIBUTES.get(name)
        if wanted is None:
            return
        line = self.current_line
        names = (key for key in wanted if key in attrs)
        element = Element(name, line, {key: clean_text(attrs.getValue(key)[:TEXT_AT_MOST]) for key in names})
        id = element.get("id")
        known = self.ids_of_games if name == "game" else self.database.elements[name]
        if not id:
            self.problems.error(FileProblem.RIF_ID_MISSING(element=name), line)
        elif id in known:
            self.problems.error(FileProblem.RIF_ID_TWICE(element=name, id=id[:20]), line)
        elif name == "game":
            self.ids_of_games.add(id)
            self.database.games.setdefault(element.get("tournament"), []).append(element)
        else:
            self.database.elements[name][id] = element


def write_tournament(database: Database, tournament: Element) -> bytes:
    """Return a database with one tournament, its games, and the players, cities, countries and rule that they name.

    The bytes depend only on what is read from these elements, so that they are equal in newer databases.
    """
    games = database.games.get(tournament.get("id"), [])
    players = _find_all(database, "player", (game.get(side) for game in games for side in ("black", "white")))
    cities = _find_all(database, "city", [tournament.get("city")])
    named = [element.get("country") for element in (*cities, tournament, *players)]
    kept: Mapping[str, list[Element]] = {
        "country": _find_all(database, "country", named),
        "city": cities,
        "rule": _find_all(database, "rule", [tournament.get("rule")]),
        "player": players,
        "tournament": [tournament],
        "game": games,
    }
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *_write_groups(kept), ""]).encode()


def _find_all(database: Database, tag: str, ids: Iterable[str]) -> list[Element]:
    """Return the elements with these ids, each once, in the order of the ids; unknown ids are left out."""
    return [element for id in dict.fromkeys(ids) if (element := database.find(tag, id)) is not None]


def _write_groups(kept: Mapping[str, list[Element]]) -> Iterator[str]:
    yield '<database version="1.0">'
    for tag, elements in kept.items():
        yield f"<{GROUPS[tag]}>"
        yield from (write_element(tag, element.attributes) for element in elements)
        yield f"</{GROUPS[tag]}>"
    yield "</database>"
