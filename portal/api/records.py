"""What was published on a day, and what runs corrected since."""

from __future__ import annotations

from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.queries import open_data
from ratings.queries.dated import lines_of

from . import schemas, schemas_more, shown
from .lists import list_called
from .paging import Paging, page_of, rounded
from .schemas import Day, Page, Time

router = Router(tags=["Lists"])


def shown_dated(dated: models.DatedList) -> schemas_more.DatedList:
    return schemas_more.DatedList(
        day=dated.day, published_at=dated.published_at, revised_at=dated.revised_at, url=shown.url_of(dated)
    )


@router.get("/{slug}/dated", response=list[schemas_more.DatedList], summary="Lists as they were published")
def dated(request: HttpRequest, slug: str) -> list[schemas_more.DatedList]:
    """Newest first."""
    return [shown_dated(one) for one in list_called(slug).dated.select_related("list")]


class Which(Schema):
    lines: Literal["published", "added"] = Field(
        "published", description="As published, by rank; or those who came by a correction later, by their new rank"
    )


KEYS = {"published": ("rank", "player__public_id"), "added": ("revised_rank", "player__public_id")}


@router.get("/{slug}/dated/{day}", response=Page[schemas_more.DatedLine], summary="One dated list")
def dated_lines(
    request: HttpRequest, response: HttpResponse, slug: str, day: Day, which: Query[Which], paging: Query[Paging]
) -> Page[schemas_more.DatedLine]:
    """Every line as it was published, and as it is after corrections; null in one half: he came or went by them."""
    the_list = list_called(slug)
    the_dated = the_list.dated.filter(day=day).first()
    if the_dated is None:
        raise Http404(f"No list was published on {day}; /api/v1/lists/{slug}/dated names all.")
    decimals = the_list.rating_system.decimals
    rows = lines_of(the_dated)
    rows = rows.exclude(rank=None) if which.lines == "published" else rows.filter(rank=None).exclude(revised_rank=None)
    return page_of(
        request, response, paging, rows, KEYS[which.lines],
        lambda found: [shown_line(row, decimals) for row in found],
    )  # fmt: skip


def shown_line(line: models.DatedLine, decimals: int) -> schemas_more.DatedLine:
    return schemas_more.DatedLine(
        player=shown.player_ref(line.player), rank=line.rank, rating=rounded(line.rating, decimals), grade=line.grade,
        games=line.games, revised_rank=line.revised_rank, revised_rating=rounded(line.revised_rating, decimals),
        revised_grade=line.revised_grade,
    )  # fmt: skip


@router.get("/{slug}/corrections", response=Page[schemas.Correction], summary="Corrected ratings, newest first")
def corrections(
    request: HttpRequest, response: HttpResponse, slug: str, paging: Query[Paging]
) -> Page[schemas.Correction]:
    """Present ratings that a run changed although their players had not played since."""
    the_list = list_called(slug)
    decimals = the_list.rating_system.decimals
    return page_of(
        request, response, paging, open_data.public_corrections(the_list), ("-run_id", "pk"),
        lambda found: [shown.correction(row, decimals) for row in found],
    )  # fmt: skip


class Ended(Schema):
    since: Time | None = Field(
        None, description="Ended after this time: the last “ended_at” that you saw", examples=["2024-06-01T00:00:00Z"]
    )


@router.get("/{slug}/runs", response=Page[schemas.Run], summary="What is new since a time")
def runs(
    request: HttpRequest, response: HttpResponse, slug: str, ended: Query[Ended], paging: Query[Paging]
) -> Page[schemas.Run]:
    """To keep a copy: read the runs since your last visit, take the earliest “changes_from”, read “/changes” from that
    day on, and put them in the place of what you have from that day on.
    """
    rows = open_data.finished_runs(list_called(slug))
    if ended.since is not None:
        rows = rows.filter(ended_at__gt=ended.since)
    return page_of(request, response, paging, rows, ("ended_at", "pk"), lambda found: [shown_run(row) for row in found])


def shown_run(run: models.Run) -> schemas.Run:
    return schemas.Run(
        run=run.pk, ended_at=run.ended_at, changes_from=run.since, tables=run.done, players_changed=run.players_changed
    )
