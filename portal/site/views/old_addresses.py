"""Redirects from addresses with a readable part, such as /players/ABC-tanaka-sotaro/games/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_safe

from portal.site.public_ids import redirect_to_current


@require_safe
def without_slug(request: HttpRequest, kind: str, public_id: str, rest: str) -> HttpResponse:
    """Redirect permanently to the same page below a player, event or club, without the readable part.

    Raise Http404 if there is no such page.
    """
    address = f"/{kind}/{public_id}/{rest}"
    try:
        resolve(address)
    except Resolver404:
        raise Http404 from None
    return redirect_to_current(request, address)
