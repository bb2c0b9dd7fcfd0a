"""Expected scores of a history's games under a candidate, always from ratings before the game."""

from __future__ import annotations

import datetime as dt
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.systems import get_system_of
from ratings.systems.protocol import System
from ratings.systems.replay import Input, opening_states, replay
from ratings.systems.values import (
    UNRATED_CATEGORIES,
    Category,
    Game,
    History,
    Player,
    Standing,
    Table,
)

from .candidates import Candidate
from .conversion import convert_history
from .games import Flags, GameColumns, Numbers

NOT_PREDICTED = (*UNRATED_CATEGORIES, Category.FIXED)


@dataclass(frozen=True)
class Prediction:
    """Results of a candidate on a history.

    Of each game: the expected score of the first player (NaN if it is not known), the difference of the two ratings,
    and whether a rating was provisional. Besides, the standings after the last step, and the ratings at the end of each
    year of the players in the panel. `seconds` is the run time.
    """

    candidate: Candidate
    expected: Numbers
    gap: Numbers
    provisional: Flags
    standings: Mapping[str, Standing]
    panel: Mapping[int, Mapping[str, float]]
    seconds: float

    @property
    def known(self) -> Flags:
        return ~np.isnan(self.expected)


class _Recorder:
    """Recorder of expected scores and yearly ratings, asked before each step."""

    def __init__(
        self,
        system: System[Any],
        history: History,
        games: GameColumns,
        states: Mapping[str, Any],
        panel: Collection[str],
    ) -> None:
        self.rating, self.players, self.games, self.states = system.rating, history.players, games, states
        self.expected = np.full(len(games), np.nan)
        self.gap = np.full(len(games), np.nan)
        self.provisional = np.zeros(len(games), dtype=np.bool_)
        self.played: Counter[str] = Counter()
        self.panel_players, self.panel = panel, dict[int, Mapping[str, float]]()
        self.year: int | None = None

    def __call__(self, day: dt.date, cause: Input) -> None:
        if self.year is not None and day.year > self.year:
            for year in range(self.year, day.year):
                self.record_year(year)
        self.year = day.year
        if isinstance(cause, Table):
            if self.games.games.get(cause.id):
                self.predict(cause, day)
            if cause.rated:
                self.played.update(id for game in cause.games if game.played for id in (game.a, game.b) if id)

    def predict(self, table: Table, day: dt.date) -> None:
        """Record the expected scores of a table's games from the standings before it."""
        known = {id: self.standing(self.players[id], day) for id in table.players}
        for position, game in self.games.games[table.id]:
            own, opponent = known[game.a], known[game.b or ""]
            if own.rating is None or opponent.rating is None:
                continue
            if own.category in NOT_PREDICTED or opponent.category in NOT_PREDICTED:
                continue
            self.predict_game(position, game, own, opponent)

    def predict_game(self, position: int, game: Game, own: Standing, opponent: Standing) -> None:
        """Record the expected score of one game between two rated players."""
        deviations = own.deviation or 0.0, opponent.deviation or 0.0
        before, against = own.rating or 0.0, opponent.rating or 0.0
        expected = self.rating.predict(before, against, game, "a", deviations)
        if expected is not None:
            self.expected[position] = expected
            self.gap[position] = before - against
            self.provisional[position] = self.is_new(game.a, own) or self.is_new(game.b or "", opponent)

    def is_new(self, id: str, standing: Standing) -> bool:
        """Return True if a rating is provisional or, in systems without such a category, rests on few games."""
        return self.rating.is_newcomer(standing.category, self.played[id])

    def standing(self, player: Player, day: dt.date) -> Standing:
        return self.rating.standing(self.states[player.id], player, day)

    def record_year(self, year: int) -> None:
        """Record the ratings of the panel at the end of a year."""
        last_day = dt.date(year, 12, 31)
        standings = {id: self.standing(self.players[id], last_day) for id in self.panel_players}
        self.panel[year] = {
            id: standing.rating
            for id, standing in standings.items()
            if standing.rating is not None and standing.category not in UNRATED_CATEGORIES
        }


def predict_games(
    history: History,
    candidate: Candidate,
    games: GameColumns,
    panel: Collection[str] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Prediction:
    """Rate a history by a candidate's rules, and predict each game from the ratings before its table.

    The prediction has the yearly ratings of the players in `panel`, and all standings; without `panel` it has neither,
    which keeps the many runs of a sweep small. `tick` is called before each step; it may raise an exception to end the
    run. Raise ValueError, with the day, if the rules do not cover an input.
    """
    start = time.monotonic()
    converted = convert_history(history, candidate)
    dated = get_system_of(converted)
    system = dated.first
    states = opening_states(system, converted.players)
    recorder = _Recorder(system, converted, games, states, panel or ())

    def before(day: dt.date, cause: Input) -> None:
        tick()
        recorder(day, cause)

    last_day = None
    for step in replay(dated, converted, states, before):
        last_day = step.day
    if last_day is not None:
        recorder.record_year(last_day.year)
    listed = converted.players.items() if panel is not None else ()
    standings = {id: system.rating.standing(states[id], player, last_day) for id, player in listed if not player.fixed}
    seconds = time.monotonic() - start
    return Prediction(
        candidate, recorder.expected, recorder.gap, recorder.provisional, standings, recorder.panel, seconds
    )
