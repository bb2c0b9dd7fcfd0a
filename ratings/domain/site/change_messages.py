"""Messages about changes, for the subscriptions of webhooks and for the users who follow what changes.

A message (`ChangeMessage`) does not know who receives it (`webhook_queue.py`, `follow_queue.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ratings.models import ChangeKind, ChangeMessage, RatingList

from .follow_queue import has_followers, queue_followed_changes
from .webhook_queue import find_subscriptions, queue_deliveries

ROWS_AT_MOST = 500
"""Maximum number of players in one message; more are split into several messages."""


def queue_messages(
    messages: Iterable[ChangeMessage], *, kinds: Collection[ChangeKind], federation: int | None = None
) -> None:
    """Queue messages for all subscriptions to their kinds and for followers, in the current transaction.

    `kinds` are the kinds that occur. `federation` is the primary key of the only federation concerned, if it is known.
    Without any of both, `messages` (usually a generator) is not read, so that describing the changes costs nothing.
    """
    subscriptions = find_subscriptions(kinds, federation)
    followed = has_followers(kinds)
    if subscriptions or followed:
        described = list(messages)
        queue_deliveries(subscriptions, described)
        if followed:
            queue_followed_changes(described)


def sends_changes(rating_list: RatingList) -> bool:
    """Return True if messages are sent about changes on a list: it is public and not a comparison."""
    return rating_list.public and rating_list.comparison_to_id is None


def split_rows(
    kind: ChangeKind, rating_list: RatingList, head: Mapping[str, Any], name: str, all_rows: Iterable[Any]
) -> Iterator[ChangeMessage]:
    """Yield messages about a list with at most ROWS_AT_MOST rows each, under `name`; none without rows.

    They are numbered by `part` of `parts`. The rows are read when the first message is.
    """
    rows = list(all_rows)
    parts = -(-len(rows) // ROWS_AT_MOST)
    for part in range(parts):
        some = rows[part * ROWS_AT_MOST : (part + 1) * ROWS_AT_MOST]
        numbered = {"part": part + 1, "parts": parts, name: some}
        yield ChangeMessage(kind, {rating_list.federation_id}, {"list": rating_list.slug, **head, **numbered})


def round_rating(rating_list: RatingList, rating: float | None) -> float | None:
    """Return a rating with the decimals of the list, as the API gives it; None if there is none."""
    return None if rating is None else round(float(rating), rating_list.decimals) + 0.0
