"""API endpoints for pairing programs: the protocol of the program pairgoth, with one secret for each event.

The program is always the client, so it can run behind a router. A reply has `status` (true or false), and a `message`
on errors. Requests can be repeated safely.
"""

from __future__ import annotations

from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from ninja.security import APIKeyHeader
from pydantic import Field

from portal.events.roster_files import roster_response
from portal.lists.list_writers import TYPES
from ratings.domain.events.pairing_programs import find_pairing_secret, store_pairing_page
from ratings.formats.html_tables import HTML_AT_MOST
from ratings.models import Event, PairingPage, PairingSecret
from ratings.queries.events.events import lists_of
from ratings.queries.events.pairing_pages import describe_for_pairgoth
from ratings.queries.events.rosters import Roster, read_roster

from .players import OnList

router = Router(tags=["Pairing programs"])
SECRET_HEADER = "X-Pairgoth-Secret"  # noqa: S105 - the name of a header
HTML = {
    "requestBody": {"required": True, "content": {"text/html": {"schema": {"type": "string"}}}},
}
FILE_CONTENT = {type: {"schema": {"type": "string", "format": "binary"}} for type in dict.fromkeys(TYPES.values())}
FILE_CONTENT["application/json"] = {"schema": {"type": "object"}}
FILE_REPLY = {"responses": {200: {"description": "The file", "content": FILE_CONTENT}}}


class PairingError(Exception):
    """A request of a pairing program that is refused, with a status of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class EventSecret(APIKeyHeader):
    """Secret of an event in the header `X-Pairgoth-Secret`; organisers create it on the page of their event."""

    param_name = SECRET_HEADER

    def authenticate(self, request: HttpRequest, key: str | None) -> PairingSecret:
        found = find_pairing_secret(key) if key else None
        if found is None:
            raise PairingError(401, "Invalid or revoked secret. Create a new one on the page of the event.")
        return found


SECRET = EventSecret()


class PairingReply(Schema):
    """Result of a request."""

    status: bool
    message: str = Field("", description="What is wrong, or what was done")


class PairingPlayer(Schema):
    """An entered player, as pairgoth reads them."""

    id: int = Field(description="Number of the entry; it stays when the entry is matched with another player")
    lastname: str
    firstname: str
    country: str = Field(description="Two letters; UK for Britain; empty if unknown")
    club: str = Field(description="At most four letters or digits")
    rank: str = Field(examples=["5k"])
    rating: int | None = Field(
        None, description="On the list valid on the first day; of go on the scale of the European Go Database"
    )
    pin: str | None = Field(None, description="Confirmed PIN of the European Go Database")


class PairingPlayers(Schema):
    """The entered players of an event."""

    status: bool
    players: list[PairingPlayer]


def refuse_request(request: HttpRequest, error: PairingError) -> HttpResponse:
    """Return an error as pairing programs read it."""
    response = JsonResponse({"status": False, "message": str(error)}, status=error.status)
    if error.status == 401:
        response["WWW-Authenticate"] = SECRET_HEADER
    return response


def get_event(request: HttpRequest, code: str) -> Event:
    """Return the event of the secret; raise PairingError for another code, or if its results have been submitted."""
    secret: PairingSecret = request.auth  # type: ignore[attr-defined] # set by EventSecret
    if code.casefold() != secret.event.public_id.casefold():
        raise PairingError(404, f"This secret does not belong to event {code[:20]}.")
    if not secret.event.is_open:
        raise PairingError(422, "The results of this event have been submitted. The secret can no longer be used.")
    return secret.event


@router.get("/health", auth=SECRET, response=PairingReply, summary="Check the connection")
def pairing_health(request: HttpRequest) -> PairingReply:
    """Return status true if the secret is valid."""
    return PairingReply(status=True, message="ok")


@router.get(
    "/players/{code}",
    auth=SECRET,
    response=PairingPlayers,
    exclude_none=True,
    summary="The entered players, as pairgoth reads them",
)
def pairing_players(request: HttpRequest, code: str) -> dict[str, Any]:
    """Return the confirmed players with their full names, highest rating first."""
    event = get_event(request, code)
    lists = lists_of(event)
    roster = read_roster(event, lists[0] if lists else None, timezone.localdate(), public=False)
    return {"status": True, "players": describe_for_pairgoth(roster)}


class RosterFormat(OnList):
    format: Literal["json", "csv", "xlsx", "txt", "xml", "ffg"] = Field(
        "json", description="txt, xml and ffg are the columns of the list's game, where it has them"
    )


@router.get(
    "/roster/{code}",
    auth=SECRET,
    summary="The entered players with full names, as a file",
    openapi_extra=FILE_REPLY,
)
def pairing_roster(request: HttpRequest, code: str, wanted: Query[RosterFormat]) -> HttpResponse:
    """Return the roster with full names as a file, as organisers download it on the page of the event."""
    event = get_event(request, code)
    lists = [one_list for one_list in lists_of(event) if wanted.list in ("", one_list.slug)]
    if wanted.list and not lists:
        raise PairingError(404, f"The event is not rated on {wanted.list}.")
    roster: Roster = read_roster(event, lists[0] if lists else None, timezone.localdate(), public=False)
    try:
        return roster_response(roster, wanted.format)
    except Http404:
        raise PairingError(404, f"The list of the event has no format {wanted.format}.") from None


@router.post(
    "/pairings/{code}/{number}", auth=SECRET, response=PairingReply, summary="Send pairings", openapi_extra=HTML
)
def send_pairings(request: HttpRequest, code: str, number: int) -> PairingReply:
    """Store the pairings of a round, a piece of HTML with tables; what was sent before for the round is replaced."""
    return store_page(request, code, PairingPage.Kind.PAIRINGS, number)


@router.post(
    "/standings/{code}/{number}", auth=SECRET, response=PairingReply, summary="Send standings", openapi_extra=HTML
)
def send_standings(request: HttpRequest, code: str, number: int) -> PairingReply:
    """Store the standings after a round, a piece of HTML with tables; what was sent before is replaced."""
    return store_page(request, code, PairingPage.Kind.STANDINGS, number)


def store_page(request: HttpRequest, code: str, kind: str, number: int) -> PairingReply:
    event = get_event(request, code)
    if int(request.META.get("CONTENT_LENGTH") or 0) > HTML_AT_MOST:
        raise PairingError(413, f"The page is too large: at most {HTML_AT_MOST:,} bytes.")
    try:
        is_new = store_pairing_page(event, kind, number, request.body.decode("utf-8", "replace"))
    except ValidationError as error:
        raise PairingError(422, " ".join(error.messages)) from None
    return PairingReply(status=True, message="stored" if is_new else "unchanged")
