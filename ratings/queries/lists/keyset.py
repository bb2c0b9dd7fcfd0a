"""Pages of long lists by where the last one ended, so that the last page costs what the first one does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)
Position = list[Any]
"""The values of a row's keys, as JSON holds them."""


@dataclass(frozen=True)
class Slice(Generic[M]):
    """Some rows, with the positions behind which (`after`) and in front of which (`before`) there are others."""

    rows: list[M]
    before: Position | None
    after: Position | None


def slice_of(
    rows: QuerySet[M], keys: Sequence[str], size: int, position: Position | None = None, *, backwards: bool = False
) -> Slice[M]:
    """`size` rows beyond a position, in the order of keys ("-rating") that no two rows share and none lacks."""
    order = [_turned(key) for key in keys] if backwards else list(keys)
    found = rows.order_by(*order)
    if position is not None:
        found = found.filter(_beyond(order, position))
    got = list(found[: size + 1])
    more, got = len(got) > size, got[:size]
    if backwards:
        got.reverse()
    earlier, later = (more, True) if backwards else (position is not None, more)
    return Slice(
        got,
        _position(got[0], keys) if got and earlier else None,
        _position(got[-1], keys) if got and later else None,
    )


def _turned(key: str) -> str:
    return key.removeprefix("-") if key.startswith("-") else f"-{key}"


def _beyond(order: Sequence[str], position: Position) -> Q:
    further, equal = Q(), Q()
    for key, value in zip(order, position, strict=True):
        name, more = key.removeprefix("-"), "lt" if key.startswith("-") else "gt"
        further |= equal & Q(**{f"{name}__{more}": value})
        equal &= Q(**{name: value})
    # said twice, so that an index finds the place
    name, more = order[0].removeprefix("-"), "lte" if order[0].startswith("-") else "gte"
    return Q(**{f"{name}__{more}": position[0]}) & further


def _position(row: M, keys: Sequence[str]) -> Position:
    values = (attrgetter(key.removeprefix("-").replace("__", "."))(row) for key in keys)
    return [value.isoformat() if isinstance(value, dt.date) else value for value in values]
