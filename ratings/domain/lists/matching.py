"""Matching of the lines of a rating list with the players in the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.list_problems import ListProblem
from ratings.formats.parsed import Problems
from ratings.matching import NameIndex, NameMatch, fold
from ratings.models import OutsideId, Player, RatingList
from ratings.queries.players.candidate_questions import CandidateFacts
from ratings.queries.players.known_names import read_known_names
from ratings.queries.players.outside_ids import find_players_by_outside_ids
from ratings.queries.players.player_details import players_with_details

from .file_reading import NEW

NameKey = tuple[str, str]
CANDIDATES_AT_MOST = 5
DETAILED_AT_MOST = 100
"""Number of problems of a list whose candidates are named with rating and last event; each takes three queries."""


def name_key(family: str, given: str) -> NameKey:
    return fold(family), fold(given)


class MatchedListLine(NamedTuple):
    """A line of a rating list and its player; a new player is not in the database yet."""

    line: ParsedPlayer
    player: Player


@dataclass(frozen=True)
class NameQuestion:
    """A line whose name equals or resembles that of known players, and the answer: a public id, `NEW`, or empty.

    `is_certain` is True if it is one player of the same name and the same country or birth year: then the line means
    that player until a person says otherwise.
    """

    line: ParsedPlayer
    candidates: list[Player]
    answer: str = ""
    is_certain: bool = False
    is_equal: bool = False
    """True if the name is that of exactly one known player, and no detail contradicts."""


@dataclass
class NameAnswers:
    """Answers of a person by line number; `questions` collects everything that was or can be answered."""

    answers: Mapping[int, str] = field(default_factory=dict)
    questions: list[NameQuestion] = field(default_factory=list)

    @property
    def open(self) -> list[NameQuestion]:
        """Return the questions that must be answered before the list can be imported."""
        return [question for question in self.questions if not (question.answer or question.is_certain)]


def match_listed(
    parsed: ParsedList, problems: Problems, answers: NameAnswers | None = None, lists: Sequence[RatingList] = ()
) -> list[MatchedListLine]:
    """Return the players of a rating list, matched by id or exact name.

    A line whose name resembles no known player becomes a new player, with the id from the list. Anything less than
    exact is an error that names the candidates, with their ratings on `lists`; with `answers` it is a question, and the
    line is left out until it is answered.
    """
    players = {player.public_id: player for player in Player.objects.filter(merged_into=None)}
    roster = read_known_names().index()
    by_outside = find_players_by_outside_ids(line.outside for line in parsed.players)
    matcher = _LineMatcher(roster, players, problems, answers, lists)
    listed: list[MatchedListLine] = []
    taken: dict[str, int] = {}
    new: dict[NameKey, ParsedPlayer] = {}
    for line in parsed.players:
        by_ids = {
            players[by_outside[registry, value]]: OutsideId.of_key(registry, value)
            for registry, value in line.outside.items()
            if by_outside.get((registry, value)) in players
        }
        player = matcher.match(line, by_ids)
        if player is None:
            continue
        if player.public_id in taken:
            problems.error(ListProblem.LINE_TWICE(name=line.name, line=taken[player.public_id]), line.line)
        elif player.pk is None:
            _check_namesake(line, new, problems)
        taken[player.public_id] = line.line
        listed.append(MatchedListLine(line, player))
    return listed


@dataclass
class _LineMatcher:
    """Finds the player of each line of a list, or reports the problem or question about its name."""

    roster: NameIndex
    players: Mapping[str, Player]
    problems: Problems
    answers: NameAnswers | None
    lists: Sequence[RatingList]
    detailed: int = 0
    """Number of problems whose candidates were named with rating and last event."""

    def match(self, line: ParsedPlayer, by_ids: Mapping[Player, OutsideId]) -> Player | None:
        """Return the player of a line; `by_ids` are those to whom its ids in other registries belong, with the id."""
        if line.id in self.players:
            known = self.players[line.id]
            if name_key(known.family_name, known.given_name) == name_key(line.family, line.given):
                return known
            (described,) = self._describe([known], with_ids=False)
            self.problems.error(ListProblem.ID_OF_OTHER(id=line.id, player=described, name=line.name), line.line)
            return None
        match = self.roster.match(line.family, line.given)
        if by_ids:
            return self._match_by_ids(line, by_ids, [self.players[id] for id in match.players])
        return self._match_by_name(line, match)

    def _match_by_name(self, line: ParsedPlayer, match: NameMatch) -> Player | None:
        named = [self.players[id] for id in match.players]
        if self.answers is not None and named:
            return _ask(line, named, match.verdict == "exact", self.answers)
        if match.verdict == "exact":
            return named[0]
        if match.verdict in ("several", "likely"):
            code = ListProblem.NAME_AMBIGUOUS if match.verdict == "several" else ListProblem.NAME_UNKNOWN
            self.problems.error(code(name=line.name, players=self._describe(named)), line.line)
            return None
        return _make_player(line)

    def _match_by_ids(
        self, line: ParsedPlayer, by_ids: Mapping[Player, OutsideId], named: list[Player]
    ) -> Player | None:
        """Return the player of a line's outside ids if the name is theirs; else ask, or report the contradiction."""
        name = name_key(line.family, line.given)
        others = [player for player in by_ids if name_key(player.family_name, player.given_name) != name]
        contradicting = others or list(by_ids)[1:]
        if not contradicting:
            return next(iter(by_ids))
        if self.answers is not None:
            candidates = [*by_ids, *(player for player in named if player not in by_ids)]
            return _ask(line, candidates, is_exact=False, answers=self.answers)
        player = contradicting[0]
        (described,) = self._describe([player])
        message = ListProblem.OUTSIDE_ID_OF_OTHER(id=by_ids[player], player=described, name=line.name)
        self.problems.error(message, line.line)
        return None

    def _describe(self, players: Sequence[Player], *, with_ids: bool = True) -> list[str]:
        """Return what tells players apart; of many problems, the last ones have few details."""
        if self.detailed >= DETAILED_AT_MOST:
            return [CandidateFacts().describe(player, with_id=with_ids) for player in players]
        self.detailed += 1
        details = players_with_details([player.public_id for player in players])
        players = [details.get(player.public_id, player) for player in players]
        facts = CandidateFacts.read(players, self.lists)
        return [facts.describe(player, with_id=with_ids) for player in players]


