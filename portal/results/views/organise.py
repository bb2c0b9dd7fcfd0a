from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.organising import EventForm, ShareForm, UploadForm
from ratings.access import Action, is_officer, may
from ratings.domain.customs import broken_customs
from ratings.domain.review import accept, announce, preview_event, return_, submit
from ratings.domain.sheets import blank_sheet, correction_of, sheet_of_file
from ratings.domain.tables import save_event
from ratings.formats.head import Head
from ratings.formats.recognise import read
from ratings.models import Event, Sheet, Table
from ratings.queries.claims import open_claims
from ratings.queries.organising import events_of, open_reports, sheets_of, shown_steps, waiting_events, with_progress
from ratings.queries.seats import seated_in

from .access import require


@login_required
def my_events(request: HttpRequest) -> HttpResponse:
    require(request, Action.ORGANISE)
    context = {"events": events_of(request.user), "officer": is_officer(request.user)}
    return render(request, "portal/organise/events.html", context)


@login_required
def queue(request: HttpRequest) -> HttpResponse:
    require(request, Action.KEEP_PLAYERS)
    waiting = list(waiting_events(request.user))
    shown = next((event for event in waiting if event.public_id == request.GET.get("preview")), None)
    context: dict[str, object] = {
        "waiting": [(event, broken_customs(event)) for event in waiting],
        "reports": open_reports(),
        "claims": open_claims().count(),
        "shown": shown,
    }
    if shown:
        try:
            context["previews"] = preview_event(shown, shown.sheets.filter(state=Sheet.State.SUBMITTED))
        except ValidationError as error:
            context["problems"] = error.messages
    return render(request, "portal/organise/queue.html", context)


@login_required
def new_event(request: HttpRequest) -> HttpResponse:
    require(request, Action.ORGANISE)
    form = EventForm(request.POST or None, instance=Event(created_by_id=request.user.pk), user=request.user)
    if request.method == "POST" and form.is_valid():
        event = save_event(form.save(commit=False), form.cleaned_data["lists"])
        if "announce" in request.POST:
            announce(event)
        return redirect("organise_event", event.public_id)
    return render(request, "portal/organise/event_form.html", {"form": form})


@login_required
@transaction.atomic
def edit_event(request: HttpRequest, public_id: str) -> HttpResponse:
    event = managed(request, public_id)
    if request.method == "POST":  # held, so that nobody accepts or returns what is saved over here
        Event.objects.select_for_update().get(pk=event.pk)
        event.refresh_from_db()
    require(request, Action.CHANGE_EVENT, event)
    form = EventForm(request.POST or None, instance=event, user=request.user)
    if request.method == "POST" and form.is_valid():
        save_event(form.save(commit=False), form.cleaned_data["lists"])
        return redirect("organise_event", event.public_id)
    return render(request, "portal/organise/event_form.html", {"form": form, "event": event})


def managed(request: HttpRequest, public_id: str) -> Event:
    """An event for those who may manage it; to others it is not there."""
    event: Event = get_object_or_404(with_progress(Event.objects.all()), public_id=public_id)
    require(request, Action.SEE_EVENT, event)
    return event


@login_required
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    the_event = managed(request, public_id)
    return shown_event(request, the_event)


def shown_event(request: HttpRequest, event: Event, status: int = 200, **more: object) -> HttpResponse:
    sheets = sheets_of(event)
    user = request.user
    context = {
        "event": event,
        "may_submit": any(sheet.is_open for sheet in sheets) and may(user, Action.GIVE_RESULTS, event),
        "waiting": any(sheet.state == Sheet.State.SUBMITTED for sheet in sheets),
        "sheets": [sheet for sheet in sheets if sheet.state != Sheet.State.ACCEPTED],
        "versions": [sheet for sheet in sheets if sheet.state == Sheet.State.ACCEPTED],
        "tables": event.tables.all(),
        "steps": shown_steps(event),
        "customs": broken_customs(event) if event.state != Event.State.ACCEPTED else [],
        "may_review": may(user, Action.REVIEW, event),
        "seated": seated_in(event)
        if event.state == Event.State.ACCEPTED and may(user, Action.KEEP_PLAYERS, event)
        else [],
        "may_give": may(user, Action.GIVE_RESULTS, event),
        "may_edit": may(user, Action.CHANGE_EVENT, event),
        "may_correct": may(user, Action.CORRECT, event),
        "upload": UploadForm(),
        "share": ShareForm(),
    }
    return render(request, "portal/organise/event.html", context | more, status=status)


