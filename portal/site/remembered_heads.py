"""Heads of federations for error pages, which must not ask the database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ratings.models import Federation, RatingList

NAMED = re.compile(r"(?:/organise)?/(?P<topic>lists|federations)/(?P<slug>[-a-zA-Z0-9_]+)/")
"""Start of an address that names a list or a federation."""


class Head(NamedTuple):
    """Head of the pages of a federation; `crest` is the address of its crest, empty if it has none."""

    name: str
    label: str
    description: str
    house: str
    crest: str
    address: str


_heads: dict[tuple[str, str], Head] = {}
"""Heads by topic and slug, as the latest page of this process with this head showed them.

The key of two empty texts is the only federation. Other processes have their own: a page without a head falls back to
that of the portal.
"""
ONLY = ("", "")


def remember_head(federation: Federation, crest: str, lists: Sequence[RatingList]) -> None:
    """Remember the head of a federation for the addresses that name it or one of its public lists."""
    head = Head(
        federation.name, federation.label, federation.description, federation.house, crest,
        federation.get_absolute_url(),
    )  # fmt: skip
    own = [one for one in lists if one.federation_id == federation.pk]
    if not own:
        return
    _heads[("federations", federation.slug)] = head
    _heads.update({("lists", one.slug): head for one in own})
    if len(own) == len(lists):
        _heads[ONLY] = head
    else:
        _heads.pop(ONLY, None)


def find_head(path: str) -> Head | None:
    """Return the head of the federation that an address names, else that of the only one; None if unknown."""
    match = NAMED.match(path)
    named = _heads.get((match["topic"], match["slug"])) if match else None
    return named or _heads.get(ONLY)


def forget_heads() -> None:
    """Forget all heads, for tests."""
    _heads.clear()
