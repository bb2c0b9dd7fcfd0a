"""What is new, for feed readers."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page

from portal.eventing import EventFilter
from portal.forms import PromotionFilter
from portal.templatetags.portal_format import signed
from portal.templatetags.portal_grades import award_state
from portal.texts import plain
from ratings.models import Award, Event, RatingList, Run
from ratings.queries.corrections import lately_corrected
from ratings.queries.events import lately_told, public_events
from ratings.translating import translated

from .lists import shown_list

NEWEST = 50
Row = TypeVar("Row")
Of = TypeVar("Of", bound="Asked")


def tag(day: dt.date, path: str) -> str:
    """An id for ever, of nothing that a run or a change of names replaces."""
    return f"tag:{settings.SITE_ADDRESS.partition('://')[2]},{day}:{path}"


class Atom(Atom1Feed):
    """One without entries is not a new one each time it is asked for."""

    def latest_post_date(self) -> dt.datetime:
        return super().latest_post_date() if self.items else dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Asked:
    """What a feed tells, with the address that chose it."""

    address: str


class AtomFeed(Feed[Row, Of]):
    """Known by its whole address: with other filters it is another feed."""

    feed_type = Atom
    author_name = settings.SITE_ADDRESS.partition("://")[2]

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Its entries may be told otherwise without a newer one: the ETag alone decides what a reader has."""
        response = super().__call__(request, *args, **kwargs)
        del response.headers["Last-Modified"]
        return response

    def feed_url(self, asked: Of) -> str:
        return asked.address

    def feed_guid(self, asked: Of) -> str:
        return f"{settings.SITE_ADDRESS}{asked.address}"


def summary(told: Iterable[str]) -> str:
    """For within an element that is read as HTML."""
    return escape(plain(", ".join(filter(None, told))))


@dataclass(frozen=True)
class Accepted(Asked):
    events: list[Any]


class EventFeed(AtomFeed[Any, Accepted]):
    """Accepted events, and the corrected ones once more."""

    def get_object(self, request: HttpRequest, *_args: Any) -> Accepted:
        chosen = EventFilter(request.GET, public_events())
        if not chosen.is_valid():
            raise Http404
        return Accepted(request.get_full_path(), list(lately_told(chosen.qs)[:NEWEST]))

    def title(self) -> str:
        return _("Events")

    def link(self) -> str:
        return reverse("events")

    def items(self, accepted: Accepted) -> list[Any]:
        return accepted.events

    def item_title(self, item: Event) -> str:
        return plain(item.name)

    def item_description(self, item: Event) -> str:
        days = f"{item.start} – {item.end}" if item.start != item.end else f"{item.end}"
        return summary([days, item.place, item.country.name, *(one.name for one in item.lists.all())])

    def item_guid(self, item: Event) -> str:
        return tag(dt.date(2000, 1, 1), f"events/{item.public_id}")  # its own days may be corrected

    def item_updateddate(self, item: Any) -> dt.datetime:
        told: dt.datetime = item.told_at
        return told


@dataclass(frozen=True)
class Corrected(Asked):
    rating_list: RatingList
    runs: list[Run]


class CorrectionFeed(AtomFeed[Run, Corrected]):
    """Whose ratings changed without having played, and why."""

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> Corrected:
        the_list = shown_list(request, slug)
        return Corrected(request.get_full_path(), the_list, list(lately_corrected(the_list)[:NEWEST]))

    def title(self, corrected: Corrected) -> str:
        return plain(_("Corrections – %(list)s") % {"list": corrected.rating_list.name})

    def link(self, corrected: Corrected) -> str:
        return reverse("corrections", args=[corrected.rating_list.slug])

    def items(self, corrected: Corrected) -> list[Run]:
        for run in corrected.runs:
            run.list = corrected.rating_list
        return corrected.runs

    def item_title(self, item: Any) -> str:
        players = ngettext("%d player corrected", "%d players corrected", item.players) % item.players
        return plain(f"{players}: {translated(item.reason) or _('rated again')}")

    def item_description(self, item: Any) -> str:
        lines = [f"{line.player} {signed(line.change, item.list)}".strip() for line in item.lines]
        more = item.players - len(lines)
        return summary([*lines, *([_("and %d more") % more] if more else [])])

    def item_link(self, item: Run) -> str:
        return reverse("correction", args=[item.list.slug, item.pk])

    def item_guid(self, item: Run) -> str:
        return tag(dt.date(2000, 1, 1), f"{item.list.slug}/corrections/{item.pk}")

    def item_updateddate(self, item: Run) -> dt.datetime:
        assert item.ended_at
        return item.ended_at


@dataclass(frozen=True)
class Chosen(Asked):
    """Promotions on a list, as the address chooses them."""

    rating_list: RatingList
    awards: list[Award]


class PromotionFeed(AtomFeed[Award, Chosen]):
    """Grades won, by the filters of their page."""

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> Chosen:
        the_list = shown_list(request, slug)
        chosen = PromotionFilter(request.GET, the_list)
        if not chosen.is_valid():
            raise Http404
        return Chosen(request.get_full_path(), the_list, list(chosen.qs[:NEWEST]))

    def title(self, chosen: Chosen) -> str:
        return _("Promotions – %(list)s") % {"list": chosen.rating_list.name}

    def link(self, chosen: Chosen) -> str:
        return reverse("promotions", args=[chosen.rating_list.slug])

    def items(self, chosen: Chosen) -> list[Award]:
        return chosen.awards

    def item_title(self, item: Award) -> str:
        return plain(f"{item.player}: {item.grade}")

    def item_description(self, item: Award) -> str:
        return summary([_(item.how), award_state(item, item.list), str(item.table.event) if item.table else ""])

    def item_link(self, item: Award) -> str:
        return item.player.get_absolute_url()

    def item_guid(self, item: Award) -> str:
        """By what a run does not replace, and no name."""
        return tag(item.day, f"{item.list.slug}/{item.player.public_id}/{item.grade.replace(' ', '-')}")

    def item_updateddate(self, item: Award) -> dt.datetime:
        return dt.datetime.combine(item.day, dt.time(), dt.UTC)


events = conditional_page(EventFeed())
corrections = conditional_page(CorrectionFeed())
promotions = conditional_page(PromotionFeed())
