"""The laboratory of a list: officers compare rating systems and options on the list's own history."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.charts import svg_security_policy
from portal.lists.calibration_sentence import describe_calibration
from portal.lists.interval_drawing import draw_intervals
from portal.lists.study_form import StudyForm, fill_form, is_rearranged, rearrange_form
from portal.lists.study_names import list_candidates_in_words, list_names, name_study
from portal.lists.study_pages import (
    describe_failure,
    describe_panel,
    describe_result,
    describe_verdict,
    list_candidates,
    list_failures,
    list_kinds,
    list_moves,
    list_other_scales,
)
from portal.lists.study_sweep import describe_swept_options, find_present_values, list_points, name_swept_options
from portal.site.palette import get_palette
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.lists.studies import cancel_study, create_study
from ratings.localize import translate_message
from ratings.models import RatingList, Study
from ratings.queries.results.workflow import officer_lists
from ratings.systems import SYSTEMS

from .statistics import theme_and_width

CHART_FIGURES: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "calibration": itemgetter("candidates"),
    "sweep": itemgetter("sweep"),
}
"""Names of the charts, each with the part of a result that it needs."""
STUDIES_PER_PAGE = 50
"""Number of studies on a page of a list's laboratory, the latest first."""


@login_required
@require_safe
def laboratories(request: HttpRequest) -> HttpResponse:
    """Show the lists whose laboratory an officer may use; go to the only one at once."""
    require(request, Action.KEEP_PLAYERS)
    lists = list(officer_lists(request.user))
    if len(lists) == 1:
        return redirect("laboratory", lists[0].slug)
    return render(request, "lists/laboratories.html", {"lists": lists})


@require_safe
def public_laboratory(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect from the address beside the list's public pages to the working page."""
    return redirect("laboratory", slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def laboratory(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the studies of a list, and request a new one."""
    rating_list = get_object_or_404(RatingList, slug=slug)
    require(request, Action.KEEP_LIST, rating_list)
    if request.method == "POST":
        if is_rearranged(request.POST):
            return render_laboratory(request, rating_list, rearrange_form(request.POST, rating_list), status=200)
        form = StudyForm(request.POST, rating_list)
        if form.is_valid():
            study = create_study(rating_list, form.study, request.user)
            study.refresh_from_db(fields=["state"])  # without a broker it is finished already
            if study.is_open:
                messages.success(request, _("The study waits for a worker. Reload its page to see how far it is."))
            return redirect(study)
        return render_laboratory(request, rating_list, form, status=422)
    return render_laboratory(request, rating_list, _open_form(request, rating_list), status=200)


def _open_form(request: HttpRequest, rating_list: RatingList) -> StudyForm:
    """Return the form of a new study, or of the study whose number the address names, to run it again."""
    number = request.GET.get("from", "")
    study = (
        Study.objects.filter(list=rating_list, pk=int(number)).first()
        if number.isdecimal() and len(number) < 10
        else None
    )
    return StudyForm(None, rating_list) if study is None else fill_form(study.definition, rating_list)


def render_laboratory(request: HttpRequest, rating_list: RatingList, form: StudyForm, *, status: int) -> HttpResponse:
    studies = Study.objects.filter(list=rating_list).select_related("list", "made_by").defer("result")
    page = Paginator(studies, STUDIES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "rating_list": rating_list,
        "form": form,
        "page": page,
        "studies": [_name_in_list(study, rating_list) for study in page],
        "systems": [(key, translate_message(system.name), system.options) for key, system in SYSTEMS.items()],
    }
    return render(request, "lists/laboratory.html", context, status=status)


def _name_in_list(study: Study, rating_list: RatingList) -> tuple[Study, str, str]:
    """Return a study with its title, and the names of the systems that the title only counts."""
    own = rating_list.system
    return study, name_study(study.definition, own), list_names(study.definition, own)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a study with its progress or its result; a post cancels it."""
    one = get_object_or_404(Study.objects.select_related("list", "made_by"), list__slug=slug, pk=number)
    require(request, Action.KEEP_LIST, one.list)
    if request.method == "POST":
        if cancel_study(one):
            messages.success(request, _("The study was cancelled. “Change and run again” starts it anew."))
        else:
            messages.info(request, _("The study had ended already."))
        return redirect(one)
    return render(request, "lists/study.html", _describe(one))


def _describe(one: Study) -> dict[str, Any]:
    context: dict[str, Any] = {
        "study": one,
        "rating_list": one.list,
        "name": name_study(one.definition, one.list.system, one.result),
    }
    result = one.result
    if result is None:
        return context | {
            "asked": list_candidates_in_words(one.definition),
            "error": describe_failure(one.error),
        }
    candidates, kinds, sweep = list_candidates(result), list_kinds(result), result["sweep"]
    figures = [line.figures for line in candidates]
    verdicts = [describe_verdict(each["against"]) for each in figures]
    drawings = draw_intervals([each["log_loss"] for each in figures]) if figures else []
    context |= {
        "result": result,
        "sentence": describe_result(result),
        "candidates": list(zip(candidates, verdicts, strict=True)),
        "rows": list(zip(candidates, verdicts, drawings, strict=True)),
        "calibration": describe_calibration(figures[0]) if figures else "",
        "panel": describe_panel(figures),
        "other_scale": list_other_scales(result),
        "kinds": [line for line in kinds if not line.is_year],
        "years": [line for line in kinds if line.is_year],
        "moved": list_moves(candidates[1:]),
        "failures": list_failures(result),
    }
    if sweep is None:
        return context
    return context | {
        "sweep": sweep,
        "points": list_points(sweep),
        "swept": name_swept_options(result).values(),
        "sweep_verdict": describe_verdict(sweep["against"]),
        "sweep_sentences": describe_swept_options(result),
    }


@svg_security_policy
@login_required
@require_safe
def study_chart(request: HttpRequest, slug: str, number: int, chart: str) -> HttpResponse:
    """Return a chart of a finished study as SVG."""
    one = get_object_or_404(Study.objects.select_related("list__federation"), list__slug=slug, pk=number)
    require(request, Action.KEEP_LIST, one.list)
    if one.result is None or chart not in CHART_FIGURES or not CHART_FIGURES[chart](one.result):
        raise Http404
    (theme, width), house = theme_and_width(request), one.list.federation.house
    from portal.charts.studies import StudyWords, draw_study_chart  # noqa: PLC0415 - takes half a second to load

    names = [line.label for line in list_candidates(one.result)]
    words = StudyWords(names, name_swept_options(one.result), find_present_values(one.result))
    drawing = draw_study_chart(chart, one.result, words, get_palette(theme, house), narrow=width == "narrow")
    return HttpResponse(drawing, content_type="image/svg+xml")


@login_required
@require_safe
def study_file(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return a study as ratings-study/1: with its result if it is finished."""
    one = get_object_or_404(Study.objects.select_related("list"), list__slug=slug, pk=number)
    require(request, Action.KEEP_LIST, one.list)
    text = json.dumps(one.result or one.definition, ensure_ascii=False, indent=1) + "\n"
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="study-{one.pk}.json"'
    return response
