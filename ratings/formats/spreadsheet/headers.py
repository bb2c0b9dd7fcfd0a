"""What the columns of a sheet hold, told by its header row in English, French or German words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from ratings.systems.words import Words as _

from .parsed import ROUNDS_AT_MOST

WORDS = {
    "number": "nr no n° # number numero nummer place platz rang rank pos position",
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
    "result": "result resultat ergebnis",
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
    """Where each column stands; `rounds` by their numbers, `twice` and `unknown` as they are titled."""

    at: dict[str, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    width: int = 0

    @property
    def is_games(self) -> bool:
        """A list of games, one a row."""
        player, opponent = {"player", "player family", "family"} & set(self.at), {"opponent", "opponent family"}
        return {"round", "result"} <= set(self.at) and bool(player and opponent & set(self.at))

    @property
    def is_crosstable(self) -> bool:
        """A crosstable, a row a player with a column a round."""
        return bool(self.rounds) and bool({"family", "name", "player"} & set(self.at))


def plain(text: str) -> str:
    """A title in lower case, without accents, punctuation at its end and more than one blank."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in parted if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[-_]", " ", letters.replace("’", "'")).split()).rstrip(" .:")


def columns_of(titles: list[str]) -> Columns:
    """The meaning of each title; whether they make a table is for the caller to ask."""
    columns = Columns(width=len(titles))
    for at, title in enumerate(titles):
        word = plain(title)
        numbered = ROUND_TITLE.fullmatch(word)
        meaning = MEANING.get(word) or MEANING.get(title.strip().casefold())
        if meaning and meaning not in columns.at:
            columns.at[meaning] = at
        elif numbered and int(numbered[1]) not in columns.rounds:
            columns.rounds[int(numbered[1])] = at
        elif meaning or numbered:
            columns.twice.append(title.strip())
        elif word:
            columns.unknown.append(title.strip())
    return columns


def wrong_rounds(columns: Columns) -> str | None:
    """What is wrong with the titles of the rounds: they are 1, 2, 3 … from left to right."""
    if len(columns.rounds) > ROUNDS_AT_MOST:
        return _(
            "{rounds} rounds; at most {most} are read",
            rounds=len(columns.rounds),
            most=ROUNDS_AT_MOST,
        )
    if list(columns.rounds) != list(range(1, len(columns.rounds) + 1)):
        return _(
            "the rounds are titled {titles}; title them 1, 2, 3 … in order", titles=", ".join(map(str, columns.rounds))
        )
    return None
