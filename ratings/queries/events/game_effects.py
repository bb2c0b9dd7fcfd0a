"""Effect of each game on a rating that is not a sum, such as a performance or a first rating.

The effect of a game is the result of the rules with all rated games of the table, minus their result without this game,
in rating points before rounding. The opponents keep the ratings that counted, and earlier games still count. In a
change that is a sum, the part of each game is its effect, and nothing of this is computed.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import TypeAdapter

from ratings.models import Change, RatedTable
from ratings.queries.lists.list_cache import cached
from ratings.systems.simulation import Conditions, simulate_results
from ratings.systems.values import Row

from .explained_games import ExplainedGame, TableStart, read_start_before

EFFECTS = TypeAdapter(list[float | None])


def read_game_effects(rated: RatedTable, change: Change, games: Sequence[ExplainedGame]) -> list[float | None]:
    """Return the effect of each game of a player in a rated table, cached under the list's version.

    None stands for a game without which there would be no rating, or if the state before the table cannot be read.
    """
    if len(games) < 2:
        return [None] * len(games)
    name, detail = f"effects:{change.player_id}", f"{rated.table_id}"
    return cached(rated.list, name, lambda: _compute_effects(rated, change, games), EFFECTS, detail=detail)


def _compute_effects(rated: RatedTable, change: Change, games: Sequence[ExplainedGame]) -> list[float | None]:
    try:
        start = read_start_before(rated, change.player)
        total = _compute_result(rated, start, games)
        others = [_compute_result(rated, start, [*games[:n], *games[n + 1 :]]) for n in range(len(games))]
    except ValueError:
        return [None] * len(games)
    return [None if total is None or other is None else total - other for other in others]


def _compute_result(rated: RatedTable, start: TableStart, games: Sequence[ExplainedGame]) -> float | None:
    results = [(game.rating, game.score) for game in games]
    conditions = Conditions([game.conditions for game in games], start.table)
    row, _state = simulate_results(start.system.rating, start.player, start.state, results, rated.day, conditions)
    return _read_result(row)


def _read_result(row: Row) -> float | None:
    """Return the unrounded change of a row that adds one, else the unrounded rating; None without games or rating.

    A rating that is not published yet counts, too.
    """
    if not row.games:
        return None
    names = ("sum", "exact") if row.before is not None else ("exact",)
    return next((row.figures[name] for name in names if row.figures.get(name) is not None), row.after)
