from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.lists.forms import ConfirmImportForm, ListFileForm
from portal.players.timeline import step_line
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.lists.list_import_files import check_list_import, confirm_list_import
from ratings.models import RatingList
from ratings.queries.players.player_timeline import imports_of
from ratings.queries.results.workflow import imported_lists


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a list from a federation's current rating list: the first click checks a file, the second imports it."""
    rating_list = get_object_or_404(RatingList, slug=slug)
    require(request, Action.KEEP_LIST, rating_list)
    if "store" in request.POST:
        return store_import(request, rating_list)
    form = ListFileForm(request.POST, request.FILES) if request.method == "POST" else ListFileForm()
    if not (form.is_bound and form.is_valid()):
        return render_import(request, rating_list, form=form, status=422 if form.is_bound else 200)
    file = form.cleaned_data["file"]
    opening = check_list_import(rating_list, file.name, file.read(), day=form.cleaned_data["day"])
    status = 422 if opening.problems.fatal else 200
    return render_import(request, rating_list, form=form, opening=opening, file_name=file.name, status=status)


def store_import(request: HttpRequest, rating_list: RatingList) -> HttpResponse:
    form = ConfirmImportForm(request.POST)
    if not form.is_valid():
        return render_import(
            request, rating_list, form=ListFileForm(), errors=[_("Choose the file again.")], status=422
        )
    try:
        opening = confirm_list_import(rating_list, form.cleaned_data["upload"], day=form.cleaned_data["day"])
    except ValidationError as error:
        return render_import(request, rating_list, form=ListFileForm(), errors=error.messages, status=422)
    if opening.problems.fatal:
        return render_import(request, rating_list, form=ListFileForm(), opening=opening, status=422)
    messages.success(request, opening.summary)
    return redirect("import_list", rating_list.slug)


def render_import(request: HttpRequest, rating_list: RatingList, *, status: int, **more: object) -> HttpResponse:
    context = {"rating_list": rating_list, "imports": [(step, step_line(step)) for step in imports_of(rating_list)]}
    context["unrecorded"] = imported_lists(rating_list).filter(recorded_steps=None)
    return render(request, "lists/import_list.html", context | more, status=status)
