"""Players whose state a table does not change: outsiders with a fixed rating, and players without a rated game."""

from __future__ import annotations

from dataclasses import replace

from .messages import RatingMessage
from .values import Category, Player, Row, Standing, Table


def get_outsider_rating(table: Table, player: Player, rating: float | None) -> float | None:
    """Return the rating, in rating points, with which an outsider counts in a table; None for other players.

    `rating` is the player's own on the list. Raise ValueError if neither the table nor the list has one.
    """
    if player.id not in table.fixed and not player.fixed:
        return None
    outsider_rating = table.fixed.get(player.id, rating)
    if outsider_rating is None:
        raise ValueError(RatingMessage.OUTSIDER_WITHOUT_RATING(id=player.id))
    return outsider_rating


def make_idle_row(
    table: Table, player: Player, standing: Standing, outsider_rating: float | None, note: str = ""
) -> Row:
    """Return the row of a player whose state a table does not change.

    `standing` is the player's own; `outsider_rating` is that of an outsider in this table, in rating points, else None.
    `note` replaces the usual reason.
    """
    if outsider_rating is not None:
        standing = replace(standing, rating=outsider_rating, grade=None, category=Category.FIXED)
        usual = RatingMessage.FIXED_OUTSIDER()
    else:
        usual = RatingMessage.NO_RATED_GAME() if table.rated else RatingMessage.NOT_A_RATED_TABLE()
    return unchanged_row(player.id, standing, note or usual)


def unchanged_row(player: str, standing: Standing, note: str, category: str | None = None) -> Row:
    """Return the row of a player whose state a table does not change; `note` gives the reason."""
    return Row(
        player,
        category or standing.category,
        category or standing.category,
        standing.rating,
        standing.rating,
        None if standing.rating is None else 0,
        games_after=standing.games,
        grade_before=standing.grade,
        grade=standing.grade,
        note=note,
    )
