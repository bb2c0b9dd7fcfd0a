import datetime as dt
from itertools import zip_longest
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.forms import MovesForm
from portal.list_filters import DatedFilter
from portal.paging import RankPaginator, downloads
from portal.views.lists import shown_list
from ratings.models import DatedList
from ratings.queries.dated import around, difference_of, lines_of, ranks_of_dated, set_since
from ratings.queries.moves import KINDS, Moves, read_moves
from ratings.queries.past import past_rows

LINES_PER_PAGE = 100
LABELS = {
    "risers": _("Risers"), "fallers": _("Fallers"), "new": _("New on the list"), "gone": _("Gone"),
    "promoted": _("Promoted"),
}  # fmt: skip


def dated_lists(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    dated = list(the_list.dated.all())
    context = {"rating_list": the_list, "dated": list(zip_longest(dated, dated[1:]))}
    return render(request, "portal/dated_lists.html", context)


def dated_list(request: HttpRequest, slug: str, day: dt.date) -> HttpResponse:
    dated = the_dated(request, slug, day)
    chosen, ranks = DatedFilter(request.GET, dated.list, day, lines_of(dated)), ranks_of_dated(dated)
    if chosen.chosen or dated.revised_at:
        paginator: Paginator[Any] = Paginator(chosen.qs, LINES_PER_PAGE)
    else:
        paginator = RankPaginator(chosen.qs, LINES_PER_PAGE, ranks)
    before, after = around(dated)
    page = paginator.get_page(request.GET.get("page"))
    page.object_list = set_since(list(page.object_list), before)
    context = {
        "rating_list": dated.list,
        "dated": dated,
        "lines": page,
        "filter": chosen,
        "before": before and before.day,
        "after": after and after.day,
    } | downloads(request, dated.list, paginator.count, reverse("dated_list", args=[slug, day]))
    return render(
        request, "portal/dated_list.html", context | ({"by": difference_of(dated)} if dated.revised_at else {})
    )


def the_dated(request: HttpRequest, slug: str, day: dt.date) -> DatedList:
    return get_object_or_404(DatedList.objects.select_related("list"), list=shown_list(request, slug), day=day)


def moves(request: HttpRequest, slug: str) -> HttpResponse:
    """Who rose, fell, came, went and was promoted between two days."""
    the_list = shown_list(request, slug)
    dated = {one.day: one for one in the_list.dated.all()}
    today = timezone.now().date()
    form = MovesForm(request.GET, days=sorted(dated), today=today)
    since, until = form.days
    before, after = (past_rows(the_list, day, dated.get(day)) for day in (since, until))
    found = Moves(before[before["active"]], after[after["active"]])
    kind = request.GET.get("show", "")
    kind = kind if kind in KINDS else KINDS[0]
    places = found.of(kind)
    page = Paginator(range(len(places)), LINES_PER_PAGE).get_page(request.GET.get("page"))
    shown = places[page.start_index() - 1 : page.end_index()] if len(places) else places
    context = {
        "rating_list": the_list,
        "form": form,
        "since": since,
        "until": until,
        "frozen": [day for day in (since, until) if day in dated],
        "kind": kind,
        "kinds": [(one, LABELS[one], count) for one, count in found.counts(graded=the_list.graded).items()],
        "page": page,
        "rows": read_moves(found, shown, the_list.rating_system.grades),
    }
    return render(request, "portal/moves.html", context)
