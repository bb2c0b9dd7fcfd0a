"""The officer's desk: what waits, previews and acceptance of several submissions, reminders, search over all events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from portal.results.desk_lines import (
    Choice,
    WaitingLine,
    add_up,
    count_choices,
    describe_desk,
    find_choice,
    find_closing_day,
    read_waiting_lines,
)
from portal.site.offline import build_worker, cache_offline
from portal.site.views.access import require, sign_in_required
from portal.templatetags.portal_format import colon
from ratings.access import Action, is_appointed_officer, is_officer, may
from ratings.domain.grades.grade_approval import is_own
from ratings.domain.results.accepting import accept, preview_events
from ratings.domain.results.reminding import remind_organisers
from ratings.domain.results.steps import check_unchanged
from ratings.domain.site.acting import acting_user
from ratings.localize import join_parts
from ratings.models import Event
from ratings.queries.grades.awards import open_questions
from ratings.queries.lists.lists import public_lists
from ratings.queries.results.desk import (
    LATELY,
    accepted_lately,
    count_changed_ratings,
    count_officer_work,
    find_events,
    find_last_step,
    late_events_of_officer,
)
from ratings.queries.results.workflow import list_time_zones_of, officer_lists
from ratings.time_zones import activate_zone

from .organise import get_managed_event

PER_PAGE = 50
PATIENCE = 10_000
"""Milliseconds after which a copy of a page is shown, although the server may still answer."""
ACCEPTED, MAX_DIGITS = "accepted", 3
"""Name in the address of the desk with the number of events that were accepted together, and its longest value."""


@sign_in_required
def start(request: HttpRequest) -> HttpResponse:
    """Redirect a user to the page of their role.

    An administrator sets up the portal while no list is public; later, one who is no officer sees its health.
    """
    user = request.user
    if may(user, Action.SET_UP) and not public_lists().exists():
        return redirect("setup")
    if may(user, Action.SET_UP) and not is_appointed_officer(user):
        return redirect("site_health")
    if is_officer(user):
        return redirect("desk")
    if may(user, Action.ORGANISE):
        return redirect("organise")
    return redirect("approvals" if may(user, Action.SEE_APPROVALS) else "me")


@require_safe
def organise_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of the desks, of the page for files, and of the pages of names."""
    return build_worker(r"^(desk/|files/|files/\d+/people/|sheets/\d+/people/)?$", PATIENCE, is_owned=True)


@sign_in_required
@cache_offline
def desk(request: HttpRequest) -> HttpResponse:
    require(request, Action.KEEP_PLAYERS)
    return render_desk(request)


def render_desk(
    request: HttpRequest, status: int = 200, chosen: Sequence[str] | None = None, accepted_now: int = 0
) -> HttpResponse:
    """Show the desk.

    `chosen` are the public ids of the events that stay chosen, None for those that the address names; `accepted_now`
    is the number of events that were accepted by this request.
    """
    user = acting_user()
    assert user is not None
    activate_zone(list_time_zones_of(user))
    lines, closing = read_waiting_lines(user), find_closing_day(officer_lists(user))
    accepted = list(accepted_lately(user, max(LATELY, accepted_now, _read_accepted(request))))
    changed = count_changed_ratings(accepted)
    choice = find_choice(request, lines) if chosen is None else Choice("", chosen)
    context = {
        "lines": lines,
        "choice": choice,
        "choices": count_choices(lines),
        "clean": sum(line.is_clean for line in lines),
        "lede": describe_desk(lines, closing, None if lines else find_last_step(user)),
        "closing": closing,
        "late": late_events_of_officer(user, timezone.localdate()),
        "accepted": [(event, changed.get(event.pk, 0)) for event in accepted],
        "counts": count_officer_work(user),
        "approver_questions": [
            question for question in open_questions(officer_lists(user)) if not is_own(question.case.player, user)
        ],
        "states": EVENT_STATES,
    }
    return render(request, "results/desk.html", context, status=status)


EVENT_STATES = [(value, label) for value, label in Event.State.choices if value != Event.State.DELETED]


