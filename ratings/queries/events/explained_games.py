"""Games of an explained rating change as a calculator takes them, and the state from which it begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ratings.models import Player, RatedTable
from ratings.queries.runs.states import incoming_states
from ratings.queries.runs.tables import load_table
from ratings.queries.runs.values import load_players
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.simulation import GameConditions
from ratings.systems.values import Row


class ExplainedGame(NamedTuple):
    """A rated game: the opponent's rating in rating points without the handicap, the score, and the conditions."""

    rating: float
    score: float
    conditions: GameConditions = GameConditions()


@dataclass(frozen=True)
class TableStart:
    """Player and state before a rated table, and the table without its games."""

    player: values.Player
    state: Any
    table: values.Table
    system: System[Any]


def read_start_before(rated: RatedTable, player: Player) -> TableStart:
    """Return the state of a player before a rated table, with what the table says about all of its games."""
    system = rated.list.rating_system_on(rated.day)
    players = load_players(rated.list, [player.public_id])
    state = incoming_states(rated, system, players)[player.public_id]
    table = load_table(rated.table)
    return TableStart(players[player.public_id], state, replace(table, games=()), system)


def has_opponent_rating(term: Mapping[str, Any]) -> bool:
    """Return True for a term with an opponent's rating: a rated game, an earlier game, or a result that was added."""
    return term.get("opponent_rating") is not None


def is_game_against_rated(term: Mapping[str, Any]) -> bool:
    """Return True for a term that is a game of the table against a rated opponent."""
    return bool(term.get("opponent")) and has_opponent_rating(term)


def read_explained_games(row: Row, rated: RatedTable) -> list[ExplainedGame]:
    """Return the games of a player's row of a rated table against rated opponents.

    The table is read only if their conditions may matter.
    """
    games = [term for term in row.terms if is_game_against_rated(term)]
    if not any("stones" in term or "handicap" in term for term in games):
        return [ExplainedGame(term["opponent_rating"], term["score"]) for term in games]
    system = rated.list.rating_system_on(rated.day)
    return list(list_explained_games(games, row.player, load_table(rated.table), system))


def list_explained_games(
    terms: Iterable[Mapping[str, Any]], player: str, table: values.Table, system: System[Any]
) -> Iterator[ExplainedGame]:
    """Yield the games of a player of a table, by the terms of the explanation; `player` is the id in the table.

    The conditions are those of the first game in the table that fits the term.
    """
    unused = [game for game in table.games if game.played and player in {game.a, game.b}]
    for term in terms:
        rating = term.get("opponent_rating_even", term["opponent_rating"])
        game = next((game for game in unused if _fits(game, term, player, system)), None)
        if game is None:
            yield ExplainedGame(rating, term["score"])
        else:
            unused.remove(game)
            yield ExplainedGame(rating, term["score"], _read_conditions(game, player))


def _fits(game: values.Game, term: Mapping[str, Any], player: str, system: System[Any]) -> bool:
    is_a = game.a == player
    score = game.score if is_a else 1 - (game.score or 0)
    if (game.b if is_a else game.a, score) != (term["opponent"], term["score"]):
        return False
    if "stones" in term and term["stones"] != game.stones:
        return False
    rating = term["opponent_rating"]
    return system.rating.predict(rating, rating, game, "a" if is_a else "b") is not None


def _read_conditions(game: values.Game, player: str) -> GameConditions:
    side = "a" if game.a == player else "b"
    if game.handicap:
        handicap, gives = game.handicap, game.giver == side
    else:
        handicap, gives = str(game.stones) if game.stones else "", bool(game.stones) and game.black != side
    if game.stones and game.black is None:
        gives = side == "b"  # systems take side a for Black then
    return GameConditions(handicap, gives, game.board, game.online, game.correspondence)
