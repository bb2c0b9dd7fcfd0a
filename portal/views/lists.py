import datetime as dt

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import condition
from django_tables2 import RequestConfig

from portal.forms import StandingFilter
from portal.listings.standings import StandingListing
from ratings.access import is_officer
from ratings.domain.verifying import stored_digest
from ratings.formats.history import write_history
from ratings.models import DatedList, RatingList
from ratings.queries.comparisons import compare
from ratings.queries.corrections import correcting_runs
from ratings.queries.dated import difference_of, lines_of
from ratings.queries.history import export_history
from ratings.queries.lists import lacking, public_lists
from ratings.queries.names import hidden_names
from ratings.systems.options import in_json

PER_PAGE = 50
RUNS_PER_PAGE = 10
LINES_PER_PAGE = 100


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
    listing = StandingListing(the_list, chosen.qs)
    RequestConfig(request, paginate={"per_page": PER_PAGE}).configure(listing)
    context = {
        "rating_list": the_list,
        "filter": chosen,
        "listing": listing,
        "comparisons": the_list.comparisons.order_by("pk"),
    }
    return render(request, "portal/rating_list.html", context)


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


def revision_of(request: HttpRequest, slug: str) -> str | None:
    known = public_lists().filter(slug=slug).values_list("revision", "out_of_date_from").first()
    return known and f'"{slug}-{known[0]}-{known[1]}"'


def export_of(request: HttpRequest, slug: str) -> str | None:
    """The same for a file with names: it is another one when somebody is shown otherwise."""
    revision = revision_of(request, slug)
    return revision and f'{revision[:-1]}-{hidden_names()}"'


@condition(etag_func=export_of)
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """All inputs of the list: `manage.py rate` gives every number of it from this file."""
    written = write_history(export_history(shown_list(request, slug)))
    headers = {"Content-Disposition": f'attachment; filename="{slug}-history.json"'}
    return HttpResponse(written, content_type="application/json", headers=headers)


@condition(etag_func=revision_of)
def digest(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    return HttpResponse(f"{stored_digest(the_list)}\n", content_type="text/plain")


def dated_lists(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    return render(request, "portal/dated_lists.html", {"rating_list": the_list, "dated": the_list.dated.all()})


def dated_list(request: HttpRequest, slug: str, day: dt.date) -> HttpResponse:
    dated = get_object_or_404(DatedList.objects.select_related("list"), list=shown_list(request, slug), day=day)
    lines = Paginator(lines_of(dated), LINES_PER_PAGE).get_page(request.GET.get("page"))
    context = {"rating_list": dated.list, "dated": dated, "lines": lines}
    return render(
        request, "portal/dated_list.html", context | ({"by": difference_of(dated)} if dated.revised_at else {})
    )
