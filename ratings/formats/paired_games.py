"""Games of a file that lists them by round, White and Black, as the rows of a crosstable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from ratings.formats.checks import UNPLAYED_POINTS, check_games, check_row_count
from ratings.formats.parsed import ROUNDS_AT_MOST, Cell, ParsedRow, Problems
from ratings.formats.problems import FileProblem
from ratings.systems.handicaps import MAX_STONES
from ratings.systems.values import GameKind


@dataclass(frozen=True, slots=True)
class PairedGame:
    """A game of two row numbers; `black` is 0 for a bye of `white`.

    Points are those of each side, None without a result. With `forfeit` the game was won or lost by default, or was
    played without rating if it is `unrated`. Colours that are not `colours_known` were drawn by lot at the board.
    """

    line: int
    round: int
    white: int
    black: int
    white_points: float | None
    black_points: float | None
    stones: int = 0
    forfeit: bool = False
    colours_known: bool = True
    unrated: bool = False

    @property
    def has_usual_points(self) -> bool:
        """Return True if the points are those of a result, or of a game that both won or both lost by default."""
        points = self.white_points, self.black_points
        return None in points or points in UNPLAYED_POINTS or sum(filter(None, points)) == 1


@dataclass
class Pairings:
    """Games of a file in its order; `absent` are the points of a player who is not paired in a round."""

    games: list[PairedGame] = field(default_factory=list)
    absent: float = 0

    def leave_out_unplayed(
        self, rows: Sequence[ParsedRow], registered: AbstractSet[int], problems: Problems
    ) -> list[ParsedRow]:
        """Return the rows, numbered anew, without those of players who were only registered and are in no game.

        `registered` are the numbers of players who were only registered in advance.
        """
        playing = {number for game in self.games for number in (game.white, game.black)}
        kept = [row for row in rows if row.number not in registered - playing]
        if left_out := len(rows) - len(kept):
            problems.note(FileProblem.REGISTERED_LEFT_OUT(players=left_out))
        numbers = {row.number: number for number, row in enumerate(kept, 1)} | {0: 0}
        for row in kept:
            row.number = numbers[row.number]
        self.games = [replace(game, white=numbers[game.white], black=numbers[game.black]) for game in self.games]
        return kept

    def add_to(self, rows: Sequence[ParsedRow], problems: Problems) -> None:
        """Set the cells of the rows, numbered 1, 2, 3 …, and check the games; report what cannot be a game."""
        if not check_row_count(len(rows), problems):
            return
        cells: dict[tuple[int, int], Cell] = {}
        names = {row.number: row.name for row in rows}
        games = [game for game in self.games if _is_possible(game, names, problems)]
        for game in games:
            _seat(game, cells, names, problems)
        played = max((game.round for game in games), default=0)
        for row in rows:
            row.cells = [cells.get((row.number, round_), Cell(0, self.absent)) for round_ in range(1, played + 1)]
        if forfeits := sum(game.forfeit and not game.unrated for game in games):
            problems.note(FileProblem.FORFEITS(games=forfeits))
        if unusual := [game for game in games if game.forfeit and not game.has_usual_points]:
            problems.note(FileProblem.POINTS_OF_REFEREE(games=len(unusual)), unusual[0].line)
        check_games(list(rows), problems)


def assign_rounds(games: Sequence[PairedGame]) -> tuple[list[PairedGame], int]:
    """Return the games with rounds, and how many had none (0).

    Games without a round come into the first round in which both players are free; if there is none of those that a
    table may have, into the round after the last one.
    """
    busy: dict[int, set[int]] = {}
    for game in games:
        for player in (game.white, game.black):
            busy.setdefault(player, set()).update({game.round} - {0})
    assigned = []
    for game in games:
        round_ = game.round
        if not round_:
            taken = busy[game.white], busy[game.black]
            free = (number for number in range(1, ROUNDS_AT_MOST + 1) if not any(number in each for each in taken))
            round_ = next(free, ROUNDS_AT_MOST + 1)
            busy[game.white].add(round_)
            busy[game.black].add(round_)
        assigned.append(replace(game, round=round_))
    return assigned, sum(not game.round for game in games)


def _is_possible(game: PairedGame, names: Mapping[int, str], problems: Problems) -> bool:
    """Return True for a game of two players in a round that a table may have; report any other one."""
    if not 1 <= game.round <= ROUNDS_AT_MOST:
        problems.error(FileProblem.ROUND_OUT_OF_RANGE(outside=game.round, most=ROUNDS_AT_MOST), game.line)
        return False
    if game.white == game.black:
        problems.error(FileProblem.PLAYS_SELF(name=names[game.white]), game.line, game.white, game.round)
        return False
    if game.stones > MAX_STONES:
        message = FileProblem.MANY_STONES(stones=game.stones, most=MAX_STONES)
        problems.warn(message, game.line, game.white, game.round)
    return True


def _seat(game: PairedGame, cells: dict[tuple[int, int], Cell], names: Mapping[int, str], problems: Problems) -> None:
    """Add the cells of a game, unless one of its players has another game in this round, which is an error."""
    made = _make_cells(game)
    busy = [number for number, _cell in made if (number, game.round) in cells]
    for number in busy:
        problems.error(FileProblem.SEVERAL_GAMES_IN_ROUND(name=names[number]), game.line, number, game.round)
    if not busy:
        cells.update({(number, game.round): cell for number, cell in made})


def _make_cells(game: PairedGame) -> list[tuple[int, Cell]]:
    """Return the cells of both players of a game, or of the player with a bye, with their row numbers."""
    if not game.black:
        return [(game.white, Cell(0, 1 if game.white_points is None else game.white_points))]
    sides = ((game.white, game.black, game.white_points, False), (game.black, game.white, game.black_points, True))
    return [(own, _make_cell(game, other, points, is_black)) for own, other, points, is_black in sides]


def _make_cell(game: PairedGame, other: int, points: float | None, is_black: bool) -> Cell:
    black = is_black if game.colours_known else None
    if points is None:
        return Cell(0, 0, paired=other, paired_black=black)
    if game.forfeit and not game.has_usual_points:
        return Cell(0, points)
    if game.forfeit:
        kind = GameKind.UNRATED.value if game.unrated else ""
        return Cell(0, points, forfeit=other, paired_black=black, kind=kind)
    return Cell(other, points, stones=game.stones, black=black)
