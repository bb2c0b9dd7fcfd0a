"""The question who is meant by a name: “Did you mean …?”, with what tells the candidates apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import SheetRow
from ratings.localize import join_clauses
from ratings.models import Player, RatingList
from ratings.queries.players.player_details import describe, players_with_details
from ratings.queries.players.playing_facts import PlayingFacts, read_playing_facts
from ratings.queries.players.roster import Candidate, Roster
from ratings.systems.messages import has_code

MOST_NAMED = 3
"""Maximum number of candidates that a question names."""
ABOUT_NAMES = (
    SubmissionProblem.NAME_AMBIGUOUS,
    SubmissionProblem.NAME_UNKNOWN,
    SubmissionProblem.NAME_UNKNOWN_TYPED,
    SubmissionProblem.NEW_RESEMBLES,
    SubmissionProblem.ID_CONTRADICTS,
    SubmissionProblem.ID_DIFFERS,
)
"""Problems of a results submission for which its page, the command line and the API name the candidates."""


@dataclass(frozen=True)
class CandidateFacts:
    """Ratings and last events of candidates, by public id; players without an entry are described without them."""

    facts: Mapping[str, PlayingFacts] = field(default_factory=dict)

    @classmethod
    def read(cls, players: Collection[Player], lists: Sequence[RatingList]) -> CandidateFacts:
        """Return the facts of some players on the first of the lists that rates them, with two queries."""
        return cls(read_playing_facts(players, lists) if players else {})

    def describe(self, player: Player, *, with_id: bool = False, is_public: bool = False) -> str:
        """Return a player's name with country, rating, club, birth year and last event.

        `with_id`: begin with the public id, where a person has to type it. `is_public`: only what everybody may know,
        thus no club, no birth year and only a published rating.
        """
        standing = self.facts[player.public_id].standing if player.public_id in self.facts else None
        if standing is None or standing.rating is None or (is_public and not standing.published):
            rating = ""
        else:
            rating = f"{standing.rating:.{standing.list.decimals}f}"
        described = describe(player, rating=rating, is_public=is_public)
        return f"{player.public_id} {described}" if with_id else described

    def ask(self, players: Iterable[Player], *, with_ids: bool = False) -> str:
        """Return the question which of some players is meant; an empty text without players."""
        named = [self.describe(player, with_id=with_ids) for player in players]
        if not named:
            return ""
        listed = named[:MOST_NAMED] + ["…"] * (len(named) > MOST_NAMED)
        return _("Did you mean %(players)s?") % {"players": join_clauses(listed)}


def is_about_name(message: str) -> bool:
    """Return True if a problem is about the player whom a name means."""
    return has_code(message, *ABOUT_NAMES)


def list_candidates(candidates: Mapping[int, Sequence[Candidate]], rows: Iterable[int]) -> list[Player]:
    """Return the players that some rows may mean, each once."""
    found = {one.player.public_id: one.player for row in rows for one in candidates.get(row, ())[:MOST_NAMED]}
    return list(found.values())


def find_similar_players(name: str, lists: Sequence[RatingList] = ()) -> list[Player]:
    """Return the known players whom a written name may mean, most certain first; the last name may stand anywhere."""
    words = name.split()
    orders = {(" ".join(words[:1]), " ".join(words[1:])), (" ".join(words[-1:]), " ".join(words[:-1]))}
    rows = [SheetRow(family, given) for family, given in sorted(orders)]
    roster = Roster(rows, (), lists)
    for number, row in enumerate(rows, 1):
        roster.match(number, row)
    candidates = [one for found in roster.candidates.values() for one in found]
    candidates.sort(key=lambda one: -one.certainty)
    return list({one.player.public_id: one.player for one in candidates}.values())


def ask_similar(name: str, *, lists: Sequence[RatingList] = (), players: Sequence[Player] = ()) -> str:
    """Return the question whether a typed name means one of some players, with their ids; empty without candidates.

    Without `players`, those of a similar name are asked for.
    """
    meant = list(players) or find_similar_players(name, lists)
    detailed = players_with_details([player.public_id for player in meant[: MOST_NAMED + 1]])
    meant = [detailed[player.public_id] for player in meant if player.public_id in detailed]
    return CandidateFacts.read(meant, lists).ask(meant, with_ids=True)
