"""Sitemaps of public pages: lists, events, clubs, and players who are shown by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet

from ratings.queries.site import sitemaps

PER_FILE = 2000


class Section(Sitemap[Any]):
    """Section of the sitemap, with PER_FILE addresses in a file; they are read on each request."""

    limit = PER_FILE

    def __init__(self, found: Callable[[], QuerySet[Any]]) -> None:
        self.get_rows = found

    def items(self) -> QuerySet[Any]:
        return self.get_rows()


SECTIONS: dict[str, type[Sitemap[Any]] | Sitemap[Any]] = {
    "lists": Section(sitemaps.lists),
    "events": Section(sitemaps.events),
    "clubs": Section(sitemaps.clubs),
    "players": Section(sitemaps.players),
}
