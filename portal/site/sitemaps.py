"""The public pages that search engines may know: lists, events, clubs, and players who are shown by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet

from ratings.queries import sitemaps

PER_FILE = 2000


class Section(Sitemap[Any]):
    """So many addresses a file, read as they are asked for."""

    limit = PER_FILE

    def __init__(self, found: Callable[[], QuerySet[Any]]) -> None:
        self.found = found

    def items(self) -> QuerySet[Any]:
        return self.found()


SECTIONS: dict[str, type[Sitemap[Any]] | Sitemap[Any]] = {
    "lists": Section(sitemaps.lists),
    "events": Section(sitemaps.events),
    "clubs": Section(sitemaps.clubs),
    "players": Section(sitemaps.players),
}
