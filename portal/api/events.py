"""API endpoints of accepted events with their crosstables, and of announced events."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.queries.events.crosstables import Crosstable, CrosstableCell, CrosstableRow, build_crosstables
from ratings.queries.events.events import announced_events, public_lists_of
from ratings.queries.events.performances import performances
from ratings.queries.lists.list_cache import cached
from ratings.queries.lists.valid_lists import ValidList, find_valid_lists
from ratings.queries.site import public_api
from ratings.systems.tiebreaks import Placing
from ratings.systems.values import AwardHow

from . import page_schemas, serializers
from .paging import Paging, paginate, rounded
from .players import OnList
from .problems import get_by_public_id
from .schemas import Day, Page

router = Router(tags=["Events"])


class EventFilters(Schema):
    list: str = Field("", max_length=50, pattern="^[-A-Za-z0-9_]*$", description="Only events rated on this list")
    country: str = Field("", pattern="^([A-Z]{2})?$", description="Only events in this country")
    since: Day | None = Field(None, description="Only those that ended on this day or later")
    until: Day | None = Field(None, description="Only those that ended on this day or before")


@router.get("", response=Page[page_schemas.Event], summary="Accepted events, newest first")
def events(
    request: HttpRequest, response: HttpResponse, filters: Query[EventFilters], paging: Query[Paging]
) -> Page[page_schemas.Event]:
    conditions = {"country": filters.country, "end__gte": filters.since, "end__lte": filters.until}
    rows = public_api.accepted_events().filter(**{name: value for name, value in conditions.items() if value})
    if filters.list:
        on_list = models.RatingList.objects.filter(slug=filters.list, public=True)
        rows = rows.filter(lists__in=on_list)
    return paginate(
        request, response, paging, rows, ("-end", "public_id"), lambda events: [*map(serialize_event, events)]
    )


@router.get("/coming", response=list[page_schemas.Event], summary="Announced events that are not over")
def coming(request: HttpRequest) -> list[page_schemas.Event]:
    """List the announced events that are not over, the next one first."""
    return [serialize_event(event) for event in announced_events(timezone.localdate())]


def serialize_event(event: models.Event) -> page_schemas.Event:
    return page_schemas.Event(
        id=event.public_id,
        name=event.name,
        url=serializers.url_of(event),
        start=event.start,
        end=event.end,
        place=event.place,
        country=str(event.country),
        organiser=event.organiser,
        time_control=event.time_control,
        mode=event.mode,
        lists=[rating_list.slug for rating_list in event.lists.all()],
    )


def get_event(public_id: str) -> models.Event:
    absent = f"There is no event {public_id}, or its results are not accepted."
    return get_by_public_id(public_api.accepted_events(), public_id, absent)


@router.get("/{public_id}", response=page_schemas.EventTables, summary="One event")
def event(request: HttpRequest, public_id: str) -> page_schemas.EventTables:
    the_event = get_event(public_id)
    tables = list(the_event.tables.all())
    seats = public_api.player_counts(table.pk for table in tables)
    refs = [table_ref(table, seats.get(table.pk, 0)) for table in tables]
    valid = find_valid_lists(list(the_event.lists.all()), the_event.start, timezone.localdate())
    return page_schemas.EventTables(
        **serialize_event(the_event).model_dump(), tables=refs, valid_lists=[*map(serialize_valid_list, valid)]
    )


def serialize_valid_list(valid: ValidList) -> page_schemas.ValidList:
    return page_schemas.ValidList(
        list=valid.rating_list.slug,
        day=valid.day,
        url=serializers.url_of(valid),
        csv=f"{settings.SITE_ADDRESS}{valid.csv_url}",
    )


def table_ref(table: models.Table, players: int) -> page_schemas.TableRef:
    return page_schemas.TableRef(
        id=table.pk,
        name=table.name,
        first_day=table.first_day,
        last_day=table.last_day,
        rated=table.rated,
        players=players,
    )


@router.get("/{public_id}/tables/{int:table}", response=page_schemas.Crosstable, summary="The crosstable of a table")
def crosstable(request: HttpRequest, public_id: str, table: int, on_list: Query[OnList]) -> HttpResponse:
    """With the ratings of the list asked for, else of the first it is rated on."""
    the_event = get_event(public_id)
    lists = [one_list for one_list in public_lists_of(the_event) if on_list.list in ("", one_list.slug)]
    if on_list.list and not lists:
        raise Http404(f"{public_id} is not rated on {on_list.list}.")
    the_table = the_event.tables.filter(pk=table).first()
    if the_table is None:
        raise Http404(f"{public_id} has no table {table}.")
    return HttpResponse(cached_crosstable_json(the_table, lists[0] if lists else None), content_type="application/json")


def cached_crosstable_json(table: models.Table, the_list: models.RatingList | None) -> bytes:
    """Return the JSON of a crosstable, cached by the list's revision and the names at the table, so never outdated."""
    if the_list is None:
        return crosstable_json(table, None)
    names = (the_list.slug, table.event.name, table.event.tie_breaks, table.name, public_api.player_names(table))

    def compress_json() -> bytes:
        return zlib.compress(crosstable_json(table, the_list), 1)

    return zlib.decompress(cached(the_list, f"API crosstable {table.pk}", compress_json, detail=f"{names}"))


def crosstable_json(table: models.Table, the_list: models.RatingList | None) -> bytes:
    (crosstable,) = build_crosstables({table: None}, the_list)
    return json.dumps(serialize_crosstable(crosstable, the_list), ensure_ascii=False, separators=(",", ":")).encode()


def serialize_crosstable(crosstable: Crosstable, the_list: models.RatingList | None) -> dict[str, Any]:
    """Return a crosstable as JSON values, in the order of `page_schemas.Crosstable`.

    To make objects of the schema for each row and each result took most of the time of a large table.
    """
    decimals = the_list.decimals if the_list else 0
    ratings = performances(crosstable, the_list.rating_system) if the_list else {}
    graded = the_list is not None and the_list.has_grades
    return table_ref(crosstable.table, len(crosstable.rows)).model_dump(mode="json") | {
        "event": serializers.named(crosstable.table.event).model_dump(),
        "list": the_list.slug if the_list else None,
        "rounds": crosstable.rounds,
        "rows": [
            serialize_crosstable_row(
                row, decimals, ratings.get(row.entry.number), crosstable.placings.get(row.entry.number), graded=graded
            )
            for row in crosstable.rows
        ],
    }


def serialize_crosstable_row(
    row: CrosstableRow, decimals: int, performance: float | None, placing: Placing | None, *, graded: bool
) -> dict[str, Any]:
    change, entry, award = row.change or models.Change(), row.entry, row.new_grade if graded else None
    return {
        "number": entry.number,
        "place": placing.place if placing else None,
        "player": serializers.describe_player(entry.player),
        "points": row.points,
        "macmahon": None if entry.macmahon is None else float(entry.macmahon),
        "grade_before": change.grade_before if graded else "",
        "before": rounded(change.before, decimals),
        "after": rounded(change.after, decimals),
        "change": serializers.difference(change, decimals),
        "performance": rounded(performance, decimals),
        "promoted_to": award.grade if award and not award.needs_approval and award.how != AwardHow.DEMOTION else None,
        "rounds": [[serialize_round(cell) for cell in cells] for cells in row.rounds],
    }


def serialize_round(cell: CrosstableCell) -> dict[str, Any]:
    return {
        "opponent": cell.opponent.number if cell.opponent else None,
        "points": float(cell.cell.points),
        "played": cell.played,
        "text": cell.text,
    }
