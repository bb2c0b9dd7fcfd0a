"""icu-1989: one event computed in the order of the fax's paragraph 7. Everything in it is unrounded.

The fax of the Irish Chess Union on its rating procedures (1989); the numbers in brackets are its paragraphs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .arithmetic import expected_score

UNGRADED, PROVISIONAL, GRADED, FIXED = "ungraded", "provisional", "graded", "fixed"
MASTER = 2100  # (3) from here on K is 16
BONUS_FACTORS = (32, 40)  # (1)
SETTLED_AFTER = 8  # (3) years since the start year


def k_factor(rating: float, *, under_21: bool, years: int | None) -> int:
    """(3) K by the rating before the event, age, and years since the start year (None: unknown, so settled)."""
    if rating >= MASTER:
        return 16
    if under_21:
        return 40
    return 32 if years is not None and years <= SETTLED_AFTER else 24


def bonus_threshold(games: int, least: int = 4) -> int | None:
    """(1) The gain at K = 32 beyond which a bonus is given, in points; None below the fewest games that earn one."""
    if games < least:
        return None
    return 32 + 3 * (games - 4) if games <= 10 else 50 + 2 * (games - 10)


@dataclass(slots=True, eq=False)
class Played:
    """One game from one side; `rating` is the opponent's as last used."""

    opponent: Entrant
    score: float
    rating: float = 0.0
    feedback: float = 0.0

    @property
    def worth(self) -> float:
        """The opponent's rating with 400 points added for a win and taken off for a loss."""
        return self.rating + 400 * (2 * self.score - 1)


@dataclass(slots=True, eq=False)
class Entrant:
    """A player of the event: before it, and what each step makes of him."""

    id: str
    kind: str
    before: float | None
    games_before: int
    k: int = 0
    played: list[Played] = field(default_factory=list)
    first: float = 0.0
    revised: float | None = None
    gain: float = 0.0
    bonus: float = 0.0
    cut: str = ""
    feedback: float = 0.0
    after: float = 0.0

    @property
    def known(self) -> float:
        """The rating that he brought to the event, or an ungraded player's present solution."""
        return self.value if self.before is None else self.before

    @property
    def value(self) -> float:
        """(7) What he counts with for graded players: ungraded and provisional ones with what they came to."""
        if self.kind in (GRADED, FIXED):
            return self.before or 0
        return self.first if self.revised is None else self.revised

    @property
    def points(self) -> float:
        return sum(game.score for game in self.played)

    @property
    def performance(self) -> float:
        """Rp: the mean worth of this event's games."""
        return sum(game.worth for game in self.played) / len(self.played)

    @property
    def expected(self) -> float:
        return sum(expected_score(self.before or 0, game.rating) for game in self.played)


def unlinked(entrants: Iterable[Entrant], *, provisional_counts: bool) -> set[str]:
    """(6) Ungraded players whose group met nobody with a rating: their games count for nobody."""
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


def compute(entrants: Sequence[Entrant], settings: Mapping[str, Any]) -> None:
    """(7) Rate the event: `after` of everybody who is neither fixed nor unlinked, and what led to it.

    `played` holds only games that count. The system of equations has one solution wherever nobody is unlinked.
    """
    ungraded, provisional, graded = (
        [e for e in entrants if e.kind == kind and e.played] for kind in (UNGRADED, PROVISIONAL, GRADED)
    )
    _solve_ungraded(ungraded, {})
    for player in ungraded:
        player.first = player.after
    for player in provisional:
        _use(player, {})
        player.first = _provisional(player)
    _revise(ungraded, provisional, settings)
    bracketed = _worth(provisional, settings) if settings["bracket_for_graded"] else {}
    for player in graded:
        for game in player.played:
            game.rating = bracketed.get(game.opponent.id, game.opponent.value)
        _gain(player, settings)
    _feed_back(ungraded, provisional, graded, settings)


def _use(player: Entrant, instead: Mapping[str, float]) -> None:
    """Let his opponents count with their rating before the event (or solution), or with what is given instead."""
    for game in player.played:
        game.rating = instead.get(game.opponent.id, game.opponent.known)


def _solve_ungraded(ungraded: Sequence[Entrant], instead: Mapping[str, float]) -> None:
    """(6) All ungraded players at once: each is the mean worth of his games, in which the others' values stand."""
    if not ungraded:
        return
    place = {player.id: i for i, player in enumerate(ungraded)}
    matrix, constants = np.zeros((len(ungraded), len(ungraded))), np.zeros(len(ungraded))
    for i, player in enumerate(ungraded):
        matrix[i, i] = len(player.played)
        for game in player.played:
            constants[i] += 400 * (2 * game.score - 1)
            if game.opponent.id in place:
                matrix[i, place[game.opponent.id]] -= 1
            else:
                constants[i] += instead.get(game.opponent.id, game.opponent.before or 0)
    for player, solution in zip(ungraded, np.linalg.solve(matrix, constants), strict=True):
        player.after = float(solution)
    for player in ungraded:
        for game in player.played:
            other = game.opponent
            game.rating = other.after if other.id in place else instead.get(other.id, other.before or 0)


def _provisional(player: Entrant) -> float:
    """(5) His old rating weighs as many games as it is based on."""
    total = player.games_before * (player.before or 0) + sum(game.worth for game in player.played)
    return total / (player.games_before + len(player.played))


def _worth(provisional: Iterable[Entrant], settings: Mapping[str, Any]) -> dict[str, float]:
    """(7) A provisional opponent's rating after the event, or his performance if that is higher and well based."""
    return {
        player.id: max(player.value, player.performance)
        if len(player.played) >= settings["bracket_games"]
        else player.value
        for player in provisional
    }


def _revise(ungraded: Sequence[Entrant], provisional: Sequence[Entrant], settings: Mapping[str, Any]) -> None:
    """(7) One pass over those who met provisional players: first the ungraded, then the provisional."""
    worth = _worth(provisional, settings)
    if any(game.opponent.kind == PROVISIONAL for player in ungraded for game in player.played):
        _solve_ungraded(ungraded, worth)
        for player in ungraded:
            player.revised = player.after
    for player in provisional:
        if any(game.opponent.kind == PROVISIONAL for game in player.played):
            _use(player, worth)
            player.revised = _provisional(player)


def _gain(player: Entrant, settings: Mapping[str, Any]) -> None:
    """(1) Gain and bonus of a graded player; `cut` says which limit the bonus met."""
    before, surplus = player.before or 0, player.points - player.expected
    player.gain = player.k * surplus
    threshold = bonus_threshold(len(player.played), settings["min_bonus_games"])
    reached, cap = before + player.gain, settings["cap"]
    if player.k not in BONUS_FACTORS or threshold is None or 32 * surplus <= threshold or reached >= cap:
        return
    full = (32 * surplus - threshold) * player.k / 32
    player.bonus = max(0.0, min(reached + full, player.performance, cap) - reached)
    if player.bonus < full:
        player.cut = "performance" if player.performance < cap else "cap"


def _feed_back(
    ungraded: Iterable[Entrant], provisional: Iterable[Entrant], graded: Sequence[Entrant], settings: Mapping[str, Any]
) -> None:
    """(2) Games against those who earned a bonus are rated again, once, after all bonuses are known."""
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
