from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from portal.results.event_progress import EventProgress, read_progress
from portal.results.forms import EventForm, ShareForm, UploadForm
from portal.results.organiser_tasks import (
    describe_hall,
    find_schedule_line,
)
from portal.site.help_steps import ANNOUNCE
from portal.site.views.access import require, sign_in_required
from portal.templatetags.portal_format import colon
from ratings.access import Action, may
from ratings.domain.events.event_requirements import find_unmet_requirements
from ratings.domain.events.tables import save_event
from ratings.domain.results.accepting import Acceptance, NotReadyError, accept, preview_event
from ratings.domain.results.comments import open_comments
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.draft_reports import store_reports
from ratings.domain.results.event_time_line import build_timed_step
from ratings.domain.results.file_submissions import ResultsFile, create_checked_submission
from ratings.domain.results.people import count_open_names
from ratings.domain.results.review import return_results
from ratings.domain.results.sharing import share_event, unshare_event
from ratings.domain.results.steps import check_unchanged
from ratings.domain.results.submissions import check_size, create_blank_submission
from ratings.domain.results.submitting import announce_event, submit, withdraw, withdraw_announcement
from ratings.domain.site.acting import acting_user
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.localize import format_moment
from ratings.models import Event, EventStep, Submission, Table
from ratings.queries.events.entry_templates import read_entered_rows
from ratings.queries.events.events import list_time_zones
from ratings.queries.events.player_tables import players_of_event
from ratings.queries.results.hall_progress import read_hall_progress
from ratings.queries.results.workflow import (
    page_version,
    returned_note,
    submissions_of,
    summary_of,
    waiting_events,
    with_page_version,
    with_progress,
)
from ratings.time_zones import activate_zone

NAME_AT_MOST = 200
DONE = "done"
"""Name in the address of a page with the step that led to it."""


