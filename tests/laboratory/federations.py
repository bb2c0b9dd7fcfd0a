"""Synthetic federations: players with known strengths, whose games are drawn by a known rule."""

import datetime as dt
import math

import numpy as np

from ratings.systems.values import Game, History, Player, Table

FIRST_DAY = dt.date(2020, 1, 1)


def draw_score(random, own, opponent):
    """Return the score of a game between two strengths, by the logistic rule with 400 points for odds of ten to one."""
    return float(random.random() < 1 / (1 + 10 ** ((opponent - own) / 400)))


def make_federation(  # noqa: PLR0913 - what is known of a federation
    seed, system, *, options=None, players=60, tables=100, spread=200.0, drift=0.0, mean=1500.0
):
    """Return a history of tables of eight players who meet in pairs, three rounds each.

    First strengths have the standard deviation `spread`; `drift` is the variance of a strength's change in a day.
    """
    random = np.random.default_rng(seed)
    strength = random.normal(mean, spread, players)
    made, days = [], 10
    for number in range(tables):
        strength = strength + random.normal(0.0, math.sqrt(drift * days), players)
        present = random.choice(players, 8, replace=False).tolist()
        games = []
        for round_ in range(3):
            order = random.permutation(present).tolist()
            for a, b in zip(order[::2], order[1::2], strict=True):
                games.append(Game(round_ + 1, f"p{a}", f"p{b}", draw_score(random, strength[a], strength[b])))
        day = FIRST_DAY + dt.timedelta(days=days * number)
        made.append(Table(f"t{number}", day, tuple(f"p{id}" for id in present), tuple(games), event=f"Event {number}"))
    return History(system, {f"p{id}": Player(f"p{id}") for id in range(players)}, tuple(made), options=options or {})