@sign_in_required
@require_POST
def accept_several(request: HttpRequest) -> HttpResponse:
    """Ask whether to accept the chosen events, with the sum of their changes; then accept each in its own transaction.

    An event that cannot be accepted, or has changed since the page was opened, is named; the others are accepted.
    """
    require(request, Action.KEEP_PLAYERS)
    lines, versions = read_chosen_lines(request)
    if not lines:
        return refuse_empty_choice(request)
    if "confirmed" not in request.POST:
        rows = [(line, versions[line.event.public_id]) for line in lines]
        return render(request, "results/accept_several.html", {"rows": rows, "totals": add_up(lines)})
    failed = _accept_lines(request, lines, versions)
    if failed:
        return render_desk(request, 422, failed, len(lines) - len(failed))
    return redirect(reverse("desk", query={ACCEPTED: len(lines)}) if len(lines) > LATELY else "desk")


@sign_in_required
@require_POST
def preview_several(request: HttpRequest) -> HttpResponse:
    """Show what accepting the chosen events together would do to the lists; nothing is stored."""
    require(request, Action.KEEP_PLAYERS)
    lines, versions = read_chosen_lines(request)
    if not lines:
        return refuse_empty_choice(request)
    try:
        previews = preview_events([(line.event, line.event.submitted) for line in lines])
    except ValidationError as error:
        for problem in error.messages:
            messages.error(request, problem)
        return render_desk(request, 422, [line.event.public_id for line in lines])
    rows = [(line, versions[line.event.public_id]) for line in lines]
    return render(request, "results/preview_several.html", {"rows": rows, "previews": previews})


def read_chosen_lines(request: HttpRequest) -> tuple[list[WaitingLine], dict[str, str]]:
    """Return the chosen events that still wait for the officer, and the version that the page has shown of each."""
    chosen = request.POST.getlist("event")
    lines = [line for line in read_waiting_lines(request.user) if line.event.public_id in chosen]
    versions = {line.event.public_id: request.POST.get(f"version-{line.event.public_id}", "") for line in lines}
    return lines, versions


def refuse_empty_choice(request: HttpRequest) -> HttpResponse:
    """Show the desk with the notice that no event was chosen, or that none of the chosen ones waits."""
    chosen = request.POST.getlist("event")
    text = _("Nothing was done: the chosen events no longer wait.") if chosen else _("Choose at least one event.")
    messages.warning(request, text)
    return render_desk(request, 422, [])


def _accept_lines(request: HttpRequest, lines: Sequence[WaitingLine], versions: dict[str, str]) -> list[str]:
    """Accept events one by one; return the public ids of those that could not be accepted."""
    accepted: list[Event] = []
    failed = []
    for line in lines:
        event = line.event
        try:
            with transaction.atomic():
                check_unchanged(event, versions[event.public_id])
                require(request, Action.REVIEW, event)
                accept(event, accepted_now=accepted)
        except ValidationError as error:
            messages.error(request, f"{colon(event)} {' '.join(error.messages)}")
            failed.append(event.public_id)
        else:
            accepted.append(event)
    if accepted:
        text = _(
            "Accepted: %(events)s. The lists are being rated again. Each can be undone in the table “Accepted lately”."
        )
        messages.success(request, text % {"events": join_parts(accepted)})
    return failed


def _read_accepted(request: HttpRequest) -> int:
    """Return the number of events that were accepted together, as the address names it; 0 for any other text."""
    text = request.GET.get(ACCEPTED, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else 0


@sign_in_required
@require_POST
def remind(request: HttpRequest, public_id: str) -> HttpResponse:
    """Remind the organisers of an event of its late results."""
    event = get_managed_event(request, public_id)
    require(request, Action.REVIEW, event)
    try:
        remind_organisers(event)
    except ValidationError as error:
        messages.error(request, f"{colon(event)} {' '.join(error.messages)}")
    else:
        messages.success(request, _("%(event)s: the organisers receive an email.") % {"event": event})
    return redirect("desk")


@sign_in_required
def all_events(request: HttpRequest) -> HttpResponse:
    """Search all events of an officer's lists, in any state."""
    require(request, Action.KEEP_PLAYERS)
    text, state = request.GET.get("q", "").strip(), request.GET.get("state", "")
    state = state if state in dict(EVENT_STATES) else ""
    page = Paginator(find_events(request.user, text, state), PER_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"page": page, "text": text, "state": state, "states": EVENT_STATES}
    return render(request, "results/all_events.html", context)
