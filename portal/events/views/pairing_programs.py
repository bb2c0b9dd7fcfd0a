"""Pages about pairing programs: connecting one to an event, and the pairings and standings that it sends."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.events.roster_files import list_formats
from portal.site.public_ids import by_public_id
from portal.site.views.access import require, sign_in_required
from ratings.access import Action, may
from ratings.domain.events.pairing_programs import create_pairing_secret, revoke_pairing_secret
from ratings.models import Event, PairingPage, PairingSecret
from ratings.queries.events.events import (
    WITH_RESULTS,
    events_with_page,
    list_time_zones,
    lists_of,
    public_lists_of,
    with_time_zone,
)
from ratings.queries.events.pairing_pages import read_pairing_pages, read_pairing_rounds
from ratings.time_zones import activate_zone


@require_safe
def pairings(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the pairings and standings of a round as a pairing program sent them; the latest round by default.

    Redirect to the event if it has results, which say the same and more.
    """
    event = by_public_id(events_with_page(), public_id)
    if event.state in WITH_RESULTS:
        return redirect(event)
    rounds = read_pairing_rounds(event)
    wanted = request.GET.get("round") or f"{rounds[-1] if rounds else ''}"
    number = next((each for each in rounds if str(each) == wanted), None)
    if number is None:
        raise Http404
    activate_zone(list_time_zones([event]))
    context = {"event": event, "rounds": rounds, "number": number, "pages": read_pairing_pages(event, number)}
    context["rating_list"] = next(iter(public_lists_of(event)), None)
    return render(request, "events/pairings.html", context)


@sign_in_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def pairing_program(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show how to connect a pairing program; make the secret, which is displayed once, or revoke it."""
    event = get_object_or_404(with_time_zone(Event.objects.all()), public_id=public_id)
    require(request, Action.SEE_EVENT, event)
    activate_zone(list_time_zones([event]))
    if request.method != "POST":
        return render_page(request, event)
    require(request, Action.CHANGE_EVENT, event)
    if "revoke" in request.POST:
        revoke_pairing_secret(event)
        messages.success(request, _("The secret was revoked. Pages that were sent stay."))
        return redirect("pairing_program", public_id)
    try:
        return render_page(request, event, secret=create_pairing_secret(event))
    except ValidationError as error:
        return render_page(request, event, 422, problems=error.messages)


def render_page(request: HttpRequest, event: Event, status: int = 200, **more: Any) -> HttpResponse:
    lists = lists_of(event)
    context = {
        "event": event,
        "stored": PairingSecret.objects.filter(event=event).first(),
        "may_change": event.is_open and may(request.user, Action.CHANGE_EVENT, event),
        "address": f"{settings.SITE_ADDRESS}{reverse('api:pairing_health').removesuffix('/health')}",
        "formats": list_formats(lists[0] if lists else None),
        "pages": list(PairingPage.objects.filter(event=event).defer("tables")),
        **more,
    }
    return render(request, "events/pairing_program.html", context, status=status)
