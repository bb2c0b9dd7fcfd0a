"""Generation of the cached pages: pages of an earlier generation are not displayed any more."""

from __future__ import annotations

import time
from uuid import uuid4

from django.core.cache import cache

GENERATION = "page-generation"
"""Cache key of the current generation. Without it (purged, evicted, Redis emptied) a new generation begins."""


def get_page_generation() -> str:
    """Return the current generation of cached pages: the time of its beginning and a random part.

    No generation ever returns.
    """
    return str(cache.get_or_set(GENERATION, _new_generation, None))


def _new_generation() -> str:
    return f"{time.time():.3f} {uuid4().hex}"


def compute_age(generation: str) -> float:
    """Return the seconds since a generation began, which is with the first page after a purge.

    A generation of an earlier release has no time, and counts as begun now.
    """
    started, separator, _random = generation.partition(" ")
    return time.time() - float(started) if separator else 0.0
