"""Reader of typed games: opponents' ratings and results, such as `1650+ 1720= 1800-` or `1650 1, 1720 ½`."""

from __future__ import annotations

import re

from ratings.formats.problems import FileProblem

from .parsed import Problems

GAMES_AT_MOST = 40
HIGHEST = 5000
"""Highest absolute rating of an opponent, in rating points."""
SCORES = {"+": 1.0, "1": 1.0, "=": 0.5, "½": 0.5, "0.5": 0.5, "0,5": 0.5, "1/2": 0.5, "-": 0.0, "0": 0.0}
GAME = re.compile(r"(?<![\d.])(-?\d{1,4}(?:\.\d{1,4})?)(?:\s*([-+=])|\s+(1/2|0[.,]5|½|1|0))(?=[\s,;]|$)")


def read_typed_games(text: str) -> tuple[list[tuple[float, float]], Problems]:
    """Return (opponent's rating in rating points, own score) of each game, and the problems with their lines."""
    games: list[tuple[float, float]] = []
    problems = Problems()
    for number, line in enumerate(text.splitlines(), 1):
        for game in GAME.finditer(line):
            rating = float(game[1])
            if abs(rating) > HIGHEST:
                message = FileProblem.RATING_TOO_HIGH(rating=game[1], highest=HIGHEST)
                problems.error(message, number)
            games.append((int(rating) if rating.is_integer() else rating, SCORES[game[2] or game[3]]))
        rest = GAME.sub(" ", line).strip(" \t,;")
        if rest:
            message = FileProblem.NOT_A_GAME(text=rest[:30])
            problems.error(message, number)
    if len(games) > GAMES_AT_MOST:
        problems.error(FileProblem.TOO_MANY_TYPED_GAMES(games=len(games), most=GAMES_AT_MOST))
    return games, problems
