"""Reads that take long, kept until the list they were read from changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from ratings.models import RatingList

DAY = 24 * 60 * 60
Read = TypeVar("Read")


def version_of(rating_list: RatingList) -> str:
    """Another one after every change of an input and after every finished run of the list, never the same again."""
    return f"{rating_list.pk}:{rating_list.revision}:{rating_list.out_of_date_from}"


def kept(rating_list: RatingList, what: str, read: Callable[[], Read], seconds: int = DAY) -> Read:
    """What `read` gives, kept as long as the list is as it was when `rating_list` was loaded.

    That was before `read`, so nothing older than its key can stand under it. Names may change without the list: keep
    ids, and fetch names when they are shown.
    """
    key = "kept:" + hashlib.sha256(f"{version_of(rating_list)}:{what}".encode()).hexdigest()
    return cache.get_or_set(key, read, seconds)  # type: ignore[return-value] # get_or_set gives what `read` gives


def kept_alone(rating_list: RatingList, name: str, what: str, read: Callable[[], Read], seconds: int = DAY) -> Read:
    """The same of what is large: only one thing of a name is kept of a list, the last that was asked for."""
    key = "kept:" + hashlib.sha256(f"{rating_list.pk}:{name}".encode()).hexdigest()
    state, found = f"{version_of(rating_list)}:{what}", cache.get(key)
    if found is None or found[0] != state:
        found = state, read()
        cache.set(key, found, seconds)
    return found[1]  # type: ignore[no-any-return] # the cache gives what `read` gave
