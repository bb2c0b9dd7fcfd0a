from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import condition, conditional_page

from portal.list_filters import StandingFilter
from portal.listings.paging import configured
from portal.listings.standings import StandingListing, Standings
from portal.paging import downloads
from portal.views.as_of import list_as_of
from ratings.access import is_officer
from ratings.domain.verifying import stored_digest
from ratings.formats.history import write_history
from ratings.models import RatingList
from ratings.queries.comparisons import compare
from ratings.queries.corrections import correcting_runs
from ratings.queries.history import export_history
from ratings.queries.kept import kept
from ratings.queries.lists import lacking, public_lists, status_of
from ratings.queries.ranks import ranks_of
from ratings.systems.options import in_json

PER_PAGE = 50
RUNS_PER_PAGE = 10


def shown_list(request: HttpRequest, slug: str) -> RatingList:
    """A list that is open to the public; officers see the others as well."""
    found = public_lists().filter(slug=slug).first()
    if found is None and is_officer(request.user):
        found = RatingList.objects.filter(slug=slug).select_related("comparison_to").first()
    if found is None:
        raise Http404
    return found


def rating_list(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    chosen = StandingFilter(request.GET, the_list, timezone.now().date())
    if chosen.on_day:
        return list_as_of(request, the_list, chosen.on_day)
    status = status_of(the_list)
    ranks = ranks_of(the_list, chosen.active_on)
    number = numbered(the_list, chosen) if chosen.chosen else None
    listing = StandingListing(the_list, Standings(chosen.qs, ranks, status.dated, number))
    configured(request, listing, PER_PAGE)
    context = {
        "rating_list": the_list,
        "filter": chosen,
        "listing": listing,
        "table": listing.as_html(request) if listing.paginator.count else "",
        "status": status,
        "comparisons": the_list.comparisons.order_by("pk"),
    } | downloads(request, the_list, listing.paginator.count, the_list.get_absolute_url())
    return render(request, "portal/rating_list.html", context)


def numbered(the_list: RatingList, chosen: StandingFilter) -> int:
    """How many fit a choice; kept for a minute, since to count them takes longer than to show them."""
    what = f"number:{chosen.active_on}:{the_list.years_active}:{sorted(chosen.values.items())}"
    number: int = kept(the_list, what, chosen.qs.count, seconds=60)
    return number


def rules(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    system = the_list.rating_system
    options = [(option, in_json(system.settings[option.key])) for option in system.options]
    context = {"rating_list": the_list, "rules": system.rules(), "options": options, "lacking": lacking(the_list)}
    return render(request, "portal/rules.html", context)


def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    if the_list.comparison_to is None:
        raise Http404
    context = {"rating_list": the_list, "base": the_list.source, "comparison": compare(the_list.source, the_list)}
    return render(request, "portal/comparison.html", context)


def corrections(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    runs = Paginator(correcting_runs(the_list), RUNS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "portal/corrections.html", {"rating_list": the_list, "runs": runs})


def correction(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One run's corrections, at an address that stays."""
    the_list = shown_list(request, slug)
    runs = Paginator(correcting_runs(the_list).filter(pk=pk), 1).get_page(1)
    if not runs:
        raise Http404
    return render(request, "portal/corrections.html", {"rating_list": the_list, "runs": runs, "single": True})


def revision_of(request: HttpRequest, slug: str) -> str | None:
    known = public_lists().filter(slug=slug).values_list("revision", "out_of_date_from").first()
    return known and f'"{slug}-{known[0]}-{known[1]}"'


@conditional_page  # by what is in it: names are in no revision
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """All inputs of the list: `manage.py rate` gives every number of it from this file."""
    written = write_history(export_history(shown_list(request, slug)))
    headers = {"Content-Disposition": f'attachment; filename="{slug}-history.json"'}
    return HttpResponse(written, content_type="application/json", headers=headers)


@condition(etag_func=revision_of)
def digest(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    return HttpResponse(f"{stored_digest(the_list)}\n", content_type="text/plain")
