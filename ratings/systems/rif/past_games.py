"""All games of a list so far, in the columns from which rif-2021 fits the ratings."""

from __future__ import annotations

import datetime as dt
import math
from array import array
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ratings.systems.idle_rows import get_outsider_rating
from ratings.systems.values import Adjustment, Game, Player, Table

from .state_2021 import OPENING_DEVIATION, State2021
from .whole_history import SCALE, Fit, GameColumns, Prior, fit_ratings

MIDDLE = 1900.0
"""Published rating of the virtual opponents: 0 on the internal scale."""
DRIFT = {"renju": 19.3, "gomoku": 10.7}
"""Variance of the drift of a rating in a day, in rating points squared, by discipline."""


class Segment(NamedTuple):
    """Segment of a player's career: it ends where an officer gives the player a new rating."""

    player: str
    prior: Prior


def drift_per_day(settings: Mapping[str, Any]) -> float:
    """Return the variance of the drift of a rating in a day, in rating points squared, by a list's settings."""
    return float(settings["w2"] or DRIFT[settings["discipline"]])


def grow_deviation(deviation: float, days: int, settings: Mapping[str, Any]) -> float:
    """Return a deviation, in rating points, after some days without a game, by the drift of a list's settings."""
    return math.sqrt(deviation * deviation + drift_per_day(settings) * days)


def list_counted_games(table: Table, settings: Mapping[str, Any]) -> list[Game]:
    """Return the games of a table that the rules rate."""
    too_fast = table.minutes is not None and table.minutes < settings["least_minutes"]
    if not table.rated or too_fast:
        return []
    return [game for game in table.games if game.played and is_rated(game, settings)]


def is_rated(game: Game, settings: Mapping[str, Any]) -> bool:
    """Return True if a list rates games played in this way."""
    online = game.online and settings["online"] == "no"
    return not online and not (game.correspondence and settings["correspondence"] == "no")


class PastGames:
    """The games, segments and shifts of a list up to now, in the order of its inputs."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self.shift = 0.0
        """Sum of all shifts of the list so far, in rating points: published = internal + 1900 + this."""
        self.segments: list[Segment] = []
        self.present: dict[str, int] = {}
        """Number of each player's present segment."""
        self.a, self.b, self.days = array("q"), array("q"), array("q")
        self.scores, self.constants = array("d"), array("d")
        self.opponents: list[tuple[str, str, str]] = []
        """The players of each game and the id of its table, for explanations."""

    def add(self, cause: Table | Adjustment, players: Mapping[str, Player], states: Mapping[str, State2021]) -> None:
        """Add a table's games, a shift, or the new segment of a player who is given a rating or a deviation."""
        if isinstance(cause, Table):
            self._add_table(cause, players, states)
        elif cause.shift is not None:
            self.shift += cause.shift
        elif cause.player is not None and cause.set and not players[cause.player].fixed:
            state = states[cause.player]
            if state.rating is not None and not {"rating", "deviation"}.isdisjoint(cause.set):
                self._start_segment(cause.player, self._get_known_rating(state.rating, state.deviation, cause.date))

    def _add_table(self, table: Table, players: Mapping[str, Player], states: Mapping[str, State2021]) -> None:
        day = table.last_day.toordinal()
        for game in list_counted_games(table, self.settings):
            assert game.b is not None
            assert game.score is not None
            a, b, score = game.a, game.b, float(game.score)
            of_a, of_b = (self._get_constant(table, players[id], states[id]) for id in (a, b))
            if of_a is not None:  # the outsider is always the second side
                a, b, score, of_a, of_b = b, a, 1 - score, of_b, of_a
            if of_a is not None:
                continue
            self.a.append(self.find_or_start_segment(players[a], table.last_day))
            self.b.append(-1 if of_b is not None else self.find_or_start_segment(players[b], table.last_day))
            self.days.append(day)
            self.scores.append(score)
            self.constants.append(of_b or 0.0)
            self.opponents.append((a, b, table.id))

    def _get_constant(self, table: Table, player: Player, state: State2021) -> float | None:
        """Return an outsider's rating on the internal scale; None for other players."""
        rating = get_outsider_rating(table, player, state.rating)
        return None if rating is None else (rating - MIDDLE - self.shift) / SCALE

    def find_or_start_segment(self, player: Player, day: dt.date) -> int:
        """Return the number of a player's present segment; the first one begins with the opening, if there is one.

        `day` is that of the player's first table, on which an opening without a day begins.
        """
        if player.id not in self.present:
            opening, prior = player.opening or {}, Prior()
            if opening.get("rating") is not None:
                last = opening.get("last_played")
                begun = day if last is None else dt.date.fromisoformat(last)
                prior = self._get_known_rating(opening["rating"], opening.get("deviation"), begun, shift=0.0)
            self._start_segment(player.id, prior)
        return self.present[player.id]

    def _get_known_rating(
        self, rating: float, deviation: float | None, day: dt.date, shift: float | None = None
    ) -> Prior:
        middle = MIDDLE + (self.shift if shift is None else shift)
        return Prior(day.toordinal(), (rating - middle) / SCALE, (deviation or OPENING_DEVIATION) / SCALE)

    def _start_segment(self, player: str, prior: Prior) -> None:
        self.present[player] = len(self.segments)
        self.segments.append(Segment(player, prior))

    def fit(self, players: Mapping[str, Player]) -> Fit:
        """Return the fit over all games so far; openings with a day belong to it before their player's first game."""
        for player in players.values():
            if player.id not in self.present and not player.fixed and (player.opening or {}).get("last_played"):
                self.find_or_start_segment(player, dt.date.min)
        columns = GameColumns(
            np.array(self.a, dtype=np.int64),
            np.array(self.b, dtype=np.int64),
            np.array(self.days, dtype=np.int64),
            np.array(self.scores),
            np.array(self.constants),
        )
        priors = [segment.prior for segment in self.segments]
        return fit_ratings(columns, priors, drift_per_day(self.settings) / SCALE**2, self.settings["virtual_games"])
