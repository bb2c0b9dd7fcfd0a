"""Pages of the hall for phones: the boards of a round, one tap, joining by a link, and the service worker."""

from __future__ import annotations

import secrets
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from portal.results.forms import HelperForm
from portal.results.hall_devices import Access, find_access, read_cookie, remember_device
from portal.results.hall_page import build_hall_page
from portal.site.offline import build_worker
from portal.site.views.access import sign_in_required
from ratings.domain.results.hall.links import find_link, join_by_link
from ratings.domain.results.hall.recording import BoardMissingError, Device, Tap, record_tap
from ratings.models import Event, Hall, HallLink

ENDED, REFUSED = 410, 409
MAX_DIGITS = 18
PATIENCE = 4000
"""Milliseconds after which a phone shows its copy of a page, although the server may still answer."""


@never_cache
@ensure_csrf_cookie
@require_safe
def hall(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the boards of a round to an organiser, or to a helper who has joined by a link."""
    event = get_object_or_404(Event, public_id=public_id)
    access = find_access(request, event)
    if access.device is None:
        return refuse(request, event, access)
    the_hall = Hall.objects.select_related("event").filter(event=event).first()
    if the_hall is None:
        return redirect("hall_players", public_id)
    response = render(request, "results/hall.html", build_hall_page(the_hall, access, request.GET.get("round", "")))
    remember_device(response, event, access.device)
    return response


def refuse(request: HttpRequest, event: Event, access: Access) -> HttpResponse:
    """Return the page for a browser without access: its link has ended, or it must sign in or has no right."""
    if access.has_ended:
        return render(request, "results/hall_ended.html", {"event": event, "is_hall": True}, status=ENDED)
    if request.user.is_authenticated:
        raise PermissionDenied
    return sign_in_required(hall)(request, event.public_id)


@never_cache
@require_POST
def hall_tap(request: HttpRequest, public_id: str) -> HttpResponse:
    """Store one result; scripts get the answer as JSON, others the page of the round."""
    event = get_object_or_404(Event, public_id=public_id)
    access = find_access(request, event)
    the_hall = Hall.objects.filter(event=event).first()
    if access.device is None or the_hall is None:
        problem = _("This link has ended.") if access.has_ended else _("Sign in to send results.")
        return answer_problem(request, event, access, problem, ENDED if access.has_ended else 401)
    try:
        record_tap(the_hall, access.device, read_tap(request))
    except BoardMissingError as error:
        return answer_problem(request, event, access, error.messages[0], REFUSED)
    except ValidationError as error:
        is_over = not event.is_open or access.device.link is not None
        return answer_problem(request, event, access, error.messages[0], ENDED if is_over else REFUSED)
    response: HttpResponse = JsonResponse({"stored": True})
    if not wants_json(request):
        round_ = read_number(request.POST.get("round", ""))
        response = redirect(f"{reverse('hall', args=[public_id])}?round={round_}")
    remember_device(response, event, access.device)
    return response


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def answer_problem(request: HttpRequest, event: Event, access: Access, problem: str, status: int) -> HttpResponse:
    """Return why a result was not stored, as JSON or as a page."""
    if wants_json(request):
        return JsonResponse({"problem": problem}, status=status)
    if access.device is None:
        return refuse(request, event, access)
    context = {"event": event, "is_hall": True, "problem": problem, "manages": access.manages}
    return render(request, "results/hall_ended.html", context, status=422)


def read_number(text: str) -> int:
    """Return a number of a form; 0 for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else 0


def read_tap(request: HttpRequest) -> Tap:
    """Return the result of a form; a form without script has no id, and gets one.

    Raise ValidationError if the id is invalid.
    """
    post = request.POST
    try:
        uuid = UUID(post["uuid"]) if "uuid" in post else uuid4()
    except ValueError:
        raise ValidationError(_("The id of the result is invalid.")) from None
    board, seen = read_number(post.get("board", "")), read_number(post.get("seen", ""))
    code = post.get("decide") or post.get("code", "")
    return Tap(board, code, uuid, seen, bool(post.get("decide")) or post.get("decides") == "1")


@never_cache
def hall_join(request: HttpRequest, token: str) -> HttpResponse:
    """Ask a helper for their name, and let their phone enter results until the link ends."""
    link = find_link(token)
    if link is None:
        raise Http404
    event = link.hall.event
    stored = read_cookie(request, event)
    if not link.admits(str(stored.get("device", ""))) or not event.is_open:
        return render(request, "results/hall_ended.html", {"event": event, "is_hall": True}, status=ENDED)
    form = HelperForm(request.POST or None, initial={"name": stored.get("name", "") or link.label})
    if request.method == "POST" and form.is_valid():
        return join(request, link, form.cleaned_data["name"])
    return render(request, "results/hall_join.html", {"event": event, "form": form, "link": link, "is_hall": True})


def join(request: HttpRequest, link: HallLink, name: str) -> HttpResponse:
    """Set the cookie of a helper's phone, which keeps its id if it had one, and show the hall."""
    event = link.hall.event
    device = str(read_cookie(request, event).get("device") or secrets.token_urlsafe(9))
    try:
        join_by_link(link, device, name)
    except ValidationError:  # the organiser ended it, or removed this phone, meanwhile
        return render(request, "results/hall_ended.html", {"event": event, "is_hall": True}, status=ENDED)
    response = redirect("hall", event.public_id)
    remember_device(response, event, Device(device, name, None, link))
    return response


@require_safe
def hall_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which browsers let work only for addresses below its own: the pages of halls."""
    return build_worker(r"^[0-9A-Za-z]+/$", PATIENCE, is_owned=False)
