"""API endpoints of dated lists, of corrections after publication, and of rating runs."""

from __future__ import annotations

from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.queries.lists.dated import lines_of
from ratings.queries.site import public_api

from . import page_schemas, schemas, serializers
from .lists import get_list
from .paging import Paging, paginate, rounded
from .schemas import Day, Page, Time

router = Router(tags=["Lists"])


def serialize_dated_list(dated: models.DatedList) -> page_schemas.DatedList:
    return page_schemas.DatedList(
        day=dated.day, published_at=dated.published_at, revised_at=dated.revised_at, url=serializers.url_of(dated)
    )


@router.get("/{slug}/dated", response=list[page_schemas.DatedList], summary="Lists as they were published")
def dated(request: HttpRequest, slug: str) -> list[page_schemas.DatedList]:
    """Newest first."""
    return [serialize_dated_list(dated_list) for dated_list in get_list(slug).dated.select_related("list")]


class Which(Schema):
    lines: Literal["published", "added"] = Field(
        "published", description="Published lines by rank, or the players added by later corrections by their new rank"
    )


KEYS = {"published": ("rank", "player__public_id"), "added": ("revised_rank", "player__public_id")}


@router.get("/{slug}/dated/{day}", response=Page[page_schemas.DatedLine], summary="One dated list")
def dated_lines(
    request: HttpRequest, response: HttpResponse, slug: str, day: Day, which: Query[Which], paging: Query[Paging]
) -> Page[page_schemas.DatedLine]:
    """Return each line as published and after corrections; one half is null if corrections added or removed it."""
    the_list = get_list(slug)
    the_dated = the_list.dated.filter(day=day).first()
    if the_dated is None:
        raise Http404(f"No list was published on {day}: see /api/v1/lists/{slug}/dated.")
    decimals = the_list.decimals
    rows = lines_of(the_dated)
    rows = rows.exclude(rank=None) if which.lines == "published" else rows.filter(rank=None).exclude(revised_rank=None)
    return paginate(
        request,
        response,
        paging,
        rows,
        KEYS[which.lines],
        lambda lines: [serialize_dated_line(row, decimals) for row in lines],
    )


def serialize_dated_line(line: models.DatedLine, decimals: int) -> page_schemas.DatedLine:
    return page_schemas.DatedLine(
        player=serializers.player_ref(line.player),
        rank=line.rank,
        rating=rounded(line.rating, decimals),
        deviation=rounded(line.deviation, decimals),
        grade=line.grade,
        games=line.games,
        revised_rank=line.revised_rank,
        revised_rating=rounded(line.revised_rating, decimals),
        revised_grade=line.revised_grade,
    )


@router.get("/{slug}/corrections", response=Page[schemas.Correction], summary="Corrected ratings, newest first")
def corrections(
    request: HttpRequest, response: HttpResponse, slug: str, paging: Query[Paging]
) -> Page[schemas.Correction]:
    """Present ratings that a run changed although their players had not played since."""
    the_list = get_list(slug)
    decimals = the_list.decimals
    return paginate(
        request,
        response,
        paging,
        public_api.public_corrections(the_list),
        ("-run_id", "pk"),
        lambda corrections: [serializers.correction(row, decimals) for row in corrections],
    )


class Ended(Schema):
    since: Time | None = Field(
        None, description="Ended after this time: the last “ended_at” that you saw", examples=["2024-06-01T00:00:00Z"]
    )


@router.get("/{slug}/runs", response=Page[schemas.Run], summary="Get what has changed since a given time")
def runs(
    request: HttpRequest, response: HttpResponse, slug: str, ended: Query[Ended], paging: Query[Paging]
) -> Page[schemas.Run]:
    """Return the finished rating runs, oldest first.

    To keep a copy of a list: read the runs since your last visit, take the earliest “changes_from”, read “/changes”
    from that day on, and replace your changes from that day on.
    """
    rows = public_api.finished_runs(get_list(slug))
    if ended.since is not None:
        rows = rows.filter(ended_at__gt=ended.since)
    return paginate(
        request, response, paging, rows, ("ended_at", "pk"), lambda runs: [serialize_run(row) for row in runs]
    )


def serialize_run(run: models.Run) -> schemas.Run:
    return schemas.Run(
        run=run.pk, ended_at=run.ended_at, changes_from=run.since, tables=run.done, players_changed=run.players_changed
    )
