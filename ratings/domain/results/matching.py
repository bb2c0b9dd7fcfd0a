"""Matching of parsed tables and rating lists with the players in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ratings.formats.fesa.new_players import NewPlayer
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.matching import Roster, fold
from ratings.models import Player
from ratings.queries.players.roster import find_names, known_names

NameKey = tuple[str, str]


def name_key(family: str, given: str) -> NameKey:
    return fold(family), fold(given)


@dataclass
class MatchedPlayers:
    """Players by row number; `new` holds those who are not in the database yet."""

    players: dict[int, Player] = field(default_factory=dict)
    new: dict[int, Player] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Player:
        return self.players[number]


def match_players(parsed: ParsedTable, announced: Mapping[NameKey, NewPlayer], problems: Problems) -> MatchedPlayers:
    """Return the players of a parsed table by row number.

    Names must match exactly. New players are created, unsaved, where the file (N, a published table) or `announced`
    allows them. Anything less than exact is an error that names the candidates.
    """
    names = find_names((row.family, row.given) for row in parsed.rows)
    roster = Roster(names)
    meant = {id for row in parsed.rows for id in roster.match(row.family, row.given).players}
    players = {player.public_id: player for player in Player.objects.filter(public_id__in=meant)}
    matched = MatchedPlayers()
    taken: dict[str, int] = {}
    for row in parsed.rows:
        player = _match_row(row, parsed, roster, players, announced, problems)
        if player is None:
            continue
        if player.public_id in taken:
            problems.error(f"{row.name} is in row {taken[player.public_id]} too", row.line, row.number)
        taken[player.public_id] = row.number
        matched.players[row.number] = player
        if player.pk is None:
            matched.new[row.number] = player
            roster.add(player.public_id, player.family_name, player.given_name)
            players[player.public_id] = player
        elif row.country and str(player.country) and row.country != str(player.country):
            problems.warn(f"{row.name} is known with the nationality {player.country}", row.line, row.number)
    return matched


def _match_row(
    row: ParsedRow,
    parsed: ParsedTable,
    roster: Roster,
    players: Mapping[str, Player],
    announced: Mapping[NameKey, NewPlayer],
    problems: Problems,
) -> Player | None:
    match = roster.match(row.family, row.given)
    candidates = ", ".join(_describe_player(players[id]) for id in match.players)
    new = announced.get(name_key(row.family, row.given))
    if match.verdict == "exact":
        player = players[match.players[0]]
        if row.new and _played_before(player, parsed):
            problems.error(f"{row.name} is marked N (new) but is known: {candidates}", row.line, row.number)
        return player
    if match.verdict == "several":
        problems.error(f"{row.name} may be several players: {candidates}", row.line, row.number)
        return None
    if match.verdict == "likely" and not (row.new or new):
        problems.error(
            f"{row.name} is unknown; is one of these meant? {candidates}. Correct the name, or announce a new player"
            " (N in a grid, or a line of the new players' file)",
            row.line,
            row.number,
        )
        return None
    if match.verdict == "likely" and row.new:
        problems.warn(f"{row.name} is new but resembles {candidates}", row.line, row.number)
    if not (row.new or new or parsed.published):
        problems.error(
            f"{row.name} is unknown; mark new players with N behind the number, or in the new players' file",
            row.line,
            row.number,
        )
        return None
    country = (new and new.country) or row.country
    return Player(family_name=row.family, given_name=row.given, country=country.upper())


def _describe_player(player: Player) -> str:
    return f"{player.name} ({', '.join(part for part in (str(player.country), player.public_id) if part)})"


def _played_before(player: Player, parsed: ParsedTable) -> bool:
    return player.pk is not None and player.entries.filter(table__last_day__lt=parsed.last_day).exists()


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
    roster = Roster(known_names())
    listed: list[MatchedListLine] = []
    taken: dict[str, int] = {}
    new: dict[NameKey, ParsedPlayer] = {}
    for line in parsed.players:
        player = _match_line(line, roster, players, problems)
        if player is None:
            continue
        if player.public_id in taken:
            problems.error(f"{line.name} stands in line {taken[player.public_id]} too; keep one of them", line.line)
        elif player.pk is None:
            _check_namesake(line, new, problems)
        taken[player.public_id] = line.line
        listed.append(MatchedListLine(line, player))
    return listed


def _match_line(line: ParsedPlayer, roster: Roster, players: Mapping[str, Player], problems: Problems) -> Player | None:
    if line.id in players:
        known = players[line.id]
        if name_key(known.family_name, known.given_name) == name_key(line.family, line.given):
            return known
        problems.error(
            f"the id {line.id} is that of {_describe_player(known)}, not of {line.name}; correct one", line.line
        )
        return None
    match = roster.match(line.family, line.given)
    if match.verdict == "exact":
        return players[match.players[0]]
    candidates = ", ".join(_describe_player(players[id]) for id in match.players)
    if match.verdict == "several":
        problems.error(
            f"{line.name} may be several players: {candidates}. Give the list as CSV, with the id of the one meant",
            line.line,
        )
        return None
    if match.verdict == "likely":
        problems.error(
            f"{line.name} is unknown; is one of these meant? {candidates}. Correct the name in the file, or add the new"
            " player in the admin first",
            line.line,
        )
        return None
    player = Player(family_name=line.family, given_name=line.given, country=line.country, birth_year=line.birth_year)
    player.public_id = line.id or player.public_id
    return player


def _check_namesake(line: ParsedPlayer, new: dict[NameKey, ParsedPlayer], problems: Problems) -> None:
    """Report two new players with the same name, unless both have an id."""
    other = new.setdefault(name_key(line.family, line.given), line)
    if other is not line and not (line.id and other.id):
        problems.error(
            f"{line.name} stands in line {other.line} too; keep one of them, or give the list as CSV with an id for"
            " each of these namesakes",
            line.line,
        )
