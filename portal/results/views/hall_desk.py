"""Pages of organisers for the hall: players, pairings, links for helpers, and the way to the draft results."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from portal.charts.qr import make_code
from portal.results.forms import InviteForm, PairingsForm, RoundsForm
from portal.results.hall_devices import find_access, remember_device
from portal.results.hall_links import describe_helpers, write_link
from portal.site.views.access import require, sign_in_required
from ratings.access import Action
from ratings.domain.results.hall.halls import (
    add_people,
    change_people,
    people_version,
    read_names,
    set_rounds,
    start_hall,
)
from ratings.domain.results.hall.links import make_link, remove_helper, restore_helper, restore_link, revoke_link
from ratings.domain.results.hall.pairing import find_seats, save_file_pairings, save_typed_pairings, write_pairings
from ratings.domain.results.hall.sheets import make_submission
from ratings.domain.results.people import count_open_names
from ratings.domain.site.acting import acting_user
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.localize import translate_message
from ratings.models import Event, Hall, HallLink
from ratings.queries.events.entry_templates import read_entered_rows
from ratings.queries.results.halls import Person, people_of, read_hall

from .hall import REFUSED, wants_json
from .my_events import ENDED_LINK
from .organise import get_managed_event

PROBLEMS_AT_MOST = 20
DESK = "desk"
"""Field of the forms on My events, to which they lead back."""
HELPER_BUTTONS = {"remove", "readmit"}
"""Buttons of one helper, whose values are the key of the link and the id of the device, divided by a colon."""
LINK_BUTTONS = {*HELPER_BUTTONS, "revoke", "restore"}


@sign_in_required
def hall_players(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter the players and the number of rounds; the first time this starts the hall."""
    event = get_managed_event(request, public_id)
    require(request, Action.GIVE_RESULTS, event)
    hall = Hall.objects.filter(event=event).first()
    initial = {"rounds": hall.rounds} if hall else {"rounds": event.rounds or 5, "names": write_entered_names(event)}
    form = RoundsForm(request.POST or None, initial=initial)
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            hall = save_players(request, event, form.cleaned_data["rounds"], form.cleaned_data["names"])
        except ValidationError as error:
            problems = error.messages
        else:
            messages.success(request, _("Saved."))
            return redirect("hall_players" if "stay" in request.POST else "hall", public_id)
    people = list(people_of(hall).values()) if hall else []
    people = [read_person(request, person) for person in people] if problems else people
    context: dict[str, Any] = {"event": event, "hall": hall, "form": form, "people": people, "problems": problems}
    context["people_version"] = people_version(hall) if hall else ""
    return render(request, "results/hall_players.html", context, status=422 if problems or form.errors else 200)


def write_entered_names(event: Event) -> str:
    """Return the entered players of an event as the form takes them, one per line."""
    return "\n".join(f"{row.family}, {row.given}, {row.country}" for row in read_entered_rows(event))


def read_person(request: HttpRequest, person: Person) -> Person:
    """Return a person with the names of the posted form."""
    texts = [
        request.POST.get(f"{name}-{person.id}", getattr(person, name)).strip()
        for name in ("family", "given", "country")
    ]
    return Person(person.id, texts[0], texts[1], texts[2].upper(), person.player)


@transaction.atomic
def save_players(request: HttpRequest, event: Event, rounds: int, names: str) -> Hall:
    """Save everything on the page of players, or nothing if anything is invalid."""
    new = read_names(names)
    hall = start_hall(event, rounds)
    if hall.rounds != rounds:
        set_rounds(hall, rounds)
    stored = people_of(hall)
    entered = {id: read_person(request, person) for id, person in stored.items()}
    changes: dict[int, Person | None] = {id: person for id, person in entered.items() if person != stored[id]}
    changes |= {id: None for id in stored if f"remove-{id}" in request.POST}
    if changes:
        change_people(hall, changes, request.POST.get("people_version", ""))
    if new:
        add_people(hall, new)
    return hall


def get_hall(request: HttpRequest, public_id: str) -> Hall:
    """Return the hall of an event that the user may enter results for; raise Http404 if it was not started."""
    event = get_managed_event(request, public_id)
    require(request, Action.GIVE_RESULTS, event)
    return get_object_or_404(Hall.objects.select_related("event"), event=event)


@sign_in_required
def hall_pairings(request: HttpRequest, public_id: str, round: int) -> HttpResponse:
    """Type the pairings of a round, or read them from a file of a pairing program; scripts get the answer as JSON."""
    hall = get_hall(request, public_id)
    state = read_hall(hall)
    shown = next((each for each in state.rounds if each.number == round), None)
    if shown is None:
        raise Http404
    written = write_pairings(state.people, [board.board for board in shown.boards])
    form = PairingsForm(request.POST or None, request.FILES or None, initial={"pairings": written})
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_pairings(request, hall, round, form)
        except ValidationError as error:
            problems = error.messages[:PROBLEMS_AT_MOST]
        else:
            if wants_json(request):
                response: HttpResponse = JsonResponse({"stored": True, "boards": describe_seats(hall, round, form)})
            else:
                response = redirect(f"{reverse('hall', args=[public_id])}?round={saved}")
            if device := find_access(request, hall.event).device:
                remember_device(response, hall.event, device)
            return response
    if request.method == "POST" and wants_json(request):
        errors = [str(text) for field in form.errors.values() for text in field]
        answer = {"problem": " ".join([*problems, *errors]), "boards": describe_seats(hall, round, form)}
        return JsonResponse(answer, status=REFUSED)
    context: dict[str, Any] = {"event": hall.event, "hall": hall, "round": round, "form": form, "problems": problems}
    context |= {"people": state.people.values(), "has_boards": bool(shown.boards)}
    return render(request, "results/hall_pairings.html", context, status=422 if problems or form.errors else 200)


