"""Cursor pagination of the API; cursors are signed, so their contents need no validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Schema
from ninja.errors import HttpError
from pydantic import Field

from ratings.queries.lists.keyset import Position, Slice, slice_of

from .schemas import Page

M = TypeVar("M", bound=Model)
T = TypeVar("T")
AT_MOST = 200


class Paging(Schema):
    size: int = Field(100, ge=1, le=AT_MOST, description=f"Rows a page, at most {AT_MOST}")
    cursor: str = Field("", max_length=400, description="From “next” or “previous” of another page")


def paginate(
    request: HttpRequest,
    response: HttpResponse,
    paging: Paging,
    rows: QuerySet[M],
    keys: Sequence[str],
    shown: Callable[[list[M]], list[T]],
) -> Page[T]:
    """Return the page at a cursor, with the addresses of its neighbours in the body and in the “Link” header."""

    def find(position: Position | None, *, backwards: bool) -> Slice[M]:
        return slice_of(rows, keys, paging.size, position, backwards=backwards)

    return paginate_with(request, response, paging, find, keys, shown)


def paginate_with(
    request: HttpRequest,
    response: HttpResponse,
    paging: Paging,
    find: Callable[..., Slice[M]],
    keys: Sequence[str],
    shown: Callable[[list[M]], list[T]],
) -> Page[T]:
    """Return the page at a cursor, with its rows from the function `find`.

    `find` receives the position, and `backwards`: whether to return the rows before the position. The addresses of the
    neighbours are in the body and in the “Link” header.
    """
    position, backwards = read_cursor(paging.cursor, keys)
    page_rows = find(position, backwards=backwards)
    following = address(request, page_rows.after, keys, backwards=False)
    previous = address(request, page_rows.before, keys, backwards=True)
    links = {"next": following, "prev": previous}
    if any(links.values()):
        response["Link"] = ", ".join(f'<{url}>; rel="{rel}"' for rel, url in links.items() if url)
    return Page(items=shown(page_rows.rows), next=following, previous=previous)


def signer(keys: Sequence[str]) -> signing.Signer:
    return signing.Signer(salt=f"api page {' '.join(keys)}")


def read_cursor(cursor: str, keys: Sequence[str]) -> tuple[Position | None, bool]:
    if not cursor:
        return None, False
    try:
        backwards, position = signer(keys).unsign_object(cursor)
    except signing.BadSignature:
        raise HttpError(400, "Invalid cursor: expected the one in “next” or “previous” of another page.") from None
    return position, backwards


def address(request: HttpRequest, position: Position | None, keys: Sequence[str], *, backwards: bool) -> str | None:
    if position is None:
        return None
    query = request.GET.copy()
    query["cursor"] = signer(keys).sign_object([backwards, position])
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def rounded(value: Any, decimals: int) -> float | None:
    """Return a number with the decimals that the pages of the site show; None if there is none."""
    return None if value is None else round(float(value), decimals) + 0.0
