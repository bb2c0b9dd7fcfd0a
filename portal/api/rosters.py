"""API endpoint of the roster of an announced event: the entered players, for pairing programs and other sites."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Query, Schema
from pydantic import Field

from portal.events.roster_files import describe_roster
from ratings.models import Event
from ratings.queries.events.events import events_with_page, public_lists_of
from ratings.queries.events.rosters import has_public_roster, read_roster

from .events import router
from .players import OnList
from .problems import get_by_public_id
from .schemas import Country, Day, Grade, Rating


class RosterPlayer(Schema):
    """An entered player."""

    id: str | None = Field(description="Public id of the player; null for a name that is no known player")
    family_name: str
    given_name: str
    country: Country
    club: str
    grade: Grade
    rating: Rating
    games: int = Field(description="Rated games until that list")
    outside_ids: dict[str, str] = Field(
        description="Confirmed ids by registry (egd, fide, aga, uscf, rif, fesa), or by the country of a federation",
        examples=[{"egd": "10000017"}],
    )


class Roster(Schema):
    """The entered players of an event, with the ratings of the list that is valid on its first day."""

    event: str = Field(description="Public id of the event")
    name: str
    start: Day
    list: str | None = Field(description="Slug of the list of the ratings; null if the event is rated on none")
    list_day: Day | None = Field(
        description="Day of that list: the latest published one up to the first day, else the day before it"
    )
    list_url: str | None
    unnamed: int = Field(description="Entered players who are not listed publicly")
    players: Sequence[RosterPlayer] = Field(description="Highest rating first, then by name")


@router.get("/{public_id}/roster", response=Roster, summary="The entered players of an announced event")
def roster(request: HttpRequest, public_id: str, on_list: Query[OnList]) -> Roster:
    """Return the entered players, rated on the requested list, or on the event's first list by default.

    The ratings can change until the first day of the event: they follow the latest list that is published by then.
    """
    event = get_public_event(public_id)
    lists = [one_list for one_list in public_lists_of(event) if on_list.list in ("", one_list.slug)]
    if on_list.list and not lists:
        raise Http404(f"{public_id} is not rated on {on_list.list}.")
    found = read_roster(event, lists[0] if lists else None, timezone.localdate(), public=True)
    return Roster.model_validate(describe_roster(found))


def get_public_event(public_id: str) -> Event:
    absent = f"There is no event {public_id} with public entries. Its roster ends when the results are accepted."
    event = get_by_public_id(events_with_page(), public_id, absent)
    if not has_public_roster(event):
        raise Http404(absent)
    return event
