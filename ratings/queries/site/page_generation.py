"""Generation of the cached pages: pages of an earlier generation are not displayed any more."""

from __future__ import annotations

from uuid import uuid4

from django.core.cache import cache

GENERATION = "page-generation"
"""Cache key of the current generation. Without it (purged, evicted, Redis emptied) a new generation begins."""


def get_page_generation() -> str:
    """Return the current generation of cached pages; it is random, so no generation ever returns."""
    return str(cache.get_or_set(GENERATION, _new_generation, None))


def _new_generation() -> str:
    return uuid4().hex
