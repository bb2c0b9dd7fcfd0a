"""Views of an event's time line, and of undoing, deleting, restoring and voiding."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from portal.results.event_history_file import FORMATS, write_record
from portal.results.forms import VoidForm
from portal.results.history_lines import list_history
from portal.site.views.access import require, sign_in_required
from ratings.access import Action, may, may_edit
from ratings.domain.results.deleting import (
    delete_event,
    delete_submission,
    delete_table,
    find_deletion_problems,
    restore_event,
    restore_submission,
    restore_table,
)
from ratings.domain.results.event_time_line import UNDO, list_steps, undo_step
from ratings.domain.results.steps import check_unchanged
from ratings.domain.results.voiding import preview_void, restore_void_event, void_event
from ratings.models import Event, EventStep, Submission, Table
from ratings.queries.results.void_effects import read_void_effects
from ratings.queries.results.workflow import describe_related_data, page_version, people_with_access
from ratings.reauthentication import get_interruption

from .organise import get_managed_event
from .submissions import get_submission

DECIDING = (Action.REVIEW, Action.VOID)
"""Rights whose steps can be undone only after a recent log-in."""


@sign_in_required
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show everything that happened to an event, with undo where it is possible."""
    return render_history(request, get_managed_event(request, public_id))


def render_history(request: HttpRequest, event: Event, status: int = 200, **more: Any) -> HttpResponse:
    lines = list_history(event, request.user)
    may_void = may(request.user, Action.VOID, event)
    can_void = may_void and event.state == Event.State.ACCEPTED
    first = next((line for line in lines if line.timed is not None), None)
    context = {
        "event": event,
        "lines": lines,
        "last": first if first is not None and first.allowed else None,
        "rated_since": " ".join(line.sentences[0] for line in lines[: lines.index(first)]) if first else "",
        "access": people_with_access(event),
        "may_void": may_void,
        "form": VoidForm() if can_void else None,
        "effects": read_void_effects(event) if can_void else None,
        "may_delete": may(request.user, Action.DELETE_EVENT, event) and event.is_open,
        "shown_version": page_version(event),
    }
    return render(request, "results/history.html", context | more, status=status)


@sign_in_required
@require_safe
def record(request: HttpRequest, public_id: str, format: str) -> HttpResponse:
    """Return the record of an event's steps as a download; Http404: no record has this format."""
    event = get_managed_event(request, public_id)
    if format not in FORMATS:
        raise Http404
    body = write_record(event, list_history(event, request.user), format)
    headers = {"Content-Disposition": f'attachment; filename="{event.public_id}-history.{format}"'}
    return HttpResponse(body, content_type=FORMATS[format], headers=headers)


@sign_in_required
@require_POST
def undo(request: HttpRequest, public_id: str, step: int) -> HttpResponse:
    """Undo one step of an event."""
    event = get_managed_event(request, public_id)
    the_step = get_object_or_404(EventStep.objects.select_related("event"), pk=step, event=event)
    if the_step.what in UNDO:
        require(request, UNDO[the_step.what].right, event)
        if UNDO[the_step.what].right in DECIDING and (response := get_interruption(request)):
            return response
    try:
        with transaction.atomic():
            exclusive = the_step.what in UNDO and UNDO[the_step.what].locks_seats
            check_unchanged(event, request.POST.get("shown_version", ""), exclusive=exclusive)
            notice = undo_step(the_step)
    except ValidationError as error:
        return render_history(request, get_managed_event(request, public_id), 422, problems=error.messages)
    if not may(request.user, Action.SEE_EVENT, event):  # organisers can undo that the event was shared with them
        messages.success(request, notice or _("Undone: %(step)s.") % {"step": the_step.get_what_display()})
        return redirect("organise")
    newest = list_steps(event)[0]
    text = _("Undone: %(step)s. You can undo this as well.") if newest.undo else _("Undone: %(step)s.")
    messages.success(request, notice or text % {"step": the_step.get_what_display()})
    return redirect("event_history", event.public_id)


