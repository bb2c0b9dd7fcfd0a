from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponsePermanentRedirect

from ratings.queries.names import spellings

M = TypeVar("M", bound=Model)


def by_public_id(several: QuerySet[M], public_id: str) -> M:
    """The one whom an address names, in small letters too; Http404 where nobody is."""
    found: dict[Any, M] = {one.public_id: one for one in several.filter(public_id__in=spellings(public_id))}  # type: ignore[attr-defined] # of players, clubs, events
    if not found:
        raise Http404
    return found.get(public_id) or next(iter(found.values()))


def at_its_address(request: HttpRequest, address: str) -> HttpResponsePermanentRedirect:
    """To the address that a page has by now, with what was asked of it."""
    asked = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(f"{address}?{asked}" if asked else address)
