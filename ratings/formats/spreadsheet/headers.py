"""Recognition of a sheet's columns by the titles in its header row, in English, French or German."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from ratings.formats.parsed import ROUNDS_AT_MOST
from ratings.formats.problems import FileProblem

WORDS = {
    "number": "nr no n° # number numero nummer",
    "place": "place platz rang rank pos position",
    "player id": "player-id public-id id-du-joueur spieler-id",
    "family": "last-name family-name surname nom nom-de-famille nachname familienname",
    "given": "first-name given-name forename prenom vorname",
    "name": "name full-name",
    "country": "country nationality nat federation fed pays nationalite land nation nationalitat",
    "new": "new nouveau neu n",
    "macmahon": "mm macmahon mac-mahon start-points",
    "points": "points pts punkte pkt",
    "round": "round runde ronde tour rd",
    "player": "player joueur spieler",
    "player family": "player-last-name nom-du-joueur nachname-spieler spieler-nachname",
    "player given": "player-first-name prenom-du-joueur vorname-spieler spieler-vorname",
    "opponent": "opponent adversaire gegner",
    "opponent family": "opponent-last-name nom-de-l'adversaire nachname-gegner gegner-nachname",
    "opponent given": "opponent-first-name prenom-de-l'adversaire vorname-gegner gegner-vorname",
    "result": "result resultat ergebnis score res erg",
    "white": "white weiss blancs blanc gote",
    "black": "black schwarz noirs noir sente",
    "handicap": "handicap vorgabe",
    "giver": "handicap-giver giver donneur geber vorgabegeber donneur-du-handicap",
    "colour": "colour color couleur farbe",
}
MEANING = {word.replace("-", " "): column for column, words in WORDS.items() for word in words.split()}
ROUND_TITLE = re.compile(r"(?:r|t|rd|round|runde|ronde|tour)?\s*(\d{1,3})", re.ASCII)
HEAD_WORDS = {
    "name": "event tournament tournoi turnier event-name",
    "place": "place city ort lieu ville",
    "country": "country pays land",
    "first": "first-day start from date premier-jour debut erster-tag beginn",
    "last": "last-day end to dernier-jour fin letzter-tag ende",
    "control": "time-control cadence bedenkzeit",
}
HEAD_MEANING = {word.replace("-", " "): key for key, words in HEAD_WORDS.items() for word in words.split()}


@dataclass(slots=True)
class Columns:
    """The columns of a sheet by their meaning, with the index of each from 0.

    `rounds` are by round number; `repeated` and `unknown` hold the titles of repeated and unknown columns.
    """

    at: dict[str, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    width: int = 0

    @property
    def is_games(self) -> bool:
        """Return True if the sheet is a list of games, with one game per row."""
        player, opponent = {"player", "player family", "family"} & set(self.at), {"opponent", "opponent family"}
        return {"round", "result"} <= set(self.at) and bool(player and opponent & set(self.at))

    @property
    def is_pairings(self) -> bool:
        """Return True if the sheet has the pairings of a pairing program, with White and Black in columns."""
        return {"white", "black", "result"} <= set(self.at)

    @property
    def is_crosstable(self) -> bool:
        """Return True if the sheet is a crosstable, with one row per player and one column per round."""
        return bool(self.rounds) and bool({"family", "name", "player"} & set(self.at))


def normalize_title(text: str) -> str:
    """Return a title in lower case, without accents, repeated blanks and punctuation at its end."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[-_]", " ", letters.replace("’", "'")).split()).rstrip(" .:")


def identify_columns(titles: list[str]) -> Columns:
    """Return the columns that the titles name; the caller has to check if they make a table.

    A column of places holds the numbers of the rows, unless there is another one for these.
    """
    columns = Columns(width=len(titles))
    for index, title in enumerate(titles):
        normalized = normalize_title(title)
        numbered = ROUND_TITLE.fullmatch(normalized)
        meaning = MEANING.get(normalized) or MEANING.get(title.strip().casefold())
        if meaning and meaning not in columns.at:
            columns.at[meaning] = index
        elif numbered and int(numbered[1]) not in columns.rounds:
            columns.rounds[int(numbered[1])] = index
        elif meaning or numbered:
            columns.repeated.append(title.strip())
        elif normalized:
            columns.unknown.append(title.strip())
    if "place" in columns.at and "number" not in columns.at:
        columns.at["number"] = columns.at.pop("place")
    return columns


def find_round_title_error(columns: Columns) -> str | None:
    """Return the error in the titles of the rounds, None if they are 1, 2, 3 … from left to right."""
    if len(columns.rounds) > ROUNDS_AT_MOST:
        return FileProblem.TOO_MANY_ROUNDS(rounds=len(columns.rounds), most=ROUNDS_AT_MOST)
    if list(columns.rounds) != list(range(1, len(columns.rounds) + 1)):
        return FileProblem.ROUND_TITLES(titles=list(columns.rounds))
    return None
