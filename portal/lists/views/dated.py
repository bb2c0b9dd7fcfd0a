import datetime as dt
from itertools import zip_longest
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lists.filters import DatedFilter
from portal.lists.forms import PeriodForm
from portal.lists.link_previews import build_published_preview, published_lines
from portal.lists.period_choice import PeriodChoice
from portal.site.paging import RankPaginator, downloads
from portal.site.whole_lists import choose_rows_per_page
from ratings.models import DatedList
from ratings.queries.lists.dated import difference_of, lines_of, neighbouring_dated_lists, ranks_of_dated, set_since
from ratings.queries.lists.moves import KINDS, Moves, read_moves
from ratings.queries.lists.past import past_rows
from ratings.queries.lists.period_changes import Cause, add_corrections, read_period_causes
from ratings.queries.runs.published_proofs import last_published_checkpoint

from .lists import get_visible_list

LINES_PER_PAGE = 100
LABELS = {
    "risers": _("Risers"),
    "fallers": _("Fallers"),
    "new": _("New on the list"),
    "gone": _("No longer on the list"),
    "promoted": _("Promoted"),
}
EMPTY_TEXTS = {
    "risers": _("Nobody’s rating rose in this time."),
    "fallers": _("Nobody’s rating fell in this time."),
    "new": _("Nobody joined the list in this time."),
    "gone": _("Nobody left the list in this time."),
    "promoted": _("Nobody won a grade in this time."),
}
"""Texts for a kind of changes of which there are none."""


def dated_lists(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    dated = list(the_list.dated.all())
    context = {"rating_list": the_list, "dated": list(zip_longest(dated, dated[1:]))}
    return render(request, "lists/dated_lists.html", context)


def dated_list(request: HttpRequest, slug: str, day: dt.date) -> HttpResponse:
    dated = get_dated_list(request, slug, day)
    chosen, ranks = DatedFilter(request.GET, dated.list, day, lines_of(dated)), ranks_of_dated(dated)
    per_page = choose_rows_per_page(request, LINES_PER_PAGE)
    if chosen.is_filtered or dated.revised_at:
        paginator: Paginator[Any] = Paginator(chosen.qs, per_page)
    else:
        paginator = RankPaginator(chosen.qs, per_page, ranks)
    before, after = neighbouring_dated_lists(dated)
    page = paginator.get_page(request.GET.get("page"))
    page.object_list = set_since(list(page.object_list), before)
    causes: dict[int, Cause] = {}
    if before:
        since = {line.player_id: line.since for line in page.object_list}
        causes = read_period_causes(dated.list, since, before.day, day)
        causes = add_corrections(dated.list, causes, since, before.published_at, dated.published_at)
    context = {
        "rating_list": dated.list,
        "dated": dated,
        "lines": page,
        "filter": chosen,
        "before": before and before.day,
        "after": after and after.day,
        "checkpoint": last_published_checkpoint(dated),
        "causes": causes,
        "link_preview": build_published_preview(
            dated, len(ranks), [] if chosen.is_filtered or page.number > 1 else published_lines(page.object_list)
        ),
    } | downloads(request, dated.list, paginator.count, reverse("dated_list", args=[slug, day]))
    return render(
        request, "lists/dated_list.html", context | ({"by": difference_of(dated)} if dated.revised_at else {})
    )


def get_dated_list(request: HttpRequest, slug: str, day: dt.date) -> DatedList:
    dated = DatedList.objects.select_related("list__federation")
    return get_object_or_404(dated, list=get_visible_list(request, slug), day=day)


def moves(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players who rose, fell, joined, left or were promoted between two days."""
    the_list = get_visible_list(request, slug)
    dated_by_day = {dated.day: dated for dated in the_list.dated.all()}
    today = timezone.localdate()
    form = PeriodForm(request.GET, today=today)
    since, until = form.days
    before, after = (past_rows(the_list, day, dated_by_day.get(day)) for day in (since, until))
    all_moves = Moves(before[before["active"]], after[after["active"]])
    kind = request.GET.get("show", "")
    kind = kind if kind in KINDS else KINDS[0]
    positions = all_moves.select(kind)
    page = Paginator(range(len(positions)), LINES_PER_PAGE).get_page(request.GET.get("page"))
    page_positions = positions[page.start_index() - 1 : page.end_index()] if len(positions) else positions
    rows = read_moves(all_moves, page_positions, the_list.rating_system.grading.grades)
    changes = {row.player.pk: row.change for row in rows if row.change is not None}
    causes = read_period_causes(the_list, changes, since, until)
    if since in dated_by_day:
        ends = dated_by_day[until].published_at if until in dated_by_day else None
        causes = add_corrections(the_list, causes, changes, dated_by_day[since].published_at, ends)
    context = {
        "rating_list": the_list,
        "filter": PeriodChoice(form, list(dated_by_day), kind),
        "since": since,
        "until": until,
        "frozen": [day for day in (since, until) if day in dated_by_day],
        "kind": kind,
        "nobody": EMPTY_TEXTS[kind],
        "kinds": [(name, LABELS[name], count) for name, count in all_moves.counts(graded=the_list.has_grades).items()],
        "page": page,
        "rows": rows,
        "causes": causes,
    }
    return render(request, "lists/moves.html", context)
