"""Keyset pagination of long lists, in which the last page takes no longer than the first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)
Position = list[Any]
"""The values of a row's keys, as plain JSON."""


@dataclass(frozen=True)
class Slice(Generic[M]):
    """The rows of a page, with the positions of its first row (`before`) and its last row (`after`).

    Each position is None if there are no more rows on its side.
    """

    rows: list[M]
    before: Position | None
    after: Position | None


def slice_of(
    rows: QuerySet[M],
    keys: Sequence[str],
    size: int,
    position: Position | None = None,
    *,
    backwards: bool = False,
    own_keys: int = 0,
) -> Slice[M]:
    """Return `size` rows after a position (None: the first rows), or before it if `backwards`.

    `keys` are fields to order by, such as "-rating". Together they must be unique, and no row may lack a value. The
    first `own_keys` of them are no fields of other tables: rows that are too far behind by these are not joined.
    """
    order = [_reverse_key(key) for key in keys] if backwards else list(keys)
    if own_keys:
        rows = _leave_out_far_rows(rows, order[:own_keys], size, position and position[:own_keys])
    ordered = rows.order_by(*order)
    if position is not None:
        ordered = ordered.filter(_filter_after(order, position))
    page = list(ordered[: size + 1])
    more, page = len(page) > size, page[:size]
    if backwards:
        page.reverse()
    earlier, later = (more, True) if backwards else (position is not None, more)
    return Slice(
        page,
        _read_position(page[0], keys) if page and earlier else None,
        _read_position(page[-1], keys) if page and later else None,
    )


def _reverse_key(key: str) -> str:
    return key.removeprefix("-") if key.startswith("-") else f"-{key}"


def _leave_out_far_rows(rows: QuerySet[M], order: Sequence[str], size: int, position: Position | None) -> QuerySet[M]:
    """Return the rows without those that more than `size` others separate from the position."""
    further = rows if position is None else rows.filter(_filter_after(order, position))
    names = [key.removeprefix("-") for key in order]
    last = further.order_by(*order).values_list(*names)[size : size + 1].first()
    return rows if last is None else rows.filter(_filter_after(list(map(_reverse_key, order)), last, inclusive=True))


def _filter_after(order: Sequence[str], position: Sequence[Any], *, inclusive: bool = False) -> Q:
    further, equal = Q(), Q()
    for key, value in zip(order, position, strict=True):
        name, lookup = key.removeprefix("-"), "lt" if key.startswith("-") else "gt"
        further |= equal & Q(**{f"{name}__{lookup}": value})
        equal &= Q(**{name: value})
    further |= equal if inclusive else Q()
    # redundant, but lets the database find the position by an index
    name, lookup = order[0].removeprefix("-"), "lte" if order[0].startswith("-") else "gte"
    return Q(**{f"{name}__{lookup}": position[0]}) & further


def _read_position(row: M, keys: Sequence[str]) -> Position:
    values = (attrgetter(key.removeprefix("-").replace("__", "."))(row) for key in keys)
    return [value.isoformat() if isinstance(value, dt.date) else value for value in values]
