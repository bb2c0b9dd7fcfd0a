"""Simulation of results: one imagined table against opponents with fixed ratings, and the list after it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .handicaps import SHOGI_HANDICAPS
from .rating_rules import RatingRules
from .values import Game, Player, Row, Table

LONGEST_PERIOD = dt.timedelta(days=400)
"""More days than between any two closing days, which are at most a year apart."""


@dataclass(frozen=True, slots=True)
class GameConditions:
    """Conditions of an imagined game; an even game over a full board by default.

    `handicap` is a code of SHOGI_HANDICAPS or a number of stones as digits; `gives` is True if the player gives it.
    """

    handicap: str = ""
    gives: bool = False
    board: int = 19
    online: bool = False
    correspondence: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions of imagined games: those of each game, and the table whose day, class and time control they have.

    Games without conditions are even games; without a table they are tournament games of one day. `since` is the day
    of the list with the player's present rating and deviation; None for the last closing day before the table.
    """

    games: Sequence[GameConditions] = ()
    table: Table | None = None
    since: dt.date | None = None


NO_CONDITIONS = Conditions()


def simulate_results(
    rules: RatingRules[Any],
    player: Player,
    state: Any,
    results: Sequence[tuple[float, float]],
    on: dt.date,
    conditions: Conditions = NO_CONDITIONS,
) -> tuple[Row, Any]:
    """Return the player's row and their state after an imagined table.

    `results` are pairs of (opponent's rating in rating points, score 0, 0.5 or 1). Raise ValueError if the rules do
    not cover such a table.
    """
    table, players = _imagine_table(player, results, on, conditions)
    rated = rules.rate(table, players, _read_states(rules, players, player.id, state))
    (row,) = (row for row in rated.rows if row.player == player.id)
    return row, rated.states.get(player.id, state)


def simulate_next_list(
    rules: RatingRules[Any],
    player: Player,
    states: tuple[Any, Any],
    results: Sequence[tuple[float, float]],
    on: dt.date,
    conditions: Conditions = NO_CONDITIONS,
) -> tuple[dt.date, Row] | None:
    """Return the day of the list that adds the points of an imagined table, and the player's row on that list.

    `states` are those before and after the table. Older games count by the rating before the table, and by its
    deviation if the system has deviations; both are those of the list of the day that the conditions
    name. Return None if ratings move at once, or if that list has no row.
    """
    day = rules.counting_day(on, conditions.table.list_day if conditions.table else None)
    if day is None:
        return None
    before, after = states
    table, players = _imagine_table(player, results, on, conditions)
    opening = rules.write(before)
    if "last_played" in opening:  # the rating and its deviation are those of the last list, not of the last game
        opening = {**opening, "last_played": (conditions.since or _find_last_list(rules, on)).isoformat()}
    players[player.id] = replace(players[player.id], opening=opening or None)
    past = rules.make_past_inputs()
    if past is not None:
        past.add(table, players, _read_states(rules, players, player.id, after))
    closed = rules.close(day, {player.id: players[player.id]}, {player.id: after}, past)
    row = next((row for row in closed.rows if row.player == player.id), None)
    return None if row is None else (day, row)


def _find_last_list(rules: RatingRules[Any], on: dt.date) -> dt.date:
    """Return the last closing day before a day."""
    return max(day for day in rules.closing_days(on - LONGEST_PERIOD, on) if day < on)


def simulate_deviation(
    rules: RatingRules[Any],
    state: Any,
    results: Sequence[tuple[float, float]],
    on: dt.date,
    since: dt.date | None = None,
) -> float:
    """Return a player's deviation, in rating points, after an imagined table and the closing day that rates it.

    `since` is the day of the list with the player's present deviation, as in the conditions.

    The rules must be those of a system with deviations, and the state must have one.
    """
    player = Player("player")
    row, after = simulate_results(rules, player, state, results, on)
    next_list = simulate_next_list(rules, player, (state, after), results, on, Conditions(since=since))
    rated = row if next_list is None else next_list[1]
    return float(rated.figures["deviation"])


def _imagine_table(
    player: Player, results: Sequence[tuple[float, float]], on: dt.date, conditions: Conditions
) -> tuple[Table, dict[str, Player]]:
    """Return the table of a player against outsiders with these ratings, and its players."""
    opponents = {f"opponent {n}": rating for n, (rating, _) in enumerate(results, 1)}
    played = [*conditions.games, *[GameConditions()] * (len(results) - len(conditions.games))]
    games = tuple(
        _imagine_game(number, player, score, how)
        for number, ((_, score), how) in enumerate(zip(results, played, strict=True), 1)
    )
    table = conditions.table or Table("imagined", on, (), ())
    table = replace(table, id="imagined", players=(player.id, *opponents), games=games, fixed=opponents)
    outsiders = {id: Player(id, fixed=True, opening={"rating": rating}) for id, rating in opponents.items()}
    return table, {player.id: replace(player, fixed=False), **outsiders}


def _imagine_game(number: int, player: Player, score: float, how: GameConditions) -> Game:
    game = Game(
        number,
        player.id,
        f"opponent {number}",
        score,
        board=how.board,
        online=how.online,
        correspondence=how.correspondence,
    )
    if how.handicap in SHOGI_HANDICAPS:
        return replace(game, handicap=how.handicap, giver="a" if how.gives else "b")
    if how.handicap:
        return replace(game, stones=int(how.handicap), black="b" if how.gives else "a")
    return game


def _read_states(rules: RatingRules[Any], players: dict[str, Player], id: str, state: Any) -> dict[str, Any]:
    outsiders = {one: rules.read(players[one].opening or {}, fixed=True) for one in players if one != id}
    return {id: state, **outsiders}
