"""Matching of the lines of a rating list with the players in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.list_problems import ListProblem
from ratings.formats.parsed import Problems
from ratings.matching import NameIndex, fold
from ratings.models import Player
from ratings.queries.players.known_names import read_known_names

from .file_reading import NEW

NameKey = tuple[str, str]
CANDIDATES_AT_MOST = 5


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


def match_listed(parsed: ParsedList, problems: Problems, answers: NameAnswers | None = None) -> list[MatchedListLine]:
    """Return the players of a rating list, matched by id or exact name.

    A line whose name resembles no known player becomes a new player, with the id from the list. Anything less than
    exact is an error that names the candidates; with `answers` it is a question, and the line is left out until it is
    answered.
    """
    players = {player.public_id: player for player in Player.objects.filter(merged_into=None)}
    roster = read_known_names().index()
    listed: list[MatchedListLine] = []
    taken: dict[str, int] = {}
    new: dict[NameKey, ParsedPlayer] = {}
    for line in parsed.players:
        player = _match_line(line, roster, players, problems, answers)
        if player is None:
            continue
        if player.public_id in taken:
            problems.error(ListProblem.LINE_TWICE(name=line.name, line=taken[player.public_id]), line.line)
        elif player.pk is None:
            _check_namesake(line, new, problems)
        taken[player.public_id] = line.line
        listed.append(MatchedListLine(line, player))
    return listed


def _match_line(
    line: ParsedPlayer,
    roster: NameIndex,
    players: Mapping[str, Player],
    problems: Problems,
    answers: NameAnswers | None,
) -> Player | None:
    if line.id in players:
        known = players[line.id]
        if name_key(known.family_name, known.given_name) == name_key(line.family, line.given):
            return known
        message = ListProblem.ID_OF_OTHER(id=line.id, player=_describe_player(known), name=line.name)
        problems.error(message, line.line)
        return None
    match = roster.match(line.family, line.given)
    if answers is not None and match.players:
        return _ask(line, [players[id] for id in match.players], match.verdict == "exact", answers)
    if match.verdict == "exact":
        return players[match.players[0]]
    candidates = [_describe_player(players[id]) for id in match.players]
    if match.verdict in ("several", "likely"):
        code = ListProblem.NAME_AMBIGUOUS if match.verdict == "several" else ListProblem.NAME_UNKNOWN
        problems.error(code(name=line.name, players=candidates), line.line)
        return None
    return _make_player(line)


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


def _describe_player(player: Player) -> str:
    return f"{player.name} ({', '.join(part for part in (str(player.country), player.public_id) if part)})"
