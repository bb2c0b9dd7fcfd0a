"""Players of a parsed table on the federation's roster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ratings.formats.new_players import NewPlayer
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems
from ratings.matching import Roster, fold
from ratings.models import Player

NameKey = tuple[str, str]


def name_key(family: str, given: str) -> NameKey:
    return fold(family), fold(given)


@dataclass
class Matched:
    """Who sits where: row number to player; `new` are those not yet in the database, by row number."""

    players: dict[int, Player] = field(default_factory=dict)
    new: dict[int, Player] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Player:
        return self.players[number]


def match_players(parsed: ParsedTable, announced: Mapping[NameKey, NewPlayer], problems: Problems) -> Matched:
    """Exact matches, or new players where the file (N, a published table) or `announced` allows them.

    Anything less than exact is an error that names the candidates.
    """
    players = {player.public_id: player for player in Player.objects.all()}
    roster = Roster({id: [(player.family_name, player.given_name)] for id, player in players.items()})
    matched = Matched()
    taken: dict[str, int] = {}
    for row in parsed.rows:
        player = _match(row, parsed, roster, players, announced, problems)
        if player is None:
            continue
        if player.public_id in taken:
            problems.error(f"{row.name} stands in row {taken[player.public_id]} too", row.line, row.number)
        taken[player.public_id] = row.number
        matched.players[row.number] = player
        if player.pk is None:
            matched.new[row.number] = player
            roster.add(player.public_id, player.family_name, player.given_name)
            players[player.public_id] = player
        elif row.country and str(player.country) and row.country != str(player.country):
            problems.warn(f"{row.name} is known with the nationality {player.country}", row.line, row.number)
    return matched


def _match(
    row: ParsedRow,
    parsed: ParsedTable,
    roster: Roster,
    players: Mapping[str, Player],
    announced: Mapping[NameKey, NewPlayer],
    problems: Problems,
) -> Player | None:
    match = roster.match(row.family, row.given)
    candidates = ", ".join(_described(players[id]) for id in match.players)
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


def _described(player: Player) -> str:
    return f"{player.name} ({', '.join(part for part in (str(player.country), player.public_id) if part)})"


def _played_before(player: Player, parsed: ParsedTable) -> bool:
    return player.pk is not None and player.entries.filter(table__last_day__lt=parsed.last_day).exists()
