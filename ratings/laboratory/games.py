"""Games of a history as columns, the same for all candidates of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratings.systems.ages import UNDER_21, birth_year_of, is_under_21
from ratings.systems.values import Game, History, Player, Table

Numbers = NDArray[np.float64]
Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class GameColumns:
    """Played games between two players of a list, in the order of the history's tables.

    `event` numbers events from 0, `score` is that of the first player, `junior` tells games with a player under 21.
    """

    games: Mapping[str, list[tuple[int, Game]]]
    """The games of a table, by the table's id, each with its position in the columns."""
    event: Ids
    year: Ids
    score: Numbers
    junior: Flags

    def __len__(self) -> int:
        return len(self.score)


def collect_games(history: History) -> GameColumns:
    """Return the games of rated tables that were played between two players whose ratings are not fixed."""
    games: dict[str, list[tuple[int, Game]]] = {}
    events: dict[tuple[str, int], int] = {}
    rows: list[tuple[int, int, float, bool]] = []
    for table in history.tables:
        if not table.rated:
            continue
        event = events.setdefault((table.event or table.id, table.last_day.year), len(events))
        juniors = {id for id in table.players if _is_junior(history.players[id], table)}
        of_table = games.setdefault(table.id, [])
        for game in table.games:
            if _is_counted(game, table, history.players) and game.score is not None:
                of_table.append((len(rows), game))
                rows.append((event, table.last_day.year, game.score, game.a in juniors or game.b in juniors))
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    return GameColumns(
        games,
        np.array(columns[0], dtype=np.int64),
        np.array(columns[1], dtype=np.int64),
        np.array(columns[2], dtype=np.float64),
        np.array(columns[3], dtype=np.bool_),
    )


def _is_counted(game: Game, table: Table, players: Mapping[str, Player]) -> bool:
    if not game.played or game.b is None:
        return False
    return not any(players[id].fixed or id in table.fixed for id in (game.a, game.b))


def _is_junior(player: Player, table: Table) -> bool:
    """Return True if the player is under 21, by year where only the year of birth is known."""
    if is_under_21(player, table):
        return True
    year = None if player.birth_date else birth_year_of(player)
    return year is not None and table.date.year - year < UNDER_21
