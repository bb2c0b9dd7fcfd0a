import re
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.organising import DetailsForm
from ratings.access import Action, may_edit
from ratings.domain.acting import acting_user
from ratings.domain.checking import Checked, check_sheet
from ratings.domain.review import preview_event
from ratings.domain.sheets import corrected, forfeit, mirror, resize, save_sheet
from ratings.formats.entered import SheetContent, SheetRow, content_of
from ratings.formats.head import read_day
from ratings.formats.sheets import template_csv, template_xlsx
from ratings.models import Player, Sheet, Upload
from ratings.queries.events import asked_of, lists_of
from ratings.queries.roster import describe, players_named

from .access import require

TEXTS = ("family", "given", "country", "prior_grade", "evidence", "macmahon")
YEARS = ("birth_year", "start_year")
CURE = re.compile(r"(mirror|forfeit):(\d{1,4}):(\d{1,2})")
NEW = "new"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@login_required
def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit a sheet: every button keeps what was entered, then does its own."""
    the_sheet = seen(request, pk)
    content = content_of(the_sheet.content)
    if request.method != "POST":
        return shown(request, the_sheet, content, check_sheet(the_sheet, content, acting_user()))
    if not may_edit(request.user, the_sheet):
        raise PermissionDenied
    typed(request.POST, content)
    own_fields(request.POST, the_sheet)
    details = DetailsForm(request.POST, content.details, asked_of(lists_of(the_sheet.event)))
    if not details.is_valid():
        checked = check_sheet(the_sheet, content, acting_user())
        return shown(request, the_sheet, content, checked, details=details, status=422)
    content.details |= details.cleaned_data
    try:
        do(request.POST, content)
        checked = save_sheet(the_sheet, content)
    except ValidationError as error:
        checked = check_sheet(the_sheet, content, acting_user())
        return shown(request, the_sheet, content, checked, problems=error.messages, status=422)
    if "preview" in request.POST and not checked.errors:
        return previewed(request, the_sheet, content, checked)
    if "done" in request.POST:
        messages.success(request, _("Kept."))
        return redirect("organise_event", the_sheet.event.public_id)
    return shown(request, the_sheet, content, checked)


def previewed(request: HttpRequest, sheet: Sheet, content: SheetContent, checked: Checked) -> HttpResponse:
    try:
        previews = preview_event(sheet.event, [sheet])
    except ValidationError as error:
        return shown(request, sheet, content, checked, problems=error.messages, status=422)
    return shown(request, sheet, content, checked, previews=previews)


def seen(request: HttpRequest, pk: int) -> Sheet:
    the_sheet: Sheet = get_object_or_404(Sheet.objects.select_related("event", "table"), pk=pk)
    require(request, Action.SEE_EVENT, the_sheet)
    return the_sheet


def own_fields(post: QueryDict, sheet: Sheet) -> None:
    sheet.name = post.get("name", sheet.name).strip()
    sheet.reason = post.get("reason", sheet.reason).strip()
    for name in ("first_day", "last_day"):
        if day := read_day(post.get(name, "")):  # what is no date leaves the day as it is
            setattr(sheet, name, day)


def typed(post: QueryDict, content: SheetContent) -> None:
    """What was entered, row by row; a row that was not sent stays as it is."""
    for number, row in enumerate(content.rows, 1):
        for name in TEXTS:
            setattr(row, name, post.get(f"row-{number}-{name}", getattr(row, name)).strip())
        for name in YEARS:
            year = post.get(f"row-{number}-{name}", "").strip()
            setattr(row, name, int(year) if re.fullmatch(r"[12]\d{3}", year) else None)
        _who(row, post.get(f"row-{number}-player"))
        for n, cell in enumerate(row.cells):
            row.cells[n] = post.get(f"row-{number}-round-{n + 1}", cell).strip()[:30]
    for key, word in post.items():
        if key.startswith("confirm-") and isinstance(word, str):
            content.confirmed[key.removeprefix("confirm-")] = word.strip()[:200]


def _who(row: SheetRow, choice: str | None) -> None:
    if choice is not None:
        row.new = choice == NEW
        row.player = "" if row.new else choice[:12]


def do(post: QueryDict, content: SheetContent) -> None:
    """Cures, and another size."""
    if found := CURE.fullmatch(post.get("cure", "")):
        kind, row, round_ = found[1], int(found[2]), int(found[3])
        if 1 <= row <= len(content.rows) and 1 <= round_ <= content.rounds:
            (mirror if kind == "mirror" else forfeit)(content, row, round_)
    if "resize" in post:
        sizes = post.get("rows", ""), post.get("rounds", "")
        numbers = [int(size) if size.isdecimal() and len(size) < 5 else 0 for size in sizes]
        if not (2 <= numbers[0] <= 1000 and 1 <= numbers[1] <= 30):
            raise ValidationError(_("From 2 to 1000 players and from 1 to 30 rounds."))
        resize(content, *numbers)


def shown(
    request: HttpRequest, sheet: Sheet, content: SheetContent, checked: Checked, *, status: int = 200, **more: Any
) -> HttpResponse:
    by_row: dict[int, list[Any]] = {}
    for finding in checked.findings:
        by_row.setdefault(finding.row or 0, []).append(finding)
    lists = lists_of(sheet.event)
    asked = asked_of(lists)
    lines = [_line(number, row, checked, by_row.get(number, [])) for number, row in enumerate(content.rows, 1)]
    context = {
        "sheet": sheet,
        "event": sheet.event,
        "content": content,
        "checked": checked,
        "lines": lines,
        "rounds": range(1, content.rounds + 1),
        "grades": [grade for one in lists for grade in reversed(one.rating_system.grades)] if lists else [],
        "asks_birth": "birth_date" in asked,
        "asks_start": "start_year" in asked,
        "go": "stones" in asked,
        "changes": corrected(sheet, content),
        "details": DetailsForm(None, content.details, asked),
        "editable": may_edit(request.user, sheet),
    }
    return render(request, "portal/organise/sheet.html", context | more, status=status)


def _line(number: int, row: SheetRow, checked: Checked, findings: list[Any]) -> dict[str, Any]:
    """A row for the template, each cell with what is wrong with it."""
    wrong = {finding.round for finding in findings if finding.blocks}
    return {
        "number": number,
        "row": row,
        "known": checked.players.get(number),
        "candidates": checked.candidates.get(number, []),
        "wrong": None in wrong,
        "cells": [(round_, text, round_ in wrong) for round_, text in enumerate(row.cells, 1)],
    }


@login_required
@require_POST
def drop(request: HttpRequest, pk: int) -> HttpResponse:
    """Throw an open sheet away; the files it came from stay with the event."""
    the_sheet = seen(request, pk)
    if not may_edit(request.user, the_sheet):
        raise PermissionDenied
    the_sheet.delete()
    return redirect("organise_event", the_sheet.event.public_id)


@login_required
def original(request: HttpRequest, pk: int) -> HttpResponse:
    """The bytes as they were given."""
    upload = get_object_or_404(Upload.objects.select_related("event"), pk=pk)
    require(request, Action.SEE_EVENT if upload.event else Action.KEEP_LIST, upload)
    return attachment(upload.name or "pasted.txt", bytes(upload.data))


def attachment(name: str, data: bytes) -> HttpResponse:
    """Bytes that somebody gave, to be kept as a file and never run."""
    name = re.sub(r"[^\w.-]+", "_", name)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(data, content_type="application/octet-stream", headers=headers)


@login_required
def known_players(request: HttpRequest) -> HttpResponse:
    """Whom a name that is being typed may mean; for those who enter results."""
    require(request, Action.ORGANISE)
    return JsonResponse({"players": [as_json(player) for player in players_named(request.GET.get("q", ""))]})


def as_json(player: Player) -> dict[str, str]:
    return {
        "id": player.public_id,
        "family": player.family_name,
        "given": player.given_name,
        "country": str(player.country),
        "described": describe(player),
    }


@login_required
def template_file(request: HttpRequest, form: str) -> HttpResponse:
    """An empty crosstable to fill in."""
    if form not in ("csv", "xlsx"):
        raise Http404
    kind = "text/csv; charset=utf-8" if form == "csv" else XLSX
    body = "\ufeff" + template_csv() if form == "csv" else template_xlsx()
    headers = {"Content-Disposition": f'attachment; filename="results.{form}"'}
    return HttpResponse(body, content_type=kind, headers=headers)
