import datetime as dt
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from portal.lists.as_of_filter import AsOfFilter
from portal.site.paging import downloads
from portal.site.whole_lists import choose_rows_per_page
from ratings.models import RatingList
from ratings.queries.lists.past import past_page

PER_PAGE = 100


def render_list_as_of(request: HttpRequest, the_list: RatingList, day: dt.date) -> HttpResponse:
    """Show the list of a past day, as it is computed today."""
    chosen = AsOfFilter(request.GET, the_list, day)
    rows, ranks = chosen.matching_rows
    paginator: Paginator[Any] = Paginator(range(len(rows)), choose_rows_per_page(request, PER_PAGE))
    page = paginator.get_page(request.GET.get("page"))
    lines = past_page(the_list, rows, ranks, max(page.start_index() - 1, 0), page.end_index())
    context = {"rating_list": the_list, "day": day, "lines": Page(lines, page.number, paginator), "filter": chosen}
    context |= downloads(request, the_list, paginator.count, the_list.get_absolute_url())
    return render(request, "lists/list_as_of.html", context)
