import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import condition
from django_tables2 import RequestConfig

from portal.forms import PromotionFilter
from portal.listings.promotions import PromotionListing
from portal.templatetags.portal_grades import award_state
from ratings.models import Award, RatingList
from ratings.queries.lists import holders, holders_of, promotions_by_year

from .lists import PER_PAGE, export_of, shown_list

NEWEST = 50
HIGHEST, HOLDERS = 3, 100


def graded_list(request: HttpRequest, slug: str) -> RatingList:
    the_list = shown_list(request, slug)
    if not the_list.graded:
        raise Http404
    return the_list


def grades(request: HttpRequest, slug: str) -> HttpResponse:
    """The scale of a list's grades, who holds them, and how often they were won."""
    the_list = graded_list(request, slug)
    scale, held, years = the_list.rating_system.rules().grades, holders(the_list), promotions_by_year(the_list)
    order = list(reversed(the_list.rating_system.grades))
    won = [grade for grade in order if any(grade in year for year in years.values())]
    highest = [grade for grade in order if grade in held][:HIGHEST]
    totals = {year: sum(numbers.values()) for year, numbers in years.items()}
    context = {
        "rating_list": the_list,
        "scale": scale,
        "rows": [(row, held.get(str(row[0]), 0)) for row in scale.rows] if scale else [],
        "most": max(held.values(), default=0),
        "highest": holders_of(the_list, highest)[:HOLDERS],
        "won": won,
        "years": [(year, totals[year], [years[year].get(grade, "") for grade in won]) for year in years],
        "most_in_a_year": max(totals.values(), default=0),
    }
    return render(request, "portal/grades.html", context)


def promotions(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    chosen = PromotionFilter(request.GET, the_list)
    listing = PromotionListing(the_list, chosen.qs)
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(listing)
    return render(request, "portal/promotions.html", {"rating_list": the_list, "filter": chosen, "listing": listing})


@dataclass(frozen=True)
class Chosen:
    """What a feed tells: promotions on a list, as the address chooses them."""

    rating_list: RatingList
    awards: list[Award]


class PromotionFeed(Feed[Award, Chosen]):
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> Chosen:
        the_list = shown_list(request, slug)
        return Chosen(the_list, list(PromotionFilter(request.GET, the_list).qs[:NEWEST]))

    def title(self, chosen: Chosen) -> str:
        return _("Promotions – %(list)s") % {"list": chosen.rating_list.name}

    def link(self, chosen: Chosen) -> str:
        return f"{chosen.rating_list.get_absolute_url()}promotions/"

    def items(self, chosen: Chosen) -> list[Award]:
        return chosen.awards

    def item_title(self, item: Award) -> str:
        return f"{item.player}: {item.grade}"

    def item_description(self, item: Award) -> str:
        told = [_(item.how), award_state(item, item.list), str(item.table.event) if item.table else ""]
        return ", ".join(filter(None, told))

    def item_link(self, item: Award) -> str:
        return item.player.get_absolute_url()

    def item_guid(self, item: Award) -> str:
        """By what a run does not replace, and no name."""
        host = settings.SITE_ADDRESS.partition("://")[2]
        return f"tag:{host},{item.day}:{item.list.slug}/{item.player.public_id}/{item.grade.replace(' ', '-')}"

    def item_updateddate(self, item: Award) -> dt.datetime:
        return dt.datetime.combine(item.day, dt.time(), dt.UTC)


feed = condition(etag_func=export_of)(PromotionFeed())
