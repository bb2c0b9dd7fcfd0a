"""The page of a file of new players in a batch: what its columns hold, and who its names are."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.lists.waiting_files import describe_names, describe_sheet, find_equal_names, read_posted
from portal.site.views.access import sign_in_required
from ratings.domain.results.announced_players import PeopleFile, can_be_people, find_people_reading, read_people_file
from ratings.domain.results.people_files import save_people_reading
from ratings.formats.people.new_players import COLUMNS
from ratings.formats.people.people_sheet import FULL_NAME_COLUMN
from ratings.localize import translate_message
from ratings.models import BatchFile

from .batches import get_batch

MOST_PROBLEMS = 20


@sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def people_file(request: HttpRequest, pk: int, file: int) -> HttpResponse:
    """Choose what the columns of a file of new players hold, and answer who its names are."""
    batch = get_batch(request, pk)
    the_file = get_object_or_404(batch.files.select_related("batch__made_by"), pk=file)
    if not can_be_people(the_file):
        raise Http404
    reading = find_people_reading(the_file)
    if request.method != "POST":
        return render_people_file(request, the_file, read_people_file(the_file, reading))
    reading = read_posted(request.POST, reading)
    try:
        read = save_people_reading(the_file, reading)
        if "same" in request.POST:
            reading = reading.answer({**reading.people, **find_equal_names(read.names)})
            read = save_people_reading(the_file, reading)
    except ValidationError as error:  # the file was read as something else meanwhile
        messages.error(request, " ".join(error.messages))
        return redirect(batch)
    if read.problems.fatal or not read.players:
        the_file.refresh_from_db()
        return render_people_file(request, the_file, read, 422)
    messages.success(request, _("Saved."))
    return redirect("people_file", batch.pk, the_file.pk) if read.names.open else redirect(batch)


def render_people_file(request: HttpRequest, file: BatchFile, read: PeopleFile, status: int = 200) -> HttpResponse:
    is_people = file.state == BatchFile.State.PEOPLE and bool(read.players) and not read.problems.fatal
    listed = read.problems.sorted_by_position()[:MOST_PROBLEMS] if is_people or status != 200 else []
    context: dict[str, Any] = {
        "batch": file.batch,
        "file": file,
        "file_name": file.name,
        "is_people": is_people,
        "players": read.players,
        "problems": [describe_problem(problem.line, translate_message(problem.message)) for problem in listed],
        "sheet": describe_sheet(read.sheet, (*COLUMNS, FULL_NAME_COLUMN)),
        "can_undo_answers": "before" in (file.head.get("reading") or {}),
        **describe_names(read.names),
    }
    return render(request, "results/people_file.html", context, status=status)


def describe_problem(line: int | None, text: str) -> str:
    return _("Line %(line)d: %(text)s") % {"line": line, "text": text} if line else text
