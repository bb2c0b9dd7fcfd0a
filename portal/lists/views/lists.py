from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import condition, conditional_page

from portal.lists.filters import StandingFilter
from portal.lists.link_previews import TopLine, build_list_preview, top_lines
from portal.lists.listings import StandingData, StandingListing
from portal.lists.option_lines import list_option_changes
from portal.lists.settings_in_words import describe_setting
from portal.lists.succession import describe_succession
from portal.site.paging import downloads
from portal.site.table_paging import sort_and_paginate
from portal.site.views.access import may_see
from portal.site.whole_lists import choose_rows_per_page, wants_whole_list
from ratings.access import Action, is_officer, lacks_second_factor
from ratings.domain.runs.verifying import stored_digest
from ratings.formats.history.file import write_history
from ratings.models import RatingList
from ratings.queries.lists.comparisons import compare
from ratings.queries.lists.history import export_history
from ratings.queries.lists.lists import players_with_missing_details, public_lists, status_of
from ratings.queries.lists.ranks import ranks_of
from ratings.queries.snapshots import read_snapshot
from ratings.time_zones import activate_zone

from .as_of import render_list_as_of

PER_PAGE = 50


def get_visible_list(request: HttpRequest, slug: str) -> RatingList:
    """Return a list by its slug; raise Http404 for a non-public list, unless the user may act as an officer."""
    the_list = public_lists().filter(slug=slug).first()
    if the_list is None and is_officer(request.user) and not lacks_second_factor(request.user):
        the_list = RatingList.objects.filter(slug=slug).select_related("comparison_to", "federation").first()
    if the_list is None:
        raise Http404
    activate_zone([the_list.federation.time_zone])
    return the_list


@contextmanager
def open_for_export(request: HttpRequest, slug: str) -> Iterator[RatingList]:
    """Begin a snapshot of the database in which a list is exported, and yield the list as it is there.

    Raise Http404 for a list that the user may not see.
    """
    the_list = get_visible_list(request, slug)  # before the snapshot, which refuses writes: a session may end here
    with read_snapshot():
        yield get_object_or_404(RatingList.objects.select_related("comparison_to", "federation"), pk=the_list.pk)


def rating_list(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    chosen = StandingFilter(request.GET, the_list, timezone.localdate())
    if chosen.on_day:
        return render_list_as_of(request, the_list, chosen.on_day)
    status = status_of(the_list)
    ranks = ranks_of(the_list, chosen.active_on)
    number = chosen.qs.count() if chosen.is_filtered else None
    data = StandingData(the_list, chosen.qs, ranks, status.dated, number)
    listing = StandingListing(the_list, data, is_whole=wants_whole_list(request))
    sort_and_paginate(request, listing, choose_rows_per_page(request, PER_PAGE))
    context = {
        "rating_list": the_list,
        "filter": chosen,
        "listing": listing,
        "table": listing.as_html(request) if listing.paginator.count else "",
        "status": status,
        "shows_import": status.last_result is None and listing.paginator.count > 0 and the_list.begins_on is None,
        "next_list": the_list.next_publication(timezone.localdate()),
        "link_preview": build_list_preview(the_list, len(ranks), first_lines(listing)),
        **describe_succession(request, the_list),
    } | downloads(request, the_list, listing.paginator.count, the_list.get_absolute_url())
    return render(request, "lists/rating_list.html", context)


def first_lines(listing: StandingListing) -> list[TopLine]:
    """Return the first lines of a page of a listing; none on later pages, and if it is filtered or sorted otherwise."""
    is_top = listing.data.number is None and tuple(listing.order_by) == ("-rating",) and listing.page.number == 1
    return top_lines(row.record for row in listing.paginated_rows) if is_top else []


def rules(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    system = the_list.rating_system
    options = [describe_setting(option, system.settings[option.key]) for option in system.options]
    description = system.presentation.rules()
    context = {
        "rating_list": the_list,
        "rules": description,
        "tables": [table for table in description.tables if table is not description.grades],
        "options": options,
        "option_changes": list_option_changes(the_list),
        "lacking": players_with_missing_details(the_list),
        "sees_names": may_see(request, Action.KEEP_LIST, the_list),
        **describe_succession(request, the_list),
    }
    return render(request, "lists/rules.html", context)


def comparison(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    if the_list.comparison_to is None:
        raise Http404
    base, compared = the_list.source, compare(the_list.source, the_list)
    context = {
        "rating_list": the_list,
        "base": base,
        "lists": [base, the_list],
        "comparison": compared,
        "forecasts": [(base, compared.first_forecast), (the_list, compared.second_forecast)],
    }
    return render(request, "lists/comparison.html", context)


def get_etag(request: HttpRequest, slug: str) -> str | None:
    version = public_lists().filter(slug=slug).values_list("revision", "out_of_date_from").first()
    return version and f'"{slug}-{version[0]}-{version[1]}"'


@conditional_page  # ETag of the content: names can change without a new revision
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Return all inputs of the list as JSON; `manage.py rate` computes every number of the list from this file."""
    with open_for_export(request, slug) as the_list:
        content = write_history(export_history(the_list))
    headers = {"Content-Disposition": f'attachment; filename="{slug}-history.json"'}
    return HttpResponse(content, content_type="application/json", headers=headers)


@condition(etag_func=get_etag)
def digest(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    return HttpResponse(f"{stored_digest(the_list)}\n", content_type="text/plain")
