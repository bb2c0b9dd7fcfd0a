"""The queue of submissions that wait for an officer."""

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from portal.results.desk_lines import describe_desk, find_closing_day, read_waiting_lines
from portal.site.views.access import require, sign_in_required
from ratings.access import Action
from ratings.domain.events.event_requirements import find_unmet_requirements
from ratings.domain.results.accepting import preview_event
from ratings.domain.results.descriptions import list_confirmed_warnings
from ratings.domain.results.waiting_records import list_waiting_records
from ratings.models import Submission
from ratings.queries.players.claims import open_claims
from ratings.queries.results.desk import count_officer_work, late_events_of_officer
from ratings.queries.results.workflow import list_time_zones_of, officer_lists, open_reports
from ratings.time_zones import activate_zone

MAX_FILES = 100
"""Maximum number of files with records of histories that the queue names."""


@sign_in_required
def queue(request: HttpRequest) -> HttpResponse:
    """Show the submissions that wait for an officer, each with its figures and questions; preview one of them."""
    require(request, Action.KEEP_PLAYERS)
    activate_zone(list_time_zones_of(request.user))
    lines = read_waiting_lines(request.user)
    previewed = next((line.event for line in lines if line.event.public_id == request.GET.get("preview")), None)
    warnings = list_confirmed_warnings(one for line in lines for one in line.event.submitted)
    files = list_waiting_records(request.user)
    context: dict[str, object] = {
        "waiting": [
            (line.event, find_unmet_requirements(line.event), line, warnings.get(line.event.pk, [])) for line in lines
        ],
        "lines": lines,
        "lede": describe_desk(lines, find_closing_day(officer_lists(request.user))),
        "counts": count_officer_work(request.user),
        "late": late_events_of_officer(request.user, timezone.localdate()),
        "reports": open_reports(),
        "claims": open_claims().count(),
        "history_files": files[:MAX_FILES],
        "more_files": max(0, len(files) - MAX_FILES),
        "shown": previewed,
    }
    if previewed:
        try:
            context["previews"] = preview_event(
                previewed, previewed.submissions.filter(state=Submission.State.SUBMITTED)
            )
        except ValidationError as error:
            context["problems"] = error.messages
    return render(request, "results/queue.html", context)
