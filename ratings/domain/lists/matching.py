"""Matching of the lines of a rating list with the players in the database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.list_problems import ListProblem
from ratings.formats.parsed import Problems
from ratings.matching import NameIndex, fold
from ratings.models import Player
from ratings.queries.players.known_names import read_known_names

NameKey = tuple[str, str]


def name_key(family: str, given: str) -> NameKey:
    return fold(family), fold(given)


class MatchedListLine(NamedTuple):
    """A line of a rating list and its player; a new player is not in the database yet."""

    line: ParsedPlayer
    player: Player


def match_listed(parsed: ParsedList, problems: Problems) -> list[MatchedListLine]:
    """Return the players of a rating list, matched by id or exact name.

    A line whose name resembles no known player becomes a new player, with the id from the list. Anything less than
    exact is an error that names the candidates.
    """
    players = {player.public_id: player for player in Player.objects.filter(merged_into=None)}
    roster = read_known_names().index()
    listed: list[MatchedListLine] = []
    taken: dict[str, int] = {}
    new: dict[NameKey, ParsedPlayer] = {}
    for line in parsed.players:
        player = _match_line(line, roster, players, problems)
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
    line: ParsedPlayer, roster: NameIndex, players: Mapping[str, Player], problems: Problems
) -> Player | None:
    if line.id in players:
        known = players[line.id]
        if name_key(known.family_name, known.given_name) == name_key(line.family, line.given):
            return known
        message = ListProblem.ID_OF_OTHER(id=line.id, player=_describe_player(known), name=line.name)
        problems.error(message, line.line)
        return None
    match = roster.match(line.family, line.given)
    if match.verdict == "exact":
        return players[match.players[0]]
    candidates = ", ".join(_describe_player(players[id]) for id in match.players)
    if match.verdict == "several":
        problems.error(ListProblem.NAME_AMBIGUOUS(name=line.name, players=candidates), line.line)
        return None
    if match.verdict == "likely":
        problems.error(ListProblem.NAME_UNKNOWN(name=line.name, players=candidates), line.line)
        return None
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
