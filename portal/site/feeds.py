"""Base classes of all feeds: ids of entries are permanent, and feed readers get changed entries."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from portal.site.texts import strip_control_characters
from ratings.localize import join_parts
from ratings.models import Federation

NEWEST = 50
Row = TypeVar("Row")
Of = TypeVar("Of", bound="FeedSelection")


def entry_id(day: dt.date, path: str) -> str:
    """Return a permanent id of an entry; its path must not depend on rows that runs replace, or on names."""
    return f"tag:{settings.SITE_ADDRESS.partition('://')[2]},{day}:{path}"


class Atom(Atom1Feed):
    """Atom feed with the federation's crest, and a fixed date when it is empty, so that it does not look new then."""

    def add_root_elements(self, handler: Any) -> None:
        super().add_root_elements(handler)
        if crest := self.feed["crest"]:
            handler.addQuickElement("icon", crest)
            handler.addQuickElement("logo", crest)

    def latest_post_date(self) -> dt.datetime:
        return super().latest_post_date() if self.items else dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class FeedSelection:
    """Base of a feed's content, with the address that selected it and its federation (None: several)."""

    address: str
    federation: Federation | None


class AtomFeed(Feed[Row, Of], ABC):
    """Feed that is identified by its whole address: with other filters it is another feed."""

    feed_type = Atom

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the feed without Last-Modified: entries can change without a newer one, so only the ETag counts."""
        response = super().__call__(request, *args, **kwargs)
        del response.headers["Last-Modified"]
        return response

    def title(self, selected: Of) -> str:
        subject = strip_control_characters(self.name_content(selected))
        return f"{subject} – {selected.federation.name}" if selected.federation else subject

    @abstractmethod
    def name_content(self, selected: Of) -> str:
        """Return the name of the feed's content, without that of the federation."""

    def author_name(self, selected: Of) -> str:
        return selected.federation.name if selected.federation else settings.SITE_ADDRESS.partition("://")[2]

    def author_link(self, selected: Of) -> str | None:
        return (selected.federation and selected.federation.home) or None

    def feed_extra_kwargs(self, selected: Of) -> dict[str, Any]:
        federation = selected.federation
        if federation is None or not federation.crest:
            return {"crest": ""}
        return {"crest": settings.SITE_ADDRESS + reverse("crest", args=[federation.slug, "png"])}

    def feed_url(self, asked: Of) -> str:
        return asked.address

    def feed_guid(self, asked: Of) -> str:
        return f"{settings.SITE_ADDRESS}{asked.address}"


@dataclass(frozen=True)
class FeedEntry:
    """An entry of a feed of entries of several kinds; `path` is its permanent id, without names."""

    path: str
    title: str
    texts: tuple[str, ...]
    link: str
    at: dt.datetime


@dataclass(frozen=True)
class EntrySelection(FeedSelection):
    """The page that a feed is about: its name and address, with the entries, newest first."""

    name: str
    page: str
    entries: list[FeedEntry]


class EntryFeed(AtomFeed[FeedEntry, EntrySelection]):
    """Feed of entries of several kinds about one page."""

    def name_content(self, selected: EntrySelection) -> str:
        return selected.name

    def link(self, selected: EntrySelection) -> str:
        return selected.page

    def items(self, selected: EntrySelection) -> list[FeedEntry]:
        return selected.entries

    def item_title(self, item: FeedEntry) -> str:
        return strip_control_characters(item.title)

    def item_description(self, item: FeedEntry) -> str:
        return summary(item.texts)

    def item_link(self, item: FeedEntry) -> str:
        return item.link

    def item_guid(self, item: FeedEntry) -> str:
        return entry_id(dt.date(2000, 1, 1), item.path)

    def item_updateddate(self, item: FeedEntry) -> dt.datetime:
        return item.at


def newest_entries(entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Return the newest entries of a feed, newest first."""
    return sorted(entries, key=lambda entry: (entry.at, entry.path), reverse=True)[:NEWEST]


def start_of_day(day: dt.date) -> dt.datetime:
    """Return the beginning of a day in UTC, for entries of which only the day is known."""
    return dt.datetime.combine(day, dt.time(), dt.UTC)


def summary(texts: Iterable[str]) -> str:
    """Return the texts in one line, escaped for an element that is read as HTML."""
    return escape(strip_control_characters(join_parts(texts)))
