from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.organising import EventForm, ShareForm, UploadForm
from ratings.access import is_officer, may_change_event, may_correct, may_organise, may_see_event
from ratings.domain.customs import broken_customs
from ratings.domain.review import accept, announce, preview_event, return_, submit
from ratings.domain.sheets import blank_sheet, correction_of, sheet_of_file
from ratings.domain.tables import save_event
from ratings.formats.head import Head
from ratings.formats.recognise import read
from ratings.models import Event, Sheet, Table
from ratings.queries.organising import events_of, open_reports, sheets_of, shown_steps, waiting_events
from ratings.queries.seats import seated_in


@login_required
def my_events(request: HttpRequest) -> HttpResponse:
    if not may_organise(request.user):
        raise PermissionDenied
    context = {"events": events_of(request.user), "officer": is_officer(request.user)}
    return render(request, "portal/organise/events.html", context)


@login_required
def queue(request: HttpRequest) -> HttpResponse:
    if not is_officer(request.user):
        raise PermissionDenied
    return render(request, "portal/organise/queue.html", {"waiting": waiting_events(), "reports": open_reports()})


@login_required
def new_event(request: HttpRequest) -> HttpResponse:
    if not may_organise(request.user):
        raise PermissionDenied
    form = EventForm(request.POST or None, instance=Event(created_by_id=request.user.pk))
    if request.method == "POST" and form.is_valid():
        event = save_event(form.save(commit=False), form.cleaned_data["lists"])
        if "announce" in request.POST:
            announce(event)
        return redirect("organise_event", event.public_id)
    return render(request, "portal/organise/event_form.html", {"form": form})


@login_required
def edit_event(request: HttpRequest, public_id: str) -> HttpResponse:
    event = managed(request, public_id)
    if not may_change_event(request.user, event):
        raise PermissionDenied
    form = EventForm(request.POST or None, instance=event)
    if request.method == "POST" and form.is_valid():
        save_event(form.save(commit=False), form.cleaned_data["lists"])
        return redirect("organise_event", event.public_id)
    return render(request, "portal/organise/event_form.html", {"form": form, "event": event})


def managed(request: HttpRequest, public_id: str) -> Event:
    """An event for those who may manage it; to others it is not there."""
    event: Event = get_object_or_404(Event, public_id=public_id)
    if not may_see_event(request.user, event):
        raise PermissionDenied
    return event


@login_required
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    the_event = managed(request, public_id)
    return shown_event(request, the_event)


def shown_event(request: HttpRequest, event: Event, status: int = 200, **more: object) -> HttpResponse:
    sheets = sheets_of(event)
    open_ = any(sheet.is_open for sheet in sheets)
    context = {
        "event": event,
        "may_submit": open_ and (may_change_event(request.user, event) or may_correct(request.user, event)),
        "waiting": any(sheet.state == Sheet.State.SUBMITTED for sheet in sheets),
        "sheets": [sheet for sheet in sheets if sheet.state != Sheet.State.ACCEPTED],
        "versions": [sheet for sheet in sheets if sheet.state == Sheet.State.ACCEPTED],
        "tables": event.tables.all(),
        "steps": shown_steps(event),
        "customs": broken_customs(event) if event.state != Event.State.ACCEPTED else [],
        "officer": (officer := is_officer(request.user)),
        "seated": seated_in(event) if officer and event.state == Event.State.ACCEPTED else [],
        "may_change": may_change_event(request.user, event) and event.is_open,
        "may_edit": may_change_event(request.user, event),
        "may_correct": may_correct(request.user, event),
        "upload": UploadForm(),
        "share": ShareForm(),
    }
    return render(request, "portal/organise/event.html", context | more, status=status)


@login_required
@require_POST
def act(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Announce, submit, return or accept an event, each by those who may."""
    the_event = managed(request, public_id)
    officer = is_officer(request.user)
    allowed = {
        "announce": may_change_event(request.user, the_event),
        "submit": may_change_event(request.user, the_event) or may_correct(request.user, the_event),
        "return": officer,
        "accept": officer,
    }
    if not allowed[what]:
        raise PermissionDenied
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
    if not may_change_event(request.user, the_event) or not the_event.is_open:
        raise PermissionDenied
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
    sheet = sheet_of_file(the_event, found.table, found.problems, file_name=name, form=found.form, data=data)
    return redirect("sheet", sheet.pk)


@login_required
@require_POST
def share(request: HttpRequest, public_id: str) -> HttpResponse:
    the_event = managed(request, public_id)
    if not may_change_event(request.user, the_event):
        raise PermissionDenied
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
    if not may_correct(request.user, the_table.event):
        raise PermissionDenied
    version = None
    if request.POST.get("version"):
        version = get_object_or_404(the_table.sheets, pk=request.POST["version"], state=Sheet.State.ACCEPTED)
    return redirect("sheet", correction_of(the_table, from_version=version).pk)
