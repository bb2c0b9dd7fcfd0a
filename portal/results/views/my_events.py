"""An organiser's desk, My events: what to do next, and all events by stage."""

from collections import Counter
from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.results.batch_forms import FilesForm
from portal.results.desk_lines import describe_empty_desk, find_closing_day
from portal.results.entry_tasks import list_entry_tasks, list_templates
from portal.results.event_rows import build_rows
from portal.results.event_stages import Stage, describe_stages
from portal.results.hall_links import list_desk_links
from portal.results.officer_reminders import build_waiting_events
from portal.results.organiser_tasks import (
    build_lines,
    choose_first_tasks,
    describe_next_start,
    find_due_lines,
    has_begun,
    list_events_to_type,
    list_tasks,
    read_halls_of_today,
    sort_tasks,
)
from portal.site.offline import cache_offline
from portal.site.views.access import require, sign_in_required
from portal.templatetags.portal_format import colon
from ratings.access import Action
from ratings.domain.results.reminding import remind_officers as send_reminder
from ratings.models import Event, HallLink, RatingList
from ratings.queries.events.entry_counts import read_entry_counts
from ratings.queries.events.events import list_time_zones
from ratings.queries.results.batches import batches_of
from ratings.queries.results.desk import find_last_step
from ratings.queries.results.event_figures import read_event_figures
from ratings.queries.results.season import read_season
from ratings.queries.results.workflow import (
    deleted_events_of,
    events_of,
    returned_notes,
)
from ratings.time_zones import activate_zone

from .organise import get_managed_event

EVENTS_PER_PAGE = 25
ENDED_LINK = "ended"
"""Name in the address with the key of a link for helpers that was revoked on this page."""


@sign_in_required
@cache_offline
def my_events(request: HttpRequest) -> HttpResponse:
    """Show an organiser's desk: what to do next, and the events of one stage or of all."""
    require(request, Action.ORGANISE)
    events = list(events_of(request.user))
    activate_zone(list_time_zones(events))
    now = timezone.localtime()
    today = now.date()
    lines = build_lines(events, today)
    halls = read_halls_of_today(lines)
    stages = Counter(line.stage for line in lines)
    chosen = request.GET.get("stage", "")
    chosen = chosen if chosen in stages else ""
    shown = [line for line in lines if chosen in ("", line.stage)]
    entries = read_entry_counts(line.event for line in lines)
    page = Paginator(shown, EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    due = find_due_lines(lines, today)
    figures = read_event_figures({line.event.pk: line.event for line in [*page.object_list, *due]}.values())
    tasks = list_tasks(due, returned_notes([line.event for line in lines]), halls, figures, today)
    not_begun = [task.event for task in tasks if not has_begun(halls.get(task.event.pk))]
    tasks = sort_tasks([*tasks, *list_entry_tasks(lines, entries, today)])
    context = {
        "tasks": tasks if request.GET.get("tasks") == "all" else choose_first_tasks(tasks),
        "number_of_tasks": len(tasks),
        "next_start": describe_next_start(not_begun, now),
        "empty_note": "" if tasks else _describe_empty_desk(request, [line.event.pk for line in lines]),
        "templates": list_templates(lines, entries),
        "page": page,
        "rows": build_rows(list(page.object_list), entries, halls, figures, today),
        "stages": [(stage, name, stages[stage]) for stage, name in describe_stages().items() if stages[stage]],
        "chosen": chosen,
        "total": len(lines),
        "with_officer": build_waiting_events(
            [line.event for line in lines if line.stage == Stage.SUBMITTED], timezone.now()
        ),
        "typing": list_events_to_type(lines, today),
        "season": read_season([line.event for line in lines], today.year),
        "helpers": list_desk_links(line.event for line in lines),
        "ended_link": find_ended_link(request, [line.event for line in lines]),
        "deleted": deleted_events_of(request.user),
        "form": FilesForm(),
        "batches": batches_of(request.user)[:3],
        "number_of_batches": batches_of(request.user).count(),
    }
    return render(request, "results/my_events.html", context)


def _describe_empty_desk(request: HttpRequest, events: Sequence[int]) -> str:
    """Return the organiser's last step and the next closing day of the lists of some events, in sentences."""
    closing = find_closing_day(RatingList.objects.filter(events__in=events, comparison_to=None).distinct())
    return " ".join(describe_empty_desk(closing, find_last_step(request.user)))


@sign_in_required
@require_POST
def remind_officers(request: HttpRequest, public_id: str) -> HttpResponse:
    """Remind the officers of an event of its waiting results."""
    event = get_managed_event(request, public_id)
    require(request, Action.REMIND_OFFICERS, event)
    try:
        send_reminder(event)
    except ValidationError as error:
        messages.error(request, f"{colon(event)} {' '.join(error.messages)}")
    else:
        messages.success(request, _("%(event)s: the officers receive an email.") % {"event": event})
    return redirect("organise")


def find_ended_link(request: HttpRequest, events: Sequence[Event]) -> HallLink | None:
    """Return the link that the organiser has just ended on this page, while it can be restored."""
    key = request.GET.get(ENDED_LINK, "")
    links = HallLink.objects.filter(hall__event__in=[event.pk for event in events if event.is_open])
    return links.filter(key=key, expires_at__gt=timezone.now()).exclude(revoked_at=None).first() if key else None
