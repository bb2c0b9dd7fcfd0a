from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django_tables2 import RequestConfig

from portal.forms import StandingFilter
from portal.listings.promotions import PromotionListing
from portal.listings.standings import StandingListing
from ratings.models import RatingList
from ratings.queries.lists import promotions

PER_PAGE = 50


def rating_list(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_object_or_404(RatingList, slug=slug)
    chosen = StandingFilter(request.GET, the_list, timezone.now().date())
    listing = StandingListing(the_list, chosen.qs)
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(listing)
    context = {"rating_list": the_list, "filter": chosen, "listing": listing}
    return render(request, "portal/rating_list.html", context)


def list_promotions(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_object_or_404(RatingList, slug=slug)
    listing = PromotionListing(promotions(the_list))
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(listing)
    return render(request, "portal/promotions.html", {"rating_list": the_list, "listing": listing})