def _ask(line: ParsedPlayer, candidates: list[Player], is_exact: bool, answers: NameAnswers) -> Player | None:
    """Return the player who was chosen for a line, a new one if it is another person, None if it is not answered."""
    answer = answers.answers.get(line.line, "")
    chosen = next((player for player in candidates if player.public_id == answer), None)
    same = _compare_details(line, candidates[0]) if is_exact else [False]
    is_certain, is_equal = bool(same) and all(same), all(same)
    known = answer if chosen or answer == NEW else ""
    answers.questions.append(NameQuestion(line, candidates[:CANDIDATES_AT_MOST], known, is_certain, is_equal))
    if known == NEW:
        return _make_player(line)
    return chosen or (candidates[0] if is_certain else None)


def _compare_details(line: ParsedPlayer, player: Player) -> list[bool]:
    """Return for country and birth year, where both are known, whether they are those of the player."""
    pairs = ((line.country, str(player.country)), (line.birth_year, player.year_of_birth))
    return [one == other for one, other in pairs if one and other]


def _make_player(line: ParsedPlayer) -> Player:
    player = Player(
        family_name=line.family,
        given_name=line.given,
        country=line.country,
        birth_year=line.birth_year,
        gender=line.gender,
    )
    player.public_id = line.id or player.public_id
    return player


def _check_namesake(line: ParsedPlayer, new: dict[NameKey, ParsedPlayer], problems: Problems) -> None:
    """Report two new players with the same name, unless both have an id."""
    other = new.setdefault(name_key(line.family, line.given), line)
    if other is not line and not (line.id and other.id):
        problems.error(ListProblem.NAMESAKES_WITHOUT_ID(name=line.name, line=other.line), line.line)
