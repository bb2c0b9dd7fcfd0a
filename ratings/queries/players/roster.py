"""Matching of the names on a results submission to known players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import SheetRow
from ratings.localize import join_clauses, translate_message
from ratings.matching import NameMatch, fold
from ratings.models import OutsideId, Player, RatingList, Spelling, Standing
from ratings.name_certainty import (
    LIKELY_FROM,
    LISTED_FROM,
    KnownPlayer,
    WrittenName,
    rate_candidates,
)
from ratings.queries.players.known_names import KnownNames, find_known_names, find_words
from ratings.queries.players.outside_ids import find_players_by_outside_ids, read_confirmed_ids
from ratings.queries.players.player_details import describe, players_with_details

DAYS_OF_YEAR = 365.25


@dataclass(frozen=True)
class Candidate:
    """A known player whom a name may mean: the reason, a description, and how sure it is, from 0 to 1."""

    player: Player
    reason: str
    description: str
    certainty: float = 0.0


@dataclass(frozen=True)
class PlayerMatch:
    """The player whom a name means, or the problem to solve first."""

    player: Player | None
    problem: str = ""
    is_ambiguous: bool = False
    """True if several known players have exactly this name, or if an id in another registry contradicts it."""


class Roster:
    """The players whom the names of some rows may mean.

    Players whom the user chose before for a name (`spellings`) are offered first. `lists` are the lists of the event
    and `day` its last day: who is on a list and has played lately is more likely meant. `known` are the names that are
    looked for, all players' by default. `candidates` is filled by `match` and `describe_similar_players`, by row
    number.
    """

    def __init__(
        self,
        rows: Sequence[SheetRow],
        spellings: Iterable[Spelling],
        lists: Sequence[RatingList] = (),
        day: dt.date | None = None,
        known: KnownNames | None = None,
    ) -> None:
        self._known = known or find_known_names((row.family, row.given) for row in rows)
        self._index = self._known.index()
        self._lists, self._day = lists, day
        self._chosen_before = {spelling.written: spelling.player_id for spelling in spellings}
        names = {(row.family, row.given) for row in rows}  # a name of several files is looked up once
        self._matches = {name: self._index.match(*name) for name in names}
        ids = {id for match in self._matches.values() for id in match.players} | {row.player for row in rows} - {""}
        self._by_outside = find_players_by_outside_ids(row.outside for row in rows)
        ids.update(self._by_outside.values())
        chosen = list(self._chosen_before.values())
        self._players = players_with_details(ids, chosen) if ids or chosen else {}
        self._by_pk = {player.pk: player for player in self._players.values()}
        self.candidates: dict[int, list[Candidate]] = {}

    def match(self, number: int, row: SheetRow) -> PlayerMatch:
        """Return the player chosen in the row, else of its outside id, else the only one of exactly this name.

        An id counts more than a name that is similar; where it contradicts the name, or the player of this name has
        another id in the same registry, a person has to choose.
        """
        match = self._matches[row.family, row.given]
        candidates = self._find_candidates(row)
        self.candidates[number] = candidates
        if row.player and (player := self._players.get(row.player)):
            if player not in [candidate.player for candidate in candidates]:
                candidates.insert(0, Candidate(player, _("chosen"), describe(player)))
            return PlayerMatch(player)
        if by_ids := self._find_by_ids(row):
            return self._match_by_ids(row, match, by_ids)
        return self._match_by_name(row, match, candidates)

    def _match_by_name(self, row: SheetRow, match: NameMatch, candidates: Sequence[Candidate]) -> PlayerMatch:
        if match.verdict == "exact":
            player = self._players[match.players[0]]
            if self.has_other_id(row, player):
                return PlayerMatch(None, SubmissionProblem.ID_DIFFERS(name=row.name))
            return PlayerMatch(player)
        if not row.name:
            return PlayerMatch(None, SubmissionProblem.NAME_MISSING())
        if match.verdict == "several":
            return PlayerMatch(None, SubmissionProblem.NAME_AMBIGUOUS(name=row.name), is_ambiguous=True)
        if candidates:
            return PlayerMatch(None, SubmissionProblem.NAME_UNKNOWN(name=row.name))
        return PlayerMatch(None, SubmissionProblem.NAME_UNKNOWN_TYPED(name=row.name))

    def has_other_id(self, row: SheetRow, player: Player) -> bool:
        """Return True if a player has only other ids than the row in a registry that the row names."""
        known = self._confirmed_ids.get(player.pk, {}) if row.outside else {}
        return any(value not in known.get(registry, {value}) for registry, value in row.outside.items())

    @cached_property
    def _confirmed_ids(self) -> dict[int, dict[str, set[str]]]:
        """Confirmed ids of the players whom rows may mean, by primary key and registry."""
        return read_confirmed_ids([player.pk for player in self._players.values()])

    def _find_by_ids(self, row: SheetRow) -> dict[Player, OutsideId]:
        """Return the players to whom the outside ids of a row belong, with the id; several if the ids contradict."""
        return {
            self._players[self._by_outside[registry, value]]: OutsideId.of_key(registry, value)
            for registry, value in row.outside.items()
            if (registry, value) in self._by_outside
        }

    def _match_by_ids(self, row: SheetRow, match: NameMatch, by_ids: Mapping[Player, OutsideId]) -> PlayerMatch:
        named = [self._players[id] for id in match.players] if match.verdict in ("exact", "several") else []
        agreeing = [
            player
            for player in by_ids
            if not row.name or player in named or (not named and self._resembles(row, player))
        ]
        if len(agreeing) == len(by_ids) == 1:
            return PlayerMatch(agreeing[0])
        player = next((player for player in by_ids if player not in agreeing), list(by_ids)[-1])
        problem = SubmissionProblem.ID_CONTRADICTS(id=by_ids[player], player=player.name, name=row.name)
        return PlayerMatch(None, problem, is_ambiguous=True)

    def _resembles(self, row: SheetRow, player: Player) -> bool:
        written = WrittenName(row.family, row.given, row.country.strip())
        known = self._describe_known(player, self._matches[row.family, row.given], is_chosen=False)
        return rate_candidates(written, [known])[0].certainty >= LIKELY_FROM

    def get_player(self, public_id: str) -> Player | None:
        """Return a player that a row was assigned to; None if there is none with this id."""
        return self._players.get(public_id)

    def get_verdict(self, row: SheetRow) -> str:
        """Return the verdict on the name of a row: exact, several, likely or unknown."""
        return self._matches[row.family, row.given].verdict

    def describe_similar_players(self, number: int, row: SheetRow) -> list[str]:
        """Return descriptions of the known players whom the name of a new player is likely to mean."""
        self.candidates[number] = candidates = self._find_candidates(row)
        same = self.get_verdict(row) in ("exact", "several")
        likely = [candidate for candidate in candidates if same or candidate.certainty >= LIKELY_FROM]
        return [candidate.description for candidate in likely]

    def _find_candidates(self, row: SheetRow) -> list[Candidate]:
        """Return the players whom a row may mean: those of its outside ids, then the others, most certain first."""
        by_ids = self._find_by_ids(row)
        others = [each for each in self._find_candidates_by_name(row) if each.player not in by_ids]
        return [Candidate(player, str(by_ids[player]), describe(player), 1.0) for player in by_ids] + others

    def _find_candidates_by_name(self, row: SheetRow) -> list[Candidate]:
        """Return the players whom the name of a row may mean, most certain first."""
        match = self._matches[row.family, row.given]
        previous = self._by_pk.get(self._chosen_before.get(fold(row.name), 0)) if row.name else None
        players = {player.public_id: player for player in map(self._players.__getitem__, match.players)}
        if previous is not None:
            players[previous.public_id] = previous
        if not players:
            return []
        written = WrittenName(row.family, row.given, row.country.strip())
        known = [self._describe_known(player, match, is_chosen=player == previous) for player in players.values()]
        needs_words = match.verdict == "likely"
        rated = rate_candidates(written, known, self._words if needs_words else ())
        return [
            Candidate(
                players[resemblance.id],
                join_clauses(map(translate_message, resemblance.reasons)),
                describe(players[resemblance.id]),
                resemblance.certainty,
            )
            for resemblance in rated
            if resemblance.certainty >= LISTED_FROM or not needs_words
        ]

    def _describe_known(self, player: Player, match: NameMatch, *, is_chosen: bool) -> KnownPlayer:
        """Return what is known of a player, as `rate_candidates` needs it."""
        names = self._known.latin.get(player.public_id, ())
        current = (player.family_name, player.given_name)
        last = getattr(player, "last_event", None)
        idle = None if last is None or self._day is None else max(0, (self._day - last).days) / DAYS_OF_YEAR
        return KnownPlayer(
            player.public_id,
            *current,
            str(player.country),
            player.native_name,
            tuple(name for name in dict.fromkeys(names) if name != current),
            self._index.count_namesakes(player.family_name),
            # who has exactly this name needs no further evidence
            match.verdict == "exact" or player.pk in self._listed,
            idle,
            is_chosen,
        )

    @cached_property
    def _listed(self) -> set[int]:
        """Primary keys of the players who are on one of the lists."""
        standings = Standing.objects.filter(list__in=self._lists, player__in=list(self._by_pk))
        return set(standings.values_list("player", flat=True)) if self._lists else set()

    @cached_property
    def _words(self) -> frozenset[str]:
        """Words of the rows' unknown names that are part of a known name."""
        unknown = [key for key, match in self._matches.items() if match.verdict == "likely"]
        words = {word for family, given in unknown for word in fold(f"{family} {given}").replace("-", " ").split()}
        return frozenset(find_words(words, self._index, self._known.among))
