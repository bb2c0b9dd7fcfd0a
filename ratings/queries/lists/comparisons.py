"""Two lists over the same games: how alike they order the players, and how well each foresaw the results."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.models import Player, RatingList, Standing

from .forecasts import Forecast, forecast, foreseen, played_games
from .lists import published_standings
from .names import by_public_name

DISAGREEMENTS = 15


@dataclass(frozen=True)
class Placed:
    """A player on both lists, with his rank on each among these players."""

    player: Player
    one: Standing
    one_rank: int
    other: Standing
    other_rank: int

    @property
    def apart(self) -> int:
        """How many ranks higher the other list has him."""
        return self.one_rank - self.other_rank


@dataclass(frozen=True)
class Comparison:
    """`spearman` over the players on both lists (None where it is not defined), forecasts over `games`."""

    players: int
    spearman: float | None
    games: int
    one: Forecast | None
    other: Forecast | None
    disagreements: list[Placed]


def compare(one: RatingList, other: RatingList) -> Comparison:
    """Two lists that rate the same tables, over everybody and everything that both rate."""
    placed = _placed(one, other)
    games = played_games(one)
    mine, theirs = foreseen(one, games), foreseen(other, games)
    both = mine.known & theirs.known
    widest = sorted(placed, key=lambda p: (-abs(p.apart), p.one_rank))[:DISAGREEMENTS]
    return Comparison(
        len(placed),
        _spearman([(p.one.rating or 0, p.other.rating or 0) for p in placed]),
        int(both.sum()),
        forecast(mine.expected[both], games.score[both]),
        forecast(theirs.expected[both], games.score[both]),
        [p for p in widest if p.apart],
    )


def _placed(one: RatingList, other: RatingList) -> list[Placed]:
    """Everybody published on both lists, ranked among these."""
    both = set(published_standings(one, None).values_list("player", flat=True))
    both &= set(published_standings(other, None).values_list("player", flat=True))
    first, second = (_ranked(rating_list, both) for rating_list in (one, other))
    return [Placed(standing.player, standing, rank, *second[pk]) for pk, (standing, rank) in first.items()]


def _ranked(rating_list: RatingList, players: set[int]) -> dict[int, tuple[Standing, int]]:
    """Standings with ranks; equal ratings share one."""
    standings = Standing.objects.filter(list=rating_list, player__in=players).select_related("player")
    ranked: dict[int, tuple[Standing, int]] = {}
    last, rank = None, 0
    for place, standing in enumerate(standings.order_by("-rating", *by_public_name("player__")), 1):
        rank = rank if standing.rating == last else place
        ranked[standing.player_id], last = (standing, rank), standing.rating
    return ranked


def _spearman(pairs: list[tuple[float, float]]) -> float | None:
    """Rank correlation, equal ratings with their mean rank; None for fewer than three players or one rating for all."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - takes a second to load, and only this page needs it

    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if len(pairs) < 3 or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return float(spearmanr(one, other).statistic)
