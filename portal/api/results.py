"""API endpoints to upload results with a key: a pairing program fills a draft, which people check and submit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from auditlog.context import set_actor
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Schema, Status
from ninja.errors import HttpError
from ninja.security import HttpBearer
from pydantic import Field

from portal.results.forms import EventForm
from ratings.access import Action, may_by_key
from ratings.domain.events.tables import save_event
from ratings.domain.results.file_submissions import ResultsFile, create_checked_submission
from ratings.domain.results.findings import CheckedSubmission, Finding
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import check_size
from ratings.domain.results.submitting import announce_event
from ratings.domain.site.acting import act_as
from ratings.domain.site.keys import valid_key
from ratings.formats.event_head import Head
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.models import ApiKey, Event, RatingList, Submission, use_full_names
from ratings.queries.events.events import find_time_zone, lists_of
from ratings.queries.players.candidate_questions import CandidateFacts, is_about_name, list_candidates
from ratings.time_zones import find_today

from . import page_schemas
from .events import router
from .problems import InvalidValuesError, get_by_public_id


class Key(HttpBearer):
    """API key in the header `Authorization: Bearer rk_…`; requests act as its owner, within its scopes."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        return valid_key(token)


BY_KEY: dict[str, Any] = {"auth": Key(), "tags": ["Uploading results"]}
FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@contextmanager
def as_owner(request: HttpRequest) -> Iterator[ApiKey]:
    """Act as the owner of the key: changes are recorded under their name, and players appear with their true names."""
    key: ApiKey = request.auth  # type: ignore[attr-defined] # set by Key
    with act_as(key.owner), set_actor(key.owner), use_full_names():
        yield key


def get_managed_event(key: ApiKey, public_id: str, action: Action) -> Event:
    event = get_by_public_id(Event.objects.all(), public_id, f"There is no event {public_id}.")
    if not may_by_key(key, action, event):
        raise PermissionDenied
    return event


@router.post("", response={201: page_schemas.Draft}, summary="Announce an event", **BY_KEY)
def new_event(request: HttpRequest, new: page_schemas.NewEvent) -> Status[page_schemas.Draft]:
    """Create a draft event that belongs to the key's owner; results can be sent to it."""
    with as_owner(request) as key:
        owner = key.owner
        if not may_by_key(key, Action.ORGANISE):
            raise PermissionDenied
        lists = RatingList.objects.filter(slug__in=new.lists, comparison_to=None)
        if unknown := set(new.lists) - {rating_list.slug for rating_list in lists}:
            raise InvalidValuesError({"lists": [f"There is no list “{slug}”." for slug in sorted(unknown)]})
        data: dict[str, Any] = new.model_dump() | {"lists": [rating_list.pk for rating_list in lists]}
        form = EventForm(data, instance=Event(created_by_id=owner.pk), user=owner)
        if not form.is_valid():
            raise InvalidValuesError(
                {field: [str(message) for message in texts] for field, texts in form.errors.items()}
            )
        event = save_event(form.save(commit=False), form.cleaned_data["lists"])
        if new.announce:
            announce_event(event)
        return Status(201, serialize_draft(event, owner))


class FileName(Schema):
    name: str = Field(
        "", max_length=200, pattern=r"^[^\x00]*$", description="Name of the file, kept beside the submission"
    )


@router.post(
    "/{public_id}/results",
    response={200: page_schemas.Submission, 201: page_schemas.Submission},
    summary="Upload results",
    openapi_extra=FILE,
    **BY_KEY,
)
def upload_results(request: HttpRequest, public_id: str, file: Query[FileName]) -> Status[page_schemas.Submission]:
    """Store the bytes of a file, in any format that the site reads, as results of the draft event.

    Errors in the file do not matter: they are reported and can be corrected on the site. Nothing is submitted or
    accepted. Status 200: the event already has results from the same bytes; the reply describes them. Status 422:
    nothing could be read, and nothing is stored.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > BYTES_AT_MOST:
        raise HttpError(413, "The file is too large: at most 2 MB.")
    with as_owner(request) as key:
        event = get_managed_event(key, public_id, Action.GIVE_RESULTS)
        today = find_today(find_time_zone(event))
        parsed = read_results_file(request.body, Head(event.name, event.start, event.end), today)
        if parsed.table is None or not parsed.table.rows:
            raise InvalidValuesError(
                {"file": [str(problem) for problem in parsed.problems.sorted_by_position()] or ["It is empty."]}
            )
        check_size(len(parsed.table.rows), parsed.table.rounds)
        submission, new = create_checked_submission(
            event, ResultsFile(file.name, request.body, parsed.format, parsed.table, parsed.problems)
        )
        return Status(201 if new else 200, serialize_submission(submission, key.owner))


@router.get("/{public_id}/draft", response=page_schemas.Draft, summary="How far an event is", **BY_KEY)
def draft(request: HttpRequest, public_id: str) -> page_schemas.Draft:
    """For its organisers and officers: its state, and what is still to be mended."""
    with as_owner(request) as key:
        return serialize_draft(get_managed_event(key, public_id, Action.SEE_EVENT), key.owner)


def serialize_draft(event: Event, owner: User) -> page_schemas.Draft:
    unaccepted = event.submissions.exclude(state__in=[Submission.State.ACCEPTED, Submission.State.DELETED])
    return page_schemas.Draft(
        id=event.public_id,
        name=event.name,
        state=event.state,
        start=event.start,
        end=event.end,
        lists=list(event.lists.order_by("pk").values_list("slug", flat=True)),
        sheets=[serialize_submission(submission, owner) for submission in unaccepted],
        url=f"{settings.SITE_ADDRESS}{reverse('organise_event', args=[event.public_id])}",
    )


def serialize_submission(submission: Submission, owner: User) -> page_schemas.Submission:
    checked = check_submission(submission, content_from_json(submission.content), owner)
    rows = [finding.row or 0 for finding in checked.findings if is_about_name(finding.message)]
    players = list_candidates(checked.candidates, rows)
    facts = CandidateFacts.read(players, lists_of(submission.event) if players else ())
    problems = [
        page_schemas.Finding(
            level=finding.level,
            message=finding.message,
            line=finding.line,
            row=finding.row,
            round=finding.round,
            candidates=serialize_candidates(finding, checked, facts),
        )
        for finding in checked.findings
    ]
    return page_schemas.Submission(
        id=submission.pk,
        name=submission.name,
        state=submission.state,
        first_day=submission.first_day,
        last_day=submission.last_day,
        ready=checked.ready,
        problems=problems,
        url=f"{settings.SITE_ADDRESS}{submission.get_absolute_url()}",
    )


def serialize_candidates(
    finding: Finding, checked: CheckedSubmission, facts: CandidateFacts
) -> list[page_schemas.NameCandidate]:
    """Return the players whom an unclear name may mean."""
    rows = [finding.row or 0] if is_about_name(finding.message) else []
    return [
        page_schemas.NameCandidate(id=player.public_id, description=facts.describe(player))
        for player in list_candidates(checked.candidates, rows)
    ]
