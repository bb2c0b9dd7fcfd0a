"""How a list moved between two days: who rose, fell, came, went and was promoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.models import Player

from .names import by_public_name
from .past import Rows

KINDS = ("risers", "fallers", "new", "gone", "promoted")


@dataclass(frozen=True)
class Moves:
    """Two lists, of the active players by number, as `past_rows` gives them."""

    before: Rows
    after: Rows

    def of(self, kind: str) -> Rows:
        """A row a player: his places in both lists, -1 where he is not on it, and a number that equals share.

        The greatest first.
        """
        both, old, new = np.intersect1d(
            self.before["player"], self.after["player"], assume_unique=True, return_indices=True
        )
        if kind == "new":
            came = np.flatnonzero(~np.isin(self.after["player"], both, assume_unique=True))
            return _ordered(np.full_like(came, -1), came, -self.after["rating"][came])
        if kind == "gone":
            went = np.flatnonzero(~np.isin(self.before["player"], both, assume_unique=True))
            return _ordered(went, np.full_like(went, -1), -self.before["rating"][went])
        ratings, grades = self.after["rating"][new], self.after["grade"][new]
        if kind == "promoted":
            up = grades > self.before["grade"][old]
            return _ordered(old[up], new[up], -ratings[up], -grades[up])
        by = (ratings - self.before["rating"][old]) * (-1 if kind == "fallers" else 1)
        moved = by > 0
        return _ordered(old[moved], new[moved], -ratings[moved], -by[moved])

    def counts(self, *, graded: bool) -> dict[str, int]:
        return {kind: len(self.of(kind)) for kind in KINDS if graded or kind != "promoted"}


def _ordered(old: Rows, new: Rows, *keys: Rows) -> Rows:
    """By the last key first."""
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
    """Places in both lists with their players; those who moved alike in the order of their names."""
    numbers = [int((moves.after[new] if new >= 0 else moves.before[old])["player"]) for old, new, _ in places]
    named = Player.objects.filter(pk__in=numbers).order_by(*by_public_name())
    players = {player.pk: (place, player) for place, player in enumerate(named)}
    read = []
    for number, (old, new, group) in zip(numbers, places.tolist(), strict=True):
        if number in players:
            by_name, player = players[number]
            sides = (*_side(moves.before, old, grades), *_side(moves.after, new, grades))
            read.append((group, by_name, Move(player, *sides)))
    return [move for *_, move in sorted(read, key=lambda one: one[:2])]


def _side(rows: Rows, place: int, grades: Sequence[str]) -> tuple[float | None, str]:
    if place < 0:
        return None, ""
    row = rows[place]
    return float(row["rating"]), grades[row["grade"]] if row["grade"] >= 0 else ""
