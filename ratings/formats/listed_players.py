"""Reports of rating lists without players, and of players who were left out."""

from __future__ import annotations

from .parsed import Problems
from .problems import FileProblem


def report_players(players: int, problems: Problems, *, unrated: int = 0) -> None:
    """Report a list without players, and the number of players that were left out because they have no rating.

    After an error nothing is added, because the numbers are not those of the whole list.
    """
    if problems.fatal:
        return
    if not players:
        problems.error(FileProblem.NO_PLAYERS())
    if unrated:
        problems.warn(FileProblem.UNRATED_LEFT_OUT(players=unrated))
