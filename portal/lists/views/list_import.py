from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.organising import OpeningForm, StoreForm
from ratings.access import Action
from ratings.domain.opening_files import check_opening, store_opening
from ratings.models import RatingList
from ratings.queries.organising import openings_of

from .access import require


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a list from a federation's present rating list: the first click checks a file, the second stores it."""
    rating_list = get_object_or_404(RatingList, slug=slug)
    require(request, Action.KEEP_LIST, rating_list)
    if "store" in request.POST:
        return store(request, rating_list)
    form = OpeningForm(request.POST, request.FILES) if request.method == "POST" else OpeningForm()
    if not (form.is_bound and form.is_valid()):
        return shown(request, rating_list, form=form, status=422 if form.is_bound else 200)
    file = form.cleaned_data["file"]
    opening = check_opening(rating_list, file.name, file.read(), day=form.cleaned_data["day"])
    status = 422 if opening.problems.fatal else 200
    return shown(request, rating_list, form=form, opening=opening, file_name=file.name, status=status)


def store(request: HttpRequest, rating_list: RatingList) -> HttpResponse:
    form = StoreForm(request.POST)
    if not form.is_valid():
        return shown(request, rating_list, form=OpeningForm(), told=[_("Choose the file again.")], status=422)
    try:
        opening = store_opening(rating_list, form.cleaned_data["upload"], day=form.cleaned_data["day"])
    except ValidationError as error:
        return shown(request, rating_list, form=OpeningForm(), told=error.messages, status=422)
    if opening.problems.fatal:
        return shown(request, rating_list, form=OpeningForm(), opening=opening, status=422)
    messages.success(request, opening.told)
    return redirect("import_list", rating_list.slug)


def shown(request: HttpRequest, rating_list: RatingList, *, status: int, **more: object) -> HttpResponse:
    context = {"rating_list": rating_list, "stored": openings_of(rating_list)}
    return render(request, "portal/organise/import_list.html", context | more, status=status)
