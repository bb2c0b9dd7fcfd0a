"""Games as one types them in a line: the opponent's rating and the result, `1650+ 1720= 1800-` or `1650 1, 1720 ½`."""

from __future__ import annotations

import re

from .parsed import Problems

GAMES_AT_MOST = 40
SCORES = {"+": 1.0, "1": 1.0, "=": 0.5, "½": 0.5, "0.5": 0.5, "0,5": 0.5, "1/2": 0.5, "-": 0.0, "0": 0.0}
GAME = re.compile(r"(?<![\d.])(-?\d{1,4}(?:\.\d{1,4})?)(?:\s*([-+=])|\s+(1/2|0[.,]5|½|1|0))(?=[\s,;]|$)")


def read_typed_games(text: str) -> tuple[list[tuple[float, float]], Problems]:
    """(opponent's rating in rating points, own score) of each game; what is no game is told with its line."""
    games: list[tuple[float, float]] = []
    problems = Problems()
    for number, line in enumerate(text.splitlines(), 1):
        for found in GAME.finditer(line):
            rating = float(found[1])
            games.append((int(rating) if rating.is_integer() else rating, SCORES[found[2] or found[3]]))
        rest = GAME.sub(" ", line).strip(" \t,;")
        if rest:
            problems.error(f"“{rest[:30]}” is no game; write rating and result, as 1650+ 1720= 1800-", number)
    if len(games) > GAMES_AT_MOST:
        problems.error(f"{len(games)} games; at most {GAMES_AT_MOST} are reckoned at once")
    return games, problems
