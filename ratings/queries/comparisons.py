"""Two lists over the same games: how alike they order the players, and how well each foresaw the results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ratings import models
from ratings.models import Change, Player, RatingList, Standing

from .history import tables_of
from .lists import published_standings
from .names import by_public_name
from .values import game_value

MOST_CERTAIN = 1e-6  # a forecast counts as no surer than this, so that one upset does not weigh without end
DISAGREEMENTS = 15
NOT_YET_RATED = ("unrated", "ungraded", "new")


@dataclass(frozen=True)
class Forecast:
    """How well a list foresaw games it had not seen: mean log loss and mean Brier score; the lower, the better."""

    log_loss: float
    brier: float


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
    forecasts = list(_forecasts(one, other))
    widest = sorted(placed, key=lambda p: (-abs(p.apart), p.one_rank))[:DISAGREEMENTS]
    return Comparison(
        len(placed),
        _spearman([(p.one.rating or 0, p.other.rating or 0) for p in placed]),
        len(forecasts),
        _forecast([(mine, score) for mine, _, score in forecasts]),
        _forecast([(theirs, score) for _, theirs, score in forecasts]),
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


def _forecast(results: list[tuple[float, float]]) -> Forecast | None:
    if not results:
        return None
    losses = []
    for expected, score in results:
        sure = min(max(expected, MOST_CERTAIN), 1 - MOST_CERTAIN)
        losses.append(-score * math.log(sure) - (1 - score) * math.log(1 - sure))
    brier = math.fsum((expected - score) ** 2 for expected, score in results) / len(results)
    return Forecast(math.fsum(losses) / len(losses), brier)


def _forecasts(one: RatingList, other: RatingList) -> Iterator[tuple[float, float, float]]:
    """(expected by one list, by the other, score) of each game that both could predict, by ratings before its table."""
    mine, theirs = _ratings_before(one), _ratings_before(other)
    systems = one.rating_system, other.rating_system
    games = models.Game.objects.filter(table__in=tables_of(one), table__rated=True, played=True, b__isnull=False)
    for game in games.select_related("a", "b").order_by("pk").iterator(chunk_size=2000):
        assert game.b is not None
        places = (game.table_id, game.a.player_id), (game.table_id, game.b.player_id)
        if not all(place in known for place in places for known in (mine, theirs)):
            continue
        value = game_value(game, {game.a_id: "a", game.b.pk: "b"})
        expected = [
            system.predict(known[places[0]], known[places[1]], value, "a")
            for system, known in ((systems[0], mine), (systems[1], theirs))
        ]
        if expected[0] is not None and expected[1] is not None:
            yield expected[0], expected[1], game.score


Place = tuple[int, int]
"""A table's id and a player's."""


def _ratings_before(rating_list: RatingList) -> dict[Place, float]:
    changes = Change.objects.filter(list=rating_list, table__isnull=False, before__isnull=False)
    changes = changes.exclude(category__in=NOT_YET_RATED)
    known = changes.values_list("table", "player", "before")
    return {(table or 0, player): before or 0 for table, player, before in known}