@login_required
@require_POST
def act(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Announce, submit, return or accept an event, each by those who may."""
    the_event = managed(request, public_id)
    require(request, NEEDS[what], the_event)
    try:
        if what == "announce":
            announce(the_event)
        elif what == "submit":
            submit(the_event)
        elif what == "return":
            return_(the_event, request.POST.get("note", ""))
        else:
            accept(the_event)
    except ValidationError as error:
        the_event.refresh_from_db()
        return shown_event(request, the_event, 422, problems=error.messages)
    messages.success(request, TOLD[what]())
    return redirect("organise_event", the_event.public_id)


NEEDS = {
    "announce": Action.CHANGE_EVENT,
    "submit": Action.GIVE_RESULTS,
    "return": Action.REVIEW,
    "accept": Action.REVIEW,
}
TOLD = {
    "announce": lambda: _("The calendar shows it now."),
    "submit": lambda: _("Submitted: the rating officers have been told."),
    "return": lambda: _("Returned: the organisers have been told."),
    "accept": lambda: _("Accepted, and being rated."),
}


@login_required
@require_POST
def preview(request: HttpRequest, public_id: str) -> HttpResponse:
    """What accepting an event would do to the lists."""
    the_event = managed(request, public_id)
    sheets = the_event.sheets.exclude(state=Sheet.State.ACCEPTED)
    try:
        previews = preview_event(the_event, sheets)
    except ValidationError as error:
        return shown_event(request, the_event, 422, problems=error.messages)
    return render(request, "portal/organise/preview.html", {"event": the_event, "previews": previews})


@login_required
@require_POST
def give_results(request: HttpRequest, public_id: str) -> HttpResponse:
    """A file, a pasted text, or an empty sheet to type into."""
    the_event = managed(request, public_id)
    require(request, Action.GIVE_RESULTS, the_event)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return shown_event(request, the_event, 422, upload=form)
    if form.cleaned_data["blank"]:
        sheet = blank_sheet(the_event, form.cleaned_data["players"], form.cleaned_data["rounds"])
        return redirect("sheet", sheet.pk)
    name, data = form.given()
    found = read(data, Head(the_event.name, the_event.start, the_event.end), timezone.now().date())
    if found.table is None or not found.table.rows:
        return shown_event(request, the_event, 422, upload=form, refused=found.problems.in_order(), file_name=name)
    sheet, new = sheet_of_file(the_event, found.table, found.problems, file_name=name, form=found.form, data=data)
    if not new:
        messages.info(request, _("You gave this very file before: this is its sheet. To read it anew, throw it away."))
    return redirect("sheet", sheet.pk)


@login_required
@require_POST
def share(request: HttpRequest, public_id: str) -> HttpResponse:
    the_event = managed(request, public_id)
    require(request, Action.CHANGE_EVENT, the_event)
    form = ShareForm(request.POST)
    if not form.is_valid():
        return shown_event(request, the_event, 422, share=form)
    the_event.organisers.add(form.cleaned_data["who"])
    return redirect("organise_event", the_event.public_id)


@login_required
@require_POST
def correct(request: HttpRequest, table: int) -> HttpResponse:
    """Begin a correction of a table, or go on with the one that is open."""
    the_table = get_object_or_404(Table.objects.select_related("event"), pk=table)
    require(request, Action.CORRECT, the_table)
    version = None
    if wanted := request.POST.get("version", ""):
        accepted = the_table.sheets.filter(state=Sheet.State.ACCEPTED)
        version = get_object_or_404(accepted, pk=int(wanted) if wanted.isdecimal() and len(wanted) < 19 else 0)
    return redirect("sheet", correction_of(the_table, from_version=version).pk)
