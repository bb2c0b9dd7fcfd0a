from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from portal.lists.views.lists import get_visible_list
from ratings.models import RatingList
from ratings.queries.runs.corrections import correcting_runs, named_reasons, reasons_of

RUNS_PER_PAGE = 10


def corrections(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    runs = Paginator(correcting_runs(the_list), RUNS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "runs/corrections.html", corrections_context(the_list, runs))


def corrections_context(the_list: RatingList, runs: Any) -> dict[str, Any]:
    """Return the context of runs with the reason for each, in the visitor's language."""
    summaries, reasons = named_reasons(list(runs)), reasons_of(the_list, list(runs))
    for run in runs:
        run.cause, run.event_reasons = summaries[run.pk], reasons.get(run.pk, [])
    return {"rating_list": the_list, "runs": runs}


def correction(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the corrections of one run, at a permanent address."""
    the_list = get_visible_list(request, slug)
    runs = Paginator(correcting_runs(the_list).filter(pk=pk), 1).get_page(1)
    if not runs:
        raise Http404
    return render(request, "runs/corrections.html", corrections_context(the_list, runs) | {"single": True})
