"""Comparison of two lists over the same games: rank correlation of the players, and accuracy of the forecasts."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.laboratory.accuracy import Accuracy, measure_accuracy
from ratings.laboratory.correlation import correlate_ranks
from ratings.models import Player, RatingList, Standing
from ratings.queries.events.forecasts import expected_scores, played_games
from ratings.queries.players.names import by_public_name

from .lists import published_standings

DISAGREEMENTS = 15


@dataclass(frozen=True)
class RankedPlayer:
    """A player on both lists, with the rank on each list among the players on both."""

    player: Player
    first: Standing
    first_rank: int
    second: Standing
    second_rank: int

    @property
    def rank_difference(self) -> int:
        """The number of ranks by which the other list places the player higher."""
        return self.first_rank - self.second_rank


@dataclass(frozen=True)
class Comparison:
    """The rank correlation over the players on both lists, and the forecasts over the games that both lists rate.

    `spearman` is None where the correlation is not defined. `players` and `games` are numbers.
    """

    players: int
    spearman: float | None
    games: int
    first_forecast: Accuracy | None
    second_forecast: Accuracy | None
    disagreements: list[RankedPlayer]


def compare(one: RatingList, other: RatingList) -> Comparison:
    """Return the comparison of two lists that rate the same tables, over the players and games that both rate."""
    placed = _rank_common_players(one, other)
    games = played_games(one)
    mine, theirs = expected_scores(one, games), expected_scores(other, games)
    both = mine.known & theirs.known
    widest = sorted(placed, key=lambda p: (-abs(p.rank_difference), p.first_rank))[:DISAGREEMENTS]
    return Comparison(
        len(placed),
        correlate_ranks([p.first.rating or 0 for p in placed], [p.second.rating or 0 for p in placed]),
        int(both.sum()),
        measure_accuracy(mine.expected[both], games.score[both]),
        measure_accuracy(theirs.expected[both], games.score[both]),
        [p for p in widest if p.rank_difference],
    )


def _rank_common_players(one: RatingList, other: RatingList) -> list[RankedPlayer]:
    """Return the players published on both lists, with their ranks among these players."""
    both = set(published_standings(one, None).values_list("player", flat=True))
    both &= set(published_standings(other, None).values_list("player", flat=True))
    first, second = (_rank_standings(rating_list, both) for rating_list in (one, other))
    return [RankedPlayer(standing.player, standing, rank, *second[pk]) for pk, (standing, rank) in first.items()]


def _rank_standings(rating_list: RatingList, players: set[int]) -> dict[int, tuple[Standing, int]]:
    """Return standings with their ranks by player; equal ratings share a rank."""
    standings = Standing.objects.filter(list=rating_list, player__in=players).select_related("player")
    ranked: dict[int, tuple[Standing, int]] = {}
    last, rank = None, 0
    for position, standing in enumerate(standings.order_by("-rating", *by_public_name("player__")), 1):
        rank = rank if standing.rating == last else position
        ranked[standing.player_id], last = (standing, rank), standing.rating
    return ranked
