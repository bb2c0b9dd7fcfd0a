from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect

from ratings.queries.players.names import spellings

M = TypeVar("M", bound=Model)


def by_public_id(queryset: QuerySet[M], public_id: str) -> M:
    """Return the object with a public id, in upper or lower case; raise Http404 if there is none."""
    by_id: dict[Any, M] = {row.public_id: row for row in queryset.filter(public_id__in=spellings(public_id))}  # type: ignore[attr-defined] # of players, clubs, events
    if not by_id:
        raise Http404
    return by_id.get(public_id) or next(iter(by_id.values()))


def redirect_to_current(request: HttpRequest, address: str) -> HttpResponsePermanentRedirect:
    """Redirect permanently to the current address of a page, with the query of the request."""
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
