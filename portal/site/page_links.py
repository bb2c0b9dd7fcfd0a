"""Links to parts of a page that have addresses of their own: tabs and chips."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageLink:
    """A tab or a chip; `count` stands behind the label unless it is 0."""

    label: str
    address: str
    is_current: bool
    count: int = 0


def add_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address
