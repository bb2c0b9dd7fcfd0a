"""Downloads of an event's roster: the public one, and the organisers' with all full names."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from portal.events.roster_files import roster_response
from portal.site.public_ids import by_public_id
from portal.site.views.access import require, sign_in_required
from ratings.access import Action
from ratings.models import Event, RatingList
from ratings.queries.events.events import events_with_page, lists_of, public_lists_of
from ratings.queries.events.rosters import has_public_roster, read_roster


@require_safe
@conditional_page
def roster_file(request: HttpRequest, public_id: str, format: str) -> HttpResponse:
    """Return the public roster of an announced event; 404 if its entries are not public."""
    event = by_public_id(events_with_page(), public_id)
    if not has_public_roster(event):
        raise Http404
    rating_list = choose_list(request, public_lists_of(event))
    return roster_response(read_roster(event, rating_list, timezone.localdate(), public=True), format)


@sign_in_required
@require_safe
def managed_roster(request: HttpRequest, public_id: str, format: str) -> HttpResponse:
    """Return the roster of an event with the full names, for its organisers and officers."""
    event = get_object_or_404(Event, public_id=public_id)
    require(request, Action.SEE_EVENT, event)
    rating_list = choose_list(request, lists_of(event))
    return roster_response(read_roster(event, rating_list, timezone.localdate(), public=False), format)


def choose_list(request: HttpRequest, lists: list[RatingList]) -> RatingList | None:
    """Return the list that the address names, else the first; raise Http404 for a list that is none of the event's."""
    wanted = request.GET.get("list")
    chosen = next((each for each in lists if wanted in (None, "", each.slug)), None)
    if wanted and chosen is None:
        raise Http404
    return chosen
