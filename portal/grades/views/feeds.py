"""Atom feed of new promotions."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page

from portal.grades.filters import PromotionFilter
from portal.lists.views.lists import get_visible_list
from portal.site.feeds import NEWEST, AtomFeed, FeedSelection, entry_id, summary
from portal.site.texts import strip_control_characters
from portal.templatetags.portal_format import colon, comma_name
from portal.templatetags.portal_grades import award_state
from ratings.localize import award_label
from ratings.models import Award, RatingList


@dataclass(frozen=True)
class SelectedPromotions(FeedSelection):
    """Promotions on a list that match the filters of the address."""

    rating_list: RatingList
    awards: list[Award]


class PromotionFeed(AtomFeed[Award, SelectedPromotions]):
    """Feed of grades won, with the filters of their page."""

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> SelectedPromotions:
        the_list = get_visible_list(request, slug)
        chosen = PromotionFilter(request.GET, the_list)
        if not chosen.is_valid():
            raise Http404
        return SelectedPromotions(request.get_full_path(), the_list.federation, the_list, list(chosen.qs[:NEWEST]))

    def name_content(self, chosen: SelectedPromotions) -> str:
        return _("Promotions – %(list)s") % {"list": chosen.rating_list.name}

    def link(self, chosen: SelectedPromotions) -> str:
        return reverse("promotions", args=[chosen.rating_list.slug])

    def items(self, chosen: SelectedPromotions) -> list[Award]:
        return chosen.awards

    def item_title(self, item: Award) -> str:
        return strip_control_characters(f"{colon(comma_name(item.player))} {item.grade}")

    def item_description(self, item: Award) -> str:
        event = str(item.table.event) if item.table else ""
        return summary([award_label(item.how), award_state(item, item.list), event])

    def item_link(self, item: Award) -> str:
        return item.player.get_absolute_url()

    def item_guid(self, item: Award) -> str:
        """Return an id without names, built from values that a run does not replace."""
        return entry_id(item.day, f"{item.list.slug}/{item.player.public_id}/{item.grade.replace(' ', '-')}")

    def item_updateddate(self, item: Award) -> dt.datetime:
        return dt.datetime.combine(item.day, dt.time(), dt.UTC)


promotions = conditional_page(PromotionFeed())
