"""Announcements of what has changed, for those who want to be told: at present, the subscriptions of webhooks.

What happened (`Announcement`) is separate from who is told (`find_subscriptions`, `queue_deliveries`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ratings.models import Announcement, AnnouncementKind, RatingList

from .webhook_queue import find_subscriptions, queue_deliveries

ROWS_AT_MOST = 500
"""Maximum number of players in one announcement; more are split into several."""


def announce(
    announcements: Iterable[Announcement], *, kinds: Collection[AnnouncementKind], federation: int | None = None
) -> None:
    """Store announcements for everybody who wants to be told of them, in the current transaction.

    `kinds` are the kinds that occur, and `federation` is the only one concerned, if it is known before. If nobody wants
    to be told of them, `announcements` (usually a generator) is not read, so that it costs nothing to describe them.
    """
    subscriptions = find_subscriptions(kinds, federation)
    if subscriptions:
        queue_deliveries(subscriptions, list(announcements))


def is_announced(rating_list: RatingList) -> bool:
    """Return True if changes on a list are announced: it is public and not a comparison."""
    return rating_list.public and rating_list.comparison_to_id is None


def split_rows(
    kind: AnnouncementKind, rating_list: RatingList, head: Mapping[str, Any], name: str, all_rows: Iterable[Any]
) -> Iterator[Announcement]:
    """Yield announcements about a list with at most ROWS_AT_MOST rows each, under `name`; none without rows.

    They are numbered by `part` of `parts`. The rows are read when the first announcement is.
    """
    rows = list(all_rows)
    parts = -(-len(rows) // ROWS_AT_MOST)
    for part in range(parts):
        some = rows[part * ROWS_AT_MOST : (part + 1) * ROWS_AT_MOST]
        numbered = {"part": part + 1, "parts": parts, name: some}
        yield Announcement(kind, {rating_list.federation_id}, {"list": rating_list.slug, **head, **numbered})


def round_rating(rating_list: RatingList, rating: float | None) -> float | None:
    """Return a rating with the decimals of the list, as the API gives it; None if there is none."""
    return None if rating is None else round(float(rating), rating_list.decimals) + 0.0
