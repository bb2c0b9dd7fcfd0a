from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.lists.forms import ListFileForm
from portal.lists.waiting_files import answer_form, describe_opening
from portal.players.timeline import step_line
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.lists.list_import_files import check_list_import
from ratings.models import RatingList
from ratings.queries.players.player_timeline import imports_of
from ratings.queries.results.workflow import imported_lists


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a list from a federation's current rating list: check a file, say what is unclear, then import it."""
    rating_list = get_object_or_404(RatingList, slug=slug)
    require(request, Action.KEEP_LIST, rating_list)
    if "upload" in request.POST or "store" in request.POST:
        return answer_questions(request, rating_list)
    form = ListFileForm(request.POST, request.FILES) if request.method == "POST" else ListFileForm()
    if not (form.is_bound and form.is_valid()):
        return render_import(request, rating_list, form=form, status=422 if form.is_bound else 200)
    file = form.cleaned_data["file"]
    opening = check_list_import(rating_list, file.name, file.read(), day=form.cleaned_data["day"])
    status = 422 if opening.problems.fatal else 200
    more = describe_opening(opening) | {"file_name": file.name}
    return render_import(request, rating_list, form=form, status=status, **more)


def answer_questions(request: HttpRequest, rating_list: RatingList) -> HttpResponse:
    """Read a waiting file again as the form says, or import it."""
    waiting = answer_form(request, rating_list)
    if waiting.opening is None:
        return render_import(request, rating_list, form=ListFileForm(), errors=waiting.problems, status=422)
    if waiting.is_stored:
        messages.success(request, waiting.opening.summary)
        return redirect("import_list", rating_list.slug)
    status = 422 if waiting.opening.problems.fatal else 200
    more = describe_opening(waiting.opening) | {"note": waiting.note}
    return render_import(request, rating_list, form=ListFileForm(), status=status, **more)


def render_import(request: HttpRequest, rating_list: RatingList, *, status: int, **more: object) -> HttpResponse:
    context = {"rating_list": rating_list, "imports": [(step, step_line(step)) for step in imports_of(rating_list)]}
    context["unrecorded"] = imported_lists(rating_list).filter(recorded_steps=None)
    return render(request, "lists/import_list.html", context | more, status=status)
