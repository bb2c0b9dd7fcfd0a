"""Giving results by key: a pairing program pushes an event into a draft, which people look at and submit."""

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
from django.utils import timezone
from ninja import Query, Schema, Status
from ninja.errors import HttpError
from ninja.security import HttpBearer
from pydantic import Field

from portal.organising import EventForm
from ratings.access import Action, may
from ratings.domain.acting import acting
from ratings.domain.checking import check_sheet
from ratings.domain.keys import owner_of
from ratings.domain.review import announce
from ratings.domain.sheets import sheet_of_file
from ratings.domain.tables import save_event
from ratings.formats.entered import content_of
from ratings.formats.head import Head
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.recognise import read
from ratings.models import Event, RatingList, Sheet, true_names

from . import schemas_more
from .events import router
from .problems import FaultyError, called


class Key(HttpBearer):
    """`Authorization: Bearer rk_…`; whoever made the key is who acts."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        return owner_of(token)


BY_KEY: dict[str, Any] = {"auth": Key(), "tags": ["Giving results"]}
FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@contextmanager
def as_owner(request: HttpRequest) -> Iterator[User]:
    """Whose key it is does what is done, as on his own pages: by his rights, under his name, with true names."""
    owner: User = request.auth  # type: ignore[attr-defined] # set by the key
    with acting(owner), set_actor(owner), true_names():
        yield owner


def managed(owner: User, public_id: str, action: Action) -> Event:
    event = called(Event.objects.all(), public_id, f"There is no event {public_id}.")
    if not may(owner, action, event):
        raise PermissionDenied
    return event


@router.post("", response={201: schemas_more.Draft}, summary="Announce an event", **BY_KEY)
def new_event(request: HttpRequest, new: schemas_more.NewEvent) -> Status[schemas_more.Draft]:
    """It becomes a draft of the key's owner, to which results can be given."""
    with as_owner(request) as owner:
        if not may(owner, Action.ORGANISE):
            raise PermissionDenied
        lists = RatingList.objects.filter(slug__in=new.lists, comparison_to=None)
        if missing := set(new.lists) - {one.slug for one in lists}:
            raise FaultyError({"lists": [f"There is no list “{slug}”." for slug in sorted(missing)]})
        data: dict[str, Any] = new.model_dump() | {"lists": [one.pk for one in lists]}
        form = EventForm(data, instance=Event(created_by_id=owner.pk), user=owner)
        if not form.is_valid():
            raise FaultyError({field: [str(told) for told in several] for field, several in form.errors.items()})
        event = save_event(form.save(commit=False), form.cleaned_data["lists"])
        if new.announce:
            announce(event)
        return Status(201, draft_of(event, owner))


class FileName(Schema):
    name: str = Field("", max_length=200, pattern=r"^[^\x00]*$", description="Name of the file, kept beside the sheet")


@router.post(
    "/{public_id}/results",
    response={200: schemas_more.Sheet, 201: schemas_more.Sheet},
    summary="Give results",
    openapi_extra=FILE,
    **BY_KEY,
)
def give_results(request: HttpRequest, public_id: str, file: Query[FileName]) -> Status[schemas_more.Sheet]:
    """The bytes of a file in any format that the site reads: they become a sheet of the draft, whatever is wrong with
    them. Nothing is submitted or accepted by this way. 200: the event has a sheet of these very bytes already, and this
    is it. 422: nothing could be read, and nothing is kept.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > BYTES_AT_MOST:
        raise HttpError(413, "The file is too large: at most 2 MB.")
    with as_owner(request) as owner:
        event = managed(owner, public_id, Action.GIVE_RESULTS)
        found = read(request.body, Head(event.name, event.start, event.end), timezone.now().date())
        if found.table is None or not found.table.rows:
            raise FaultyError({"file": [str(problem) for problem in found.problems.in_order()] or ["It is empty."]})
        sheet, new = sheet_of_file(
            event, found.table, found.problems, file_name=file.name, form=found.form, data=request.body
        )
        return Status(201 if new else 200, shown_sheet(sheet, owner))


@router.get("/{public_id}/draft", response=schemas_more.Draft, summary="How far an event is", **BY_KEY)
def draft(request: HttpRequest, public_id: str) -> schemas_more.Draft:
    """For its organisers and officers: its state, and what is still to be mended."""
    with as_owner(request) as owner:
        return draft_of(managed(owner, public_id, Action.SEE_EVENT), owner)


def draft_of(event: Event, owner: User) -> schemas_more.Draft:
    on_the_way = event.sheets.exclude(state=Sheet.State.ACCEPTED)
    return schemas_more.Draft(
        id=event.public_id, name=event.name, state=event.state, start=event.start, end=event.end,
        lists=list(event.lists.order_by("pk").values_list("slug", flat=True)),
        sheets=[shown_sheet(sheet, owner) for sheet in on_the_way],
        url=f"{settings.SITE_ADDRESS}{reverse('organise_event', args=[event.public_id])}",
    )  # fmt: skip


def shown_sheet(sheet: Sheet, owner: User) -> schemas_more.Sheet:
    checked = check_sheet(sheet, content_of(sheet.content), owner)
    problems = [
        schemas_more.Finding(level=one.level, message=one.message, line=one.line, row=one.row, round=one.round)
        for one in checked.findings
    ]
    return schemas_more.Sheet(
        id=sheet.pk, name=sheet.name, state=sheet.state, first_day=sheet.first_day, last_day=sheet.last_day,
        ready=checked.ready, problems=problems, url=f"{settings.SITE_ADDRESS}{sheet.get_absolute_url()}",
    )  # fmt: skip
