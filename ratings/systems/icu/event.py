"""Rating of one event in icu-1989, in the order of paragraph 7. Everything is unrounded.

The source is the fax of the Irish Chess Union on its rating procedures (1989); paragraph numbers refer to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ratings.systems.arithmetic import expected_score
from ratings.systems.values import Category

UNGRADED, PROVISIONAL, GRADED, FIXED = Category.UNGRADED, Category.PROVISIONAL, Category.GRADED, Category.FIXED
MASTER = 2100  # paragraph 3: the rating from which on K is K_MASTER
K_MASTER, K_YOUNG, K_NEW, K_SETTLED = 16, 40, 32, 24  # paragraph 3
BONUS_FACTORS = (K_NEW, K_YOUNG)  # paragraph 1
K_OF_BONUS = 32  # paragraph 1: the K at which the gain decides on the bonus
SETTLED_AFTER = 8  # paragraph 3: years since the start year


def k_factor(rating: float, *, under_21: bool, years: int | None) -> int:
    """Return K by the rating before the event, age, and years since the start year (paragraph 3).

    Unknown years (None) count as settled.
    """
    if rating >= MASTER:
        return K_MASTER
    if under_21:
        return K_YOUNG
    return K_NEW if years is not None and years <= SETTLED_AFTER else K_SETTLED


def win_points(score: float) -> float:
    """Return the points that a result adds to the opponent's rating: 400 for a win, -400 for a loss (paragraph 5)."""
    return 400 * (2 * score - 1)


def compute_gain(k: int, points: float, expected: float) -> float:
    """Return the rating points that a result brings before bonus and feedback; the bonus depends on it at K = 32."""
    return k * (points - expected)


def bonus_threshold(games: int, least: int = 4) -> int | None:
    """Return the gain in points, at K = 32, above which a bonus is given (paragraph 1).

    Return None below `least` games, which is the fewest that earn one.
    """
    if games < least:
        return None
    return 32 + 3 * (games - 4) if games <= 10 else 50 + 2 * (games - 10)


@dataclass(slots=True, eq=False)
class EntrantGame:
    """One game from one side; `rating` is the rating last used for the opponent."""

    opponent: Entrant
    score: float
    rating: float = 0.0
    feedback: float = 0.0

    @property
    def worth(self) -> float:
        """Opponent's rating plus 400 points for a win, minus 400 for a loss."""
        return self.rating + win_points(self.score)


@dataclass(slots=True, eq=False)
class Entrant:
    """Player of the event: their values before it and after each step of the computation."""

    id: str
    kind: str
    before: float | None
    games_before: int
    k: int = 0
    played: list[EntrantGame] = field(default_factory=list)
    first: float = 0.0
    revised: float | None = None
    gain: float = 0.0
    bonus: float = 0.0
    cut: str = ""
    feedback: float = 0.0
    after: float = 0.0

    @property
    def current_rating(self) -> float:
        """Rating before the event, or the present solution of an ungraded player."""
        return self.value if self.before is None else self.before

    @property
    def value(self) -> float:
        """Rating with which the player counts for graded players (paragraph 7).

        For ungraded and provisional players it is the rating computed in this event.
        """
        if self.kind in (GRADED, FIXED):
            return self.before or 0
        return self.first if self.revised is None else self.revised

    @property
    def points(self) -> float:
        return sum(game.score for game in self.played)

    @property
    def performance(self) -> float:
        """Performance Rp: the mean worth of this event's games."""
        return sum(game.worth for game in self.played) / len(self.played)

    @property
    def expected(self) -> float:
        return sum(expected_score(self.before or 0, game.rating) for game in self.played)

    def get_threshold(self, settings: Mapping[str, Any]) -> int | None:
        """Return the gain at K = 32 above which a bonus is given; None if no gain earns one (paragraph 1)."""
        return bonus_threshold(len(self.played), settings["min_bonus_games"]) if self.k in BONUS_FACTORS else None


def find_unlinked(entrants: Iterable[Entrant], *, provisional_counts: bool) -> set[str]:
    """Return the ids of ungraded players whose group met no rated player; their games do not count (paragraph 6).

    With `provisional_counts`, provisional opponents count as rated.
    """
    ungraded = [entrant for entrant in entrants if entrant.kind == UNGRADED and entrant.played]
    ratings = {GRADED, FIXED} | ({PROVISIONAL} if provisional_counts else set())
    linked = [e for e in ungraded if any(game.opponent.kind in ratings for game in e.played)]
    reached = {entrant.id for entrant in linked}
    while linked:
        for game in linked.pop().played:
            if game.opponent.kind == UNGRADED and game.opponent.id not in reached:
                reached.add(game.opponent.id)
                linked.append(game.opponent)
    return {entrant.id for entrant in ungraded if entrant.id not in reached}