def describe_seats(hall: Hall, round_: int, form: PairingsForm) -> list[dict[str, Any] | None]:
    """Return which board each typed line is, for results that wait on a phone for their pairings."""
    seats = find_seats(hall, round_, form.cleaned_data.get("pairings", ""))
    return [{"board": seat.board, "swapped": seat.is_swapped} if seat else None for seat in seats]


def save_pairings(request: HttpRequest, hall: Hall, round_: int, form: PairingsForm) -> int:
    """Save the pairings of a form, and return the round to show."""
    file = form.cleaned_data["file"]
    if not file:
        save_typed_pairings(hall, round_, form.cleaned_data["pairings"], replaces="unpaired" not in request.POST)
        return round_
    event = hall.event
    result = read_results_file(file.read(), Head(event.name, event.start, event.end), timezone.localdate())
    if result.table is None or not result.table.rows:
        raise ValidationError(
            [_("No pairings could be read from %(file)s.") % {"file": file.name}]
            + [translate_message(problem.message) for problem in result.problems.sorted_by_position()]
        )
    device = find_access(request, event).device
    assert device is not None
    return save_file_pairings(hall, result.table, device)


@sign_in_required
def hall_links(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the links for helpers; make a link, revoke one or restore it, remove one helper or take them back."""
    hall = get_hall(request, public_id)
    if request.method != "POST":
        return render_links(request, hall)
    form = InviteForm(request.POST)
    if not LINK_BUTTONS & request.POST.keys() and not form.is_valid():
        return render_links(request, hall, 422, invite=form)
    try:
        return change_links(request, hall, form)
    except ValidationError as error:
        return render_links(request, hall, 422, invite=form, problems=error.messages)


def change_links(request: HttpRequest, hall: Hall, form: InviteForm) -> HttpResponse:
    """Do what the button of a link says, or make a link from the form, which is valid."""
    if HELPER_BUTTONS & request.POST.keys():
        return change_helper(request, hall)
    if revoked := request.POST.get("revoke"):
        revoke_link(get_object_or_404(HallLink, hall=hall, key=revoked))
        if DESK in request.POST:
            return redirect(f"{reverse('organise')}?{urlencode({ENDED_LINK: revoked})}")
        messages.success(request, _("The link was revoked. Results that were sent by it stay."))
        return redirect("hall_links", hall.event.public_id)
    if restored := request.POST.get("restore"):
        link = get_object_or_404(HallLink, hall=hall, key=restored)
        restore_link(link)
        messages.success(request, _("The link works again."))
        if DESK in request.POST:
            return redirect("organise")
    else:
        link = make_link(hall, form.cleaned_data["label"], form.find_end(hall))
    return redirect("hall_link", hall.event.public_id, link.key)


def change_helper(request: HttpRequest, hall: Hall) -> HttpResponse:
    """Remove one helper from a link, or let a removed one send results again.

    Raise Http404 for an unknown link, and ValidationError for an unknown helper.
    """
    button = "remove" if "remove" in request.POST else "readmit"
    key, _colon, device = request.POST[button].partition(":")
    link = get_object_or_404(HallLink, hall=hall, key=key)
    if button == "remove":
        name = remove_helper(link, device)
        text = _("%(name)s was removed and can no longer send results. Results that were sent stay. You can undo this.")
    else:
        name, text = restore_helper(link, device), _("%(name)s can send results again.")
    messages.success(request, text % {"name": name})
    return redirect("hall_links", hall.event.public_id)


def render_links(request: HttpRequest, hall: Hall, status: int = 200, **more: Any) -> HttpResponse:
    context = {"event": hall.event, "hall": hall, "is_open": hall.event.is_open, "is_hall": True}
    return render(request, "results/hall_links.html", context | describe_helpers(hall) | more, status=status)


@sign_in_required
@require_safe
def hall_link(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    """Show a link with its QR code, for the phone of a helper or, printed, for the wall."""
    hall = get_hall(request, public_id)
    line = write_link(get_object_or_404(HallLink, hall=hall, key=key))
    address = request.build_absolute_uri(reverse("hall_join", args=[line.token]))
    context: dict[str, Any] = {"event": hall.event, "hall": hall, "line": line, "address": address, "is_hall": True}
    if line.link.is_valid() and hall.event.is_open:
        context["qr"] = make_code(address)
    return render(request, "results/hall_link.html", context)


@sign_in_required
@require_POST
def hall_submit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Make draft results from the hall; they are checked and submitted like all others."""
    hall = get_hall(request, public_id)
    try:
        submission = make_submission(hall)
    except ValidationError as error:
        for text in error.messages:
            messages.error(request, text)
        return redirect("hall", public_id)
    messages.success(request, _("The results of the hall are draft results now: check them, then submit them."))
    has_open_names = count_open_names(submission, content_from_json(submission.content), acting_user()) > 0
    return redirect("people" if has_open_names else "submission", submission.pk)
