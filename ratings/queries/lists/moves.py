"""Changes of a list between two days: rises, falls, new and removed players, and promotions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.models import Player
from ratings.queries.players.names import by_public_name
from ratings.systems.values import UNRATED_CATEGORIES

from .past import Rows

KINDS = ("risers", "fallers", "new", "gone", "promoted")


@dataclass(frozen=True)
class Moves:
    """A list on two days, as rows of the active players ordered by primary key (see `past_rows`)."""

    before: Rows
    after: Rows

    def select(self, kind: str) -> Rows:
        """Return a row for each player: the positions in `before` and `after` (-1: none), and a group number.

        The greatest moves come first; equal moves have the same group number. A player who was unrated on the earlier
        list neither rises nor falls.
        """
        both, old, new = np.intersect1d(
            self.before["player"], self.after["player"], assume_unique=True, return_indices=True
        )
        if kind == "new":
            added = np.flatnonzero(~np.isin(self.after["player"], both, assume_unique=True))
            return _sort_moves(np.full_like(added, -1), added, -self.after["rating"][added])
        if kind == "gone":
            removed = np.flatnonzero(~np.isin(self.before["player"], both, assume_unique=True))
            return _sort_moves(removed, np.full_like(removed, -1), -self.before["rating"][removed])
        ratings, grades = self.after["rating"][new], self.after["grade"][new]
        if kind == "promoted":
            promoted = grades > self.before["grade"][old]
            return _sort_moves(old[promoted], new[promoted], -ratings[promoted], -grades[promoted])
        change = (ratings - self.before["rating"][old]) * (-1 if kind == "fallers" else 1)
        first_ratings = np.isin(self.before["category"][old], [category.encode() for category in UNRATED_CATEGORIES])
        moved = (change > 0) & ~first_ratings
        return _sort_moves(old[moved], new[moved], -ratings[moved], -change[moved])

    def counts(self, *, graded: bool) -> dict[str, int]:
        return {kind: len(self.select(kind)) for kind in KINDS if graded or kind != "promoted"}


def _sort_moves(old: Rows, new: Rows, *keys: Rows) -> Rows:
    """Return moves sorted by the last key first, with a group number shared by moves with equal keys."""
    order = np.lexsort(keys)
    differ = [key[order][1:] != key[order][:-1] for key in keys]
    groups = np.concatenate([[0], np.cumsum(np.any(differ, axis=0))]) if len(order) else order
    return np.stack([old[order], new[order], groups], axis=1)


@dataclass(frozen=True)
class Move:
    player: Player
    before: float | None
    grade_before: str
    after: float | None
    grade: str

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


def read_moves(moves: Moves, places: Rows, grades: Sequence[str]) -> list[Move]:
    """Return the moves at these places with their players; players with equal moves are ordered by name."""
    pks = [int((moves.after[new] if new >= 0 else moves.before[old])["player"]) for old, new, _ in places]
    by_name = Player.objects.filter(pk__in=pks).order_by(*by_public_name())
    players = {player.pk: (position, player) for position, player in enumerate(by_name)}
    keyed_moves = []
    for pk, (old, new, group) in zip(pks, places.tolist(), strict=True):
        if pk in players:
            position, player = players[pk]
            sides = (*_rating_and_grade(moves.before, old, grades), *_rating_and_grade(moves.after, new, grades))
            keyed_moves.append((group, position, Move(player, *sides)))
    return [move for *_, move in sorted(keyed_moves, key=lambda keyed: keyed[:2])]


def _rating_and_grade(rows: Rows, position: int, grades: Sequence[str]) -> tuple[float | None, str]:
    if position < 0:
        return None, ""
    row = rows[position]
    return float(row["rating"]), grades[row["grade"]] if row["grade"] >= 0 else ""