def rate_event(entrants: Sequence[Entrant], settings: Mapping[str, Any]) -> None:
    """Rate the event (paragraph 7): set `after`, and the values that lead to it.

    Players who are fixed or unlinked get none. `played` contains only games that count. The system of equations has
    one solution if there are no unlinked players.
    """
    ungraded, provisional, graded = (
        [e for e in entrants if e.kind == kind and e.played] for kind in (UNGRADED, PROVISIONAL, GRADED)
    )
    _solve_ungraded(ungraded, {})
    for player in ungraded:
        player.first = player.after
    for player in provisional:
        _set_opponent_ratings(player, {})
        player.first = _rate_provisional(player)
    _revise(ungraded, provisional, settings)
    bracket_ratings = _get_provisional_ratings(provisional, settings) if settings["bracket_for_graded"] else {}
    for player in graded:
        for game in player.played:
            game.rating = bracket_ratings.get(game.opponent.id, game.opponent.value)
        _set_gain(player, settings)
    _apply_feedback(ungraded, provisional, graded, settings)


def _set_opponent_ratings(player: Entrant, replacements: Mapping[str, float]) -> None:
    """Set the opponents' ratings: the replacement, or the rating before the event (or solution)."""
    for game in player.played:
        game.rating = replacements.get(game.opponent.id, game.opponent.current_rating)


def _solve_ungraded(ungraded: Sequence[Entrant], replacements: Mapping[str, float]) -> None:
    """Solve the ratings of all ungraded players at once (paragraph 6).

    Each rating is the mean worth of the player's games, which contains the other ungraded players' ratings.
    """
    if not ungraded:
        return
    index = {player.id: i for i, player in enumerate(ungraded)}
    matrix, constants = np.zeros((len(ungraded), len(ungraded))), np.zeros(len(ungraded))
    for i, player in enumerate(ungraded):
        matrix[i, i] = len(player.played)
        for game in player.played:
            constants[i] += win_points(game.score)
            if game.opponent.id in index:
                matrix[i, index[game.opponent.id]] -= 1
            else:
                constants[i] += replacements.get(game.opponent.id, game.opponent.before or 0)
    for player, solution in zip(ungraded, np.linalg.solve(matrix, constants), strict=True):
        player.after = float(solution)
    for player in ungraded:
        for game in player.played:
            other = game.opponent
            game.rating = other.after if other.id in index else replacements.get(other.id, other.before or 0)


def _rate_provisional(player: Entrant) -> float:
    """Return a provisional player's rating; the old rating weighs as many games as it is based on (paragraph 5)."""
    total = player.games_before * (player.before or 0) + sum(game.worth for game in player.played)
    return total / (player.games_before + len(player.played))


def _get_provisional_ratings(provisional: Iterable[Entrant], settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the ratings with which provisional opponents count (paragraph 7).

    It is the rating after the event, or the performance if that is higher and based on enough games.
    """
    return {
        player.id: max(player.value, player.performance)
        if len(player.played) >= settings["bracket_games"]
        else player.value
        for player in provisional
    }


def _revise(ungraded: Sequence[Entrant], provisional: Sequence[Entrant], settings: Mapping[str, Any]) -> None:
    """Recompute, once, players who met provisional players (paragraph 7): first the ungraded, then the provisional."""
    opponent_ratings = _get_provisional_ratings(provisional, settings)
    if any(game.opponent.kind == PROVISIONAL for player in ungraded for game in player.played):
        _solve_ungraded(ungraded, opponent_ratings)
        for player in ungraded:
            player.revised = player.after
    for player in provisional:
        if any(game.opponent.kind == PROVISIONAL for game in player.played):
            _set_opponent_ratings(player, opponent_ratings)
            player.revised = _rate_provisional(player)


def _set_gain(player: Entrant, settings: Mapping[str, Any]) -> None:
    """Set gain and bonus of a graded player; `cut` says which limit the bonus met (paragraph 1)."""
    before, gain = player.before or 0, compute_gain(K_OF_BONUS, player.points, player.expected)
    player.gain = compute_gain(player.k, player.points, player.expected)
    threshold = player.get_threshold(settings)
    reached, cap = before + player.gain, settings["cap"]
    if threshold is None or gain <= threshold or reached >= cap:
        return
    full = (gain - threshold) * player.k / K_OF_BONUS
    player.bonus = max(0.0, min(reached + full, player.performance, cap) - reached)
    if player.bonus < full:
        player.cut = "performance" if player.performance < cap else "cap"


def _apply_feedback(
    ungraded: Iterable[Entrant], provisional: Iterable[Entrant], graded: Sequence[Entrant], settings: Mapping[str, Any]
) -> None:
    """Rate games against players who earned a bonus again, once, after all bonuses are known (paragraph 2)."""
    earned = {player.id: player.gain + player.bonus for player in graded if player.bonus > 0}
    for player in graded:
        before = player.before or 0
        for game in player.played:
            if game.opponent.id in earned:
                new = min(game.opponent.performance, (game.opponent.before or 0) + earned[game.opponent.id])
                game.feedback = player.k * (expected_score(before, game.rating) - expected_score(before, new))
        player.feedback = math.fsum(game.feedback for game in player.played)
        without_bonus = before + player.gain + player.feedback
        player.after = without_bonus + player.bonus
        if player.bonus > 0 and player.after > settings["cap"]:
            player.after = max(settings["cap"], without_bonus)
    for player in (*ungraded, *provisional):
        for game in player.played:
            game.feedback = earned.get(game.opponent.id, 0.0) / (player.games_before + len(player.played))
        player.feedback = math.fsum(game.feedback for game in player.played)
        player.after = player.value + player.feedback
