"""Cache for reads that take long, valid until the list that they were read from changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar, overload

from django.conf import settings
from django.core.cache import cache
from pydantic import TypeAdapter

from ratings.models import RatingList

DAY = 24 * 60 * 60
Read = TypeVar("Read")


def version_of(rating_list: RatingList) -> str:
    """Return the version of a list, which changes with each change of an input and each finished run of the list.

    No version occurs twice.
    """
    return f"{rating_list.pk}:{rating_list.revision}:{rating_list.out_of_date_from}"


@overload
def cached(
    rating_list: RatingList, name: str, compute: Callable[[], bytes], *, detail: str = ..., seconds: int = ...
) -> bytes: ...
@overload
def cached(
    rating_list: RatingList,
    name: str,
    compute: Callable[[], Read],
    kind: TypeAdapter[Read],
    *,
    detail: str = ...,
    seconds: int = ...,
) -> Read: ...
def cached(
    rating_list: RatingList,
    name: str,
    compute: Callable[[], Any],
    kind: TypeAdapter[Any] | None = None,
    *,
    detail: str = "",
    seconds: int = DAY,
) -> Any:
    """Return the result of `compute`, cached under the list's version for at most `seconds`.

    For each `name`, a list has one cached result: that of another version or another `detail` replaces it, so that
    addresses with any day or filter cannot fill the cache. The version is that at which `rating_list` was loaded,
    before `compute` is called, so no cached result is older than its version. Names may change without the list: cache
    ids and fetch names when they are displayed, or put the names into `detail`.

    The result is bytes, or is stored as JSON by the type adapter `kind`; nothing is pickled.
    """
    key = f"list:{rating_list.pk}:{_digest(name)}"
    version = _digest(settings.RELEASE, version_of(rating_list), detail).encode()
    entry: bytes | None = cache.get(key)
    if entry is not None and entry.startswith(version):
        stored = entry[len(version) :]
        return stored if kind is None else kind.validate_json(stored)
    result = compute()
    cache.set(key, version + (result if kind is None else kind.dump_json(result)), seconds)
    return result


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