@sign_in_required
def new_event(request: HttpRequest) -> HttpResponse:
    """Create an event; sending the same form again does not create a second event."""
    require(request, Action.ORGANISE)
    token = token_of(request)
    event = Event(created_by_id=request.user.pk, token=token, name=request.GET.get("name", "")[:NAME_AT_MOST])
    form = EventForm(request.POST or None, instance=event, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                event = save_event(form.save(commit=False), form.cleaned_data["lists"])
                if "announce" in request.POST:
                    announce_event(event)
        except (IntegrityError, ValidationError):
            created = Event.objects.filter(token=token, created_by=request.user.pk).first()
            if created is None:
                raise
            return redirect("organise_event", created.public_id)
        return redirect("organise_event", event.public_id)
    return render(request, "results/event_form.html", {"form": form, "token": token})


def token_of(request: HttpRequest) -> UUID:
    """Return the token of the form that was sent; a new one if there is none or an event of another user has it."""
    with suppress(ValueError):
        token = UUID(request.POST.get("token", ""))
        if not Event.objects.filter(token=token).exclude(created_by=request.user.pk).exists():
            return token
    return uuid4()


@sign_in_required
def edit_event(request: HttpRequest, public_id: str) -> HttpResponse:
    """Change the data of an event; nothing is saved if another user has changed them since."""
    event = get_managed_event(request, public_id)
    if request.method != "POST":
        require(request, Action.CHANGE_EVENT, event)
        form = EventForm(None, instance=event, user=request.user)
        return render(request, "results/event_form.html", {"form": form, "event": event})
    with transaction.atomic():  # locked, so that the event is not accepted or returned meanwhile
        Event.objects.select_for_update().get(pk=event.pk)
        event.refresh_from_db()
        form = EventForm(request.POST, instance=event, user=request.user)
        is_valid = form.is_valid()
        if not may(request.user, Action.CHANGE_EVENT, event):
            if not form.is_outdated:
                raise PermissionDenied
            form.add_error(
                None,
                _("The event is %(state)s now: you cannot change it.")
                % {
                    "state": event.get_state_display(),
                },
            )
        elif is_valid:
            save_event(form.save(commit=False), form.cleaned_data["lists"])
            store_reports([event])
            return redirect("organise_event", event.public_id)
    return render(request, "results/event_form.html", {"form": form, "event": event}, status=422)


def get_managed_event(request: HttpRequest, public_id: str) -> Event:
    """Return an event; raise Http404 if there is none, and PermissionDenied unless the user may see it."""
    event: Event = get_object_or_404(with_page_version(with_progress(Event.objects.all())), public_id=public_id)
    require(request, Action.SEE_EVENT, event)
    activate_zone(list_time_zones([event]))
    return event


@sign_in_required
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    the_event = get_managed_event(request, public_id)
    return render_event(request, the_event)


def find_done_step(request: HttpRequest) -> dict[str, object] | None:
    """Return the step that led to this page, as the address says, with its undo; None without one of this user."""
    key = request.GET.get(DONE, "")
    if not (key.isascii() and key.isdecimal() and len(key) < 19):
        return None
    step = EventStep.objects.filter(pk=int(key), by=request.user.pk, what__in=DONE_MESSAGES).first()
    if step is None or not may(request.user, Action.SEE_EVENT, step):
        return None
    timed = build_timed_step(step)
    allowed = timed.undo is not None and may(request.user, timed.undo.right, step)
    return {
        "step": step,
        "message": f"{colon(step.event)} {DONE_MESSAGES[step.what]}",
        "undo": allowed,
        "void": timed.page and may(request.user, Action.VOID, step),
        "version": page_version(step.event),
    }


def render_event(request: HttpRequest, event: Event, status: int = 200, **more: object) -> HttpResponse:
    submissions = submissions_of(event)
    user = request.user
    waiting = any(each.state == Submission.State.SUBMITTED for each in submissions)
    reviews = waiting and may(user, Action.REVIEW, event)
    hall = read_hall_progress([event]).get(event.pk) if event.is_open else None
    progress = read_progress(event, submissions, timezone.localdate())
    is_played = event.start <= timezone.localdate() <= event.end
    may_give, may_edit = may(user, Action.GIVE_RESULTS, event), may(user, Action.CHANGE_EVENT, event)
    listed = [each for each in submissions if each.is_open or each.state == Submission.State.SUBMITTED]
    context = {
        "event": event,
        "done": find_done_step(request),
        "comments": open_comments(event).count() if reviews else 0,
        "summary": summary_of(event) if reviews else None,
        "may_submit": bool(progress.drafts) and may_give,
        "waiting": waiting,
        "submissions": listed,
        "waiting_submissions": [each for each in listed if not each.is_open],
        "progress": progress,
        "main_button": "accept"
        if reviews
        else find_main_button(event, progress, hall is not None or is_played, may_edit),
        "uploads": [upload for each in listed for upload in each.uploads.all()],
        "deleted_submissions": [each for each in submissions if each.state == Submission.State.DELETED],
        "deleted_tables": Table.with_deleted.filter(event=event).exclude(deleted_at=None),
        "restore_days": settings.RESTORE_DAYS,
        "returned_note": returned_note(event),
        "may_withdraw": may(user, Action.WITHDRAW, event),
        "may_delete": may(user, Action.DELETE_EVENT, event) and event.is_open,
        "may_void": may(user, Action.VOID, event),
        "versions": [each for each in submissions if each.state == Submission.State.ACCEPTED],
        "tables": event.tables.all(),
        "customs": find_unmet_requirements(event) if event.is_open or event.state == Event.State.SUBMITTED else [],
        "may_review": may(user, Action.REVIEW, event),
        "reviewing": reviews,
        "seated": players_of_event(event)
        if event.state == Event.State.ACCEPTED and may(user, Action.KEEP_PLAYERS, event)
        else [],
        "may_give": may_give,
        "hall": hall,
        "hall_words": describe_hall(hall) if hall else "",
        "hall_time": find_schedule_line(event, hall.round if hall else 1),
        "is_played": is_played,
        "may_edit": may_edit,
        "may_correct": may(user, Action.CORRECT, event),
        "share": ShareForm(),
    }
    if "upload" not in more:
        context["upload"] = UploadForm.of_event(event)
    return render(request, "results/event.html", context | more, status=status)


def find_main_button(event: Event, progress: EventProgress, is_in_hall: bool, may_edit: bool) -> str:
    """Return which button of an event's page is the next step, so that only this one is filled; empty if none is."""
    if progress.drafts:
        return "submit" if progress.is_ready else "check"
    if not event.is_open:
        return ""
    if is_in_hall:
        return "hall"
    return "announce" if progress.current == ANNOUNCE and may_edit else "upload"


@sign_in_required
@require_POST
def act(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Announce, unannounce, submit, withdraw, return or accept an event, if the user has the right to."""
    the_event = get_managed_event(request, public_id)
    note = request.POST.get("note", "")
    try:
        with transaction.atomic():
            check_unchanged(the_event, request.POST.get("shown_version", ""))
            require(request, REQUIRED_ACTIONS[what], the_event)
            accepted = ACTS[what](the_event, note)
    except ValidationError as error:
        now = get_managed_event(request, public_id)
        return render_event(request, now, 422, problems=error.messages, note=note, fix_at=find_field(error))
    for problem in accepted.problems if accepted is not None else ():
        messages.warning(request, problem)
    if what in ("accept", "return"):
        return open_next_event(request, the_event)
    messages.success(request, f"{colon(the_event)} {SUCCESS_MESSAGES[what]()}")
    return redirect("organise_event", the_event.public_id)


def find_field(error: ValidationError) -> str:
    """Return the address of the field of the first problem of results that are not ready; empty for other errors."""
    return f"{error.submission.get_absolute_url()}#{error.field_id}" if isinstance(error, NotReadyError) else ""


def open_next_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Redirect an officer to the next event that waits, else to the same one, with a notice of the step just taken."""
    following = next(iter(waiting_events(request.user)), None)
    if following is not None:
        messages.info(request, _("The next event that waits for you."))
    step = event.steps.filter(by=request.user.pk).last()
    address = reverse("organise_event", args=[(following or event).public_id])
    return redirect(f"{address}?{DONE}={step.pk if step else ''}")


ACTS: Mapping[str, Callable[[Event, str], Acceptance | None]] = {
    "announce": lambda event, _note: announce_event(event),
    "unannounce": lambda event, _note: withdraw_announcement(event),
    "submit": lambda event, _note: submit(event),
    "withdraw": lambda event, _note: withdraw(event),
    "return": return_results,
    "accept": lambda event, _note: accept(event),
}
REQUIRED_ACTIONS = {
    "announce": Action.CHANGE_EVENT,
    "unannounce": Action.CHANGE_EVENT,
    "submit": Action.GIVE_RESULTS,
    "withdraw": Action.WITHDRAW,
    "return": Action.REVIEW,
    "accept": Action.REVIEW,
}
SUCCESS_MESSAGES = {
    "announce": lambda: _("The event is now in the public calendar."),
    "unannounce": lambda: _("The event was removed from the public calendar."),
    "submit": lambda: _("Submitted. The rating officers receive an email; until they answer you can withdraw it."),
    "withdraw": lambda: _("Withdrawn: you can change the results and submit them again."),
}
DONE_MESSAGES: Mapping[str, Any] = {
    EventStep.What.RETURNED: gettext_lazy("Returned. The organisers receive an email."),
    EventStep.What.ACCEPTED: gettext_lazy("Results accepted. The lists are being rated again."),
    EventStep.What.CORRECTED: gettext_lazy("Results accepted. The lists are being rated again."),
}
"""Notices of an officer’s steps, shown on the next page with their undo."""


@sign_in_required
@require_POST
def preview(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what accepting an event would do to the lists."""
    the_event = get_managed_event(request, public_id)
    submissions = the_event.submissions.exclude(state__in=[Submission.State.ACCEPTED, Submission.State.DELETED])
    try:
        previews = preview_event(the_event, submissions)
    except ValidationError as error:
        return render_event(request, the_event, 422, problems=error.messages)
    everything = submissions_of(the_event)
    progress = read_progress(the_event, everything, timezone.localdate(), previewing=True)
    may_submit = bool(progress.drafts) and may(request.user, Action.GIVE_RESULTS, the_event)
    context = {"event": the_event, "previews": previews, "progress": progress, "may_submit": may_submit}
    return render(request, "results/preview.html", context)


@sign_in_required
@require_POST
def upload_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """Create draft results from a file or a pasted text, or as an empty table to fill in."""
    the_event = get_managed_event(request, public_id)
    require(request, Action.GIVE_RESULTS, the_event)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return render_event(request, the_event, 422, upload=form)
    if form.cleaned_data["blank"]:
        try:
            rows = read_entered_rows(the_event) if form.cleaned_data["entered"] else []
            players, rounds = max(form.cleaned_data["players"], len(rows)), form.cleaned_data["rounds"]
            submission = create_blank_submission(the_event, players, rounds, rows)
        except ValidationError as error:
            return render_event(request, the_event, 422, upload=form, problems=error.messages)
        return redirect("submission", submission.pk)
    name, data = form.name_and_data()
    result = read_results_file(data, Head(the_event.name, the_event.start, the_event.end, name), timezone.localdate())
    if result.table is None or not result.table.rows:
        pasted = UploadForm.of_event(the_event, form.cleaned_data["text"])
        problems = result.problems.sorted_by_position()
        return render_event(request, the_event, 422, upload=pasted, refused=problems, file_name=name)
    try:
        check_size(len(result.table.rows), result.table.rounds)
        submission, new = create_checked_submission(
            the_event, ResultsFile(name, data, result.format, result.table, result.problems)
        )
    except ValidationError as error:
        return render_event(request, the_event, 422, upload=form, problems=error.messages)
    if old := submission.replaced.first():
        text = _("Replaced the draft of %(time)s, which has the same players. You can restore it on the event's page.")
        messages.info(request, text % {"time": format_moment(old.changed_at)})
    elif new and submission.table_id:
        messages.info(
            request, _("Same players as “%(table)s”: imported as a correction.") % {"table": submission.table}
        )
    if not new:
        messages.info(
            request, _("You uploaded this file before; this is its draft. To read it again, delete the draft.")
        )
    has_open_names = count_open_names(submission, content_from_json(submission.content), acting_user()) > 0
    return redirect("people" if has_open_names else "submission", submission.pk)


@sign_in_required
@require_POST
def share(request: HttpRequest, public_id: str) -> HttpResponse:
    """Share an event with another organiser, or stop sharing it with one."""
    the_event = get_managed_event(request, public_id)
    require(request, Action.CHANGE_EVENT, the_event)
    removes, form = "remove" in request.POST, ShareForm(request.POST)
    if not (removes or form.is_valid()):
        return render_event(request, the_event, 422, share=form)
    try:
        with transaction.atomic():
            check_unchanged(the_event, request.POST.get("shown_version", ""))
            if not removes:
                share_event(the_event, form.cleaned_data["who"])
                messages.success(request, _("Shared with %(user)s.") % {"user": form.cleaned_data["who"]})
            for user in the_event.organisers.all():
                if str(user.pk) == request.POST.get("remove"):
                    unshare_event(the_event, user)
                    messages.success(request, _("No longer shared with %(user)s.") % {"user": user})
    except ValidationError as error:
        now = get_managed_event(request, public_id)
        return render_event(request, now, 422, problems=error.messages, share=ShareForm() if removes else form)
    if not may(request.user, Action.SEE_EVENT, the_event):  # organisers can remove themselves
        return redirect("organise")
    return redirect("organise_event", the_event.public_id)


@sign_in_required
@require_POST
def correct(request: HttpRequest, table: int) -> HttpResponse:
    """Start a correction of a table, or continue the open one."""
    the_table = get_object_or_404(Table.with_deleted.select_related("event"), pk=table)
    require(request, Action.CORRECT, the_table)
    version = None
    if wanted := request.POST.get("version", ""):
        accepted = the_table.submissions.filter(state=Submission.State.ACCEPTED)
        version = get_object_or_404(accepted, pk=int(wanted) if wanted.isdecimal() and len(wanted) < 19 else 0)
    try:
        with transaction.atomic():
            check_unchanged(the_table.event, request.POST.get("shown_version", ""))
            correction = get_or_create_correction(the_table, from_version=version)
    except ValidationError as error:
        return render_event(
            request, get_managed_event(request, the_table.event.public_id), 422, problems=error.messages
        )
    return redirect("submission", correction.pk)
