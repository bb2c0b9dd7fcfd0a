"""Games as one types them in a line: the opponent's rating and the result, `1650+ 1720= 1800-` or `1650 1, 1720 ½`."""

from __future__ import annotations

import re

from ratings.systems.words import Words as _

from .parsed import Problems

GAMES_AT_MOST = 40
HIGHEST = 5000
"""Rating points that an opponent may have, above or below 0."""
SCORES = {"+": 1.0, "1": 1.0, "=": 0.5, "½": 0.5, "0.5": 0.5, "0,5": 0.5, "1/2": 0.5, "-": 0.0, "0": 0.0}
GAME = re.compile(r"(?<![\d.])(-?\d{1,4}(?:\.\d{1,4})?)(?:\s*([-+=])|\s+(1/2|0[.,]5|½|1|0))(?=[\s,;]|$)")


def read_typed_games(text: str) -> tuple[list[tuple[float, float]], Problems]:
    """(opponent's rating in rating points, own score) of each game; what is no game is told with its line."""
    games: list[tuple[float, float]] = []
    problems = Problems()
    for number, line in enumerate(text.splitlines(), 1):
        for found in GAME.finditer(line):
            rating = float(found[1])
            if abs(rating) > HIGHEST:
                told = _("a rating of {rating} cannot be; it is at most {highest}", rating=found[1], highest=HIGHEST)
                problems.error(told, number)
            games.append((int(rating) if rating.is_integer() else rating, SCORES[found[2] or found[3]]))
        rest = GAME.sub(" ", line).strip(" \t,;")
        if rest:
            told = _("“{text}” is no game; write rating and result, as 1650+ 1720= 1800-", text=rest[:30])
            problems.error(told, number)
    if len(games) > GAMES_AT_MOST:
        problems.error(_("{games} games; at most {most} are reckoned at once", games=len(games), most=GAMES_AT_MOST))
    return games, problems
