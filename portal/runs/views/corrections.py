from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from portal.lists.views.lists import get_visible_list
from portal.runs.correction_sentences import RunCause, describe_correction, list_rows
from portal.runs.link_previews import build_correction_preview
from ratings.models import RatingList
from ratings.queries.runs.corrections import (
    correcting_runs,
    corrections_by,
    named_reasons,
    reasons_of,
    with_biggest_corrections,
)
from ratings.queries.runs.explained_corrections import ExplainedCorrection, explain_correction, find_correction

RUNS_PER_PAGE, LINES_PER_PAGE = 10, 100
MAX_CORRECTIONS_PER_RUN = 20
"""Number of corrections of a run that the page of all runs shows; a late result can correct thousands of players."""
MAX_EVENTS = 10
"""Number of events up to which a run links them; one that rated a whole history names none."""
BESIDE = 5
"""Number of other corrections of the same run, and of the same player, beside the explanation of one."""


def corrections(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    with_lines = with_biggest_corrections(correcting_runs(the_list), MAX_CORRECTIONS_PER_RUN)
    runs = Paginator(with_lines, RUNS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "runs/corrections.html", corrections_context(the_list, runs) | {"page": runs})


def corrections_context(the_list: RatingList, runs: Any) -> dict[str, Any]:
    """Return the context of runs with the reason for each, in the visitor's language."""
    summaries, reasons = named_reasons(list(runs)), reasons_of(the_list, list(runs))
    for run in runs:
        run.cause, run.event_reasons = summaries[run.pk], reasons.get(run.pk, [])
        explained = {reason.event for reason in run.event_reasons if reason.results_moved or reason.note}
        others = dict.fromkeys(reason.event for reason in run.event_reasons if reason.event not in explained)
        run.events = list(others) if len(others) <= MAX_EVENTS else []
    return {"rating_list": the_list, "runs": runs}


def correction(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the corrections of one run, at a permanent address."""
    the_list = get_visible_list(request, slug)
    runs = list(correcting_runs(the_list).filter(pk=pk))
    if not runs:
        raise Http404
    page = Paginator(corrections_by(runs[0]), LINES_PER_PAGE).get_page(request.GET.get("page"))
    context = corrections_context(the_list, runs) | {"page": page, "single": True}
    return render(request, "runs/corrections.html", context)


@require_safe
def player_correction(request: HttpRequest, slug: str, pk: int, public_id: str) -> HttpResponse:
    """Explain a player's rating change without a game: the corrected event, and the way from there to the player."""
    the_list = get_visible_list(request, slug)
    explained, cause, sentences = find_explanation(the_list, pk, public_id)
    found = explained.correction
    context = {
        "link_preview": build_correction_preview(found, sentences, the_list),
        "rating_list": the_list,
        "player": found.player,
        "run": found.run,
        "correction": found,
        "explained": explained,
        "cause": cause,
        "sentences": sentences,
        "rows": list_rows(explained, cause, the_list),
    }
    return render(request, "runs/player_correction.html", context)


def find_explanation(
    the_list: RatingList, run: int, public_id: str
) -> tuple[ExplainedCorrection, RunCause, list[SafeString]]:
    """Return the explanation of a player's correction with its cause and sentences; raise Http404 if there is none."""
    found = find_correction(the_list, run, public_id)
    if found is None:
        raise Http404
    explained = explain_correction(found, BESIDE)
    cause = RunCause(found.run, named_reasons([found.run])[run], reasons_of(the_list, [found.run]).get(run, []))
    return explained, cause, describe_correction(explained, cause, the_list)
