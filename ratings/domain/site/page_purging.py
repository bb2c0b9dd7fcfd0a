"""Purge of cached pages after changes that must be seen at once, such as hiding a name."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models.signals import post_delete, post_save

from ratings.models import Club, Event, Federation, Membership, Player, RatingList
from ratings.queries.site.page_generation import GENERATION


def purge_cached_pages() -> None:
    """After commit, stop displaying all cached responses and last good copies that were made before."""
    transaction.on_commit(_end_generation)


def _end_generation() -> None:
    cache.delete(GENERATION)  # not set: a full Redis refuses to set, but never to delete


def connect_signals() -> None:
    """Purge cached pages when players, lists, federations, clubs or memberships are changed, or some are deleted."""
    for model in (Player, RatingList, Federation):
        post_save.connect(_saved, sender=model, dispatch_uid=f"cached pages of {model.__name__}")
    for saved in (Club, Membership):
        post_save.connect(_purge, sender=saved, dispatch_uid=f"cached pages of {saved.__name__}")
    for deleted in (Player, RatingList, Event, Club, Membership):
        post_delete.connect(_purge, sender=deleted, dispatch_uid=f"cached pages of {deleted.__name__}")


def _saved(*, created: bool, **_signal: Any) -> None:
    if not created:
        purge_cached_pages()


def _purge(**_signal: Any) -> None:
    purge_cached_pages()