@sign_in_required
def remove_event(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask whether to delete a draft event, and delete it."""
    event = get_managed_event(request, public_id)
    require(request, Action.DELETE_EVENT, event)
    context = {
        "event": event,
        "title": _("Delete the event %(event)s?") % {"event": event},
        "depends": describe_related_data(event),
        "button": _("Delete the event"),
    }
    return confirm_and_run(
        request, context, lambda: delete_event(event), _("The event was deleted. You can restore it.")
    )


@sign_in_required
@require_POST
def bring_event_back(request: HttpRequest, public_id: str) -> HttpResponse:
    """Restore a deleted or void event."""
    event = get_managed_event(request, public_id)
    void = event.state == Event.State.VOID
    require(request, Action.VOID if void else Action.DELETE_EVENT, event)
    if void and (response := get_interruption(request)):
        return response
    return run_action(
        request,
        event,
        lambda: restore_void_event(event) if void else restore_event(event),
        _("The event was restored."),
    )


@sign_in_required
def void(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for the reason and show what would happen, then void an accepted event."""
    event = get_managed_event(request, public_id)
    require(request, Action.VOID, event)
    form = VoidForm(request.POST or None)
    previews = None
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            with transaction.atomic():
                check_unchanged(event, request.POST.get("shown_version", ""))
                void_event(event, reason=values["reason"], explanation=values["explanation"])
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The event is void: its results no longer count. You can restore it."))
            return redirect("event_history", event.public_id)
    event = get_managed_event(request, public_id)
    if event.state == Event.State.ACCEPTED:
        with suppress(ValidationError):  # another user has just voided it
            previews = preview_void(event)
    context = {
        "event": event,
        "form": form,
        "previews": previews,
        "effects": read_void_effects(event) if event.state == Event.State.ACCEPTED else None,
        "shown_version": page_version(event),
    }
    return render(request, "results/void.html", context, status=422 if form.errors else 200)


@sign_in_required
def remove_submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask whether to delete draft results, and delete them."""
    submission = get_submission(request, pk)
    if request.method != "POST":
        _require_editing(request, submission)
    rows = sum(1 for row in submission.content.get("rows", []) if row.get("family") or row.get("player"))
    files = [upload.name or _("pasted text") for upload in submission.uploads.defer("data")]
    depends = [_("%(rows)d players with their results") % {"rows": rows}]
    depends += [_("The file %(name)s stays with the event.") % {"name": name} for name in files]
    context = {
        "event": submission.event,
        "title": _("Delete the draft results of %(submission)s?") % {"submission": submission},
        "depends": depends,
        "button": _("Delete the draft results"),
    }

    def delete() -> None:
        _require_editing(request, submission)
        delete_submission(submission)

    return confirm_and_run(request, context, delete, _("The draft was deleted. You can restore it."))


def _require_editing(request: HttpRequest, submission: Submission) -> None:
    if not may_edit(request.user, submission):
        raise PermissionDenied


@sign_in_required
@require_POST
def bring_submission_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Restore deleted draft results."""
    submission = get_submission(request, pk)
    require(request, Action.GIVE_RESULTS, submission)
    return run_action(request, submission.event, lambda: restore_submission(submission), _("The draft was restored."))


@sign_in_required
def remove_table(request: HttpRequest, table: int) -> HttpResponse:
    """Ask whether to delete a table of an accepted event, and delete it."""
    the_table = get_object_or_404(Table.with_deleted.select_related("event"), pk=table)
    require(request, Action.VOID, the_table)
    reason = request.POST.get("reason", "").strip()
    entries, games = the_table.entries.count(), the_table.games.filter(played=True).count()
    context = {
        "event": the_table.event,
        "title": _("Delete the table %(table)s?") % {"table": the_table},
        "depends": [
            _("%(players)d players and %(games)d games no longer count; later ratings follow.")
            % {"players": entries, "games": games},
            _("All versions are kept, and the table can be restored."),
            *find_deletion_problems(the_table),
        ],
        "button": _("Delete the table"),
        "asks_reason": True,
        "reason": reason,
    }
    return confirm_and_run(
        request,
        context,
        lambda: delete_table(the_table, reason=reason[:300]),
        _("The table was deleted, and later ratings follow. You can restore it."),
    )


@sign_in_required
@require_POST
def bring_table_back(request: HttpRequest, table: int) -> HttpResponse:
    """Restore a deleted table."""
    the_table = get_object_or_404(Table.with_deleted.select_related("event"), pk=table)
    require(request, Action.VOID, the_table)
    return run_action(request, the_table.event, lambda: restore_table(the_table), _("The table was restored."))


def confirm_and_run(
    request: HttpRequest, context: dict[str, Any], act: Callable[[], object], success_message: str
) -> HttpResponse:
    """Show a page that asks for confirmation; when it is posted, do the action and redirect to the time line."""
    event = context["event"]
    if request.method == "POST":
        return run_action(request, event, act, success_message, confirmation=context)
    return render(request, "results/confirm.html", context | {"shown_version": page_version(event)})


def run_action(
    request: HttpRequest,
    event: Event,
    act: Callable[[], object],
    success_message: str,
    *,
    confirmation: dict[str, Any] | None = None,
) -> HttpResponse:
    """Do an action and redirect to the event's time line; if it fails, show the reason."""
    try:
        with transaction.atomic():
            check_unchanged(event, request.POST.get("shown_version", ""))
            act()
    except ValidationError as error:
        if confirmation is not None:
            again = confirmation | {"problems": error.messages, "shown_version": page_version(event)}
            return render(request, "results/confirm.html", again, status=422)
        return render_history(request, get_managed_event(request, event.public_id), 422, problems=error.messages)
    messages.success(request, success_message)
    return redirect("event_history", event.public_id)
