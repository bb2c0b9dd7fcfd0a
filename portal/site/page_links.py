"""Links to parts of a page that have addresses of their own: tabs and chips."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.models import Player, RatingList


@dataclass(frozen=True)
class PageLink:
    """A tab or a chip; `count` stands behind the label unless it is 0."""

    label: str
    address: str
    is_current: bool
    count: int = 0


def add_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


def player_address(player: Player, rating_list: RatingList | None) -> str:
    """Return the address of a player's page with the ratings of a list, else with those of the player's first list."""
    return add_query(player.get_absolute_url(), f"list={rating_list.slug}" if rating_list else "")
