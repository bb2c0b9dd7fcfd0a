"""Accepted events with their tables, and what is to come."""

from __future__ import annotations

import zlib

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.queries import open_data
from ratings.queries.crosstables import Crosstable, CrosstableRow, filled
from ratings.queries.events import announced_events, public_lists_of
from ratings.queries.kept import kept
from ratings.queries.performances import performances

from . import schemas_more, shown
from .paging import Paging, page_of, rounded
from .players import OnList
from .problems import called
from .schemas import Day, Page

router = Router(tags=["Events"])


class EventFilters(Schema):
    list: str = Field("", max_length=50, pattern="^[-A-Za-z0-9_]*$", description="Only events rated on this list")
    country: str = Field("", pattern="^([A-Z]{2})?$", description="Only events in this country")
    since: Day | None = Field(None, description="Only those that ended on this day or later")
    until: Day | None = Field(None, description="Only those that ended on this day or before")


@router.get("", response=Page[schemas_more.Event], summary="Accepted events, newest first")
def events(
    request: HttpRequest, response: HttpResponse, filters: Query[EventFilters], paging: Query[Paging]
) -> Page[schemas_more.Event]:
    asked = {"country": filters.country, "end__gte": filters.since, "end__lte": filters.until}
    rows = open_data.accepted_events().filter(**{name: value for name, value in asked.items() if value})
    if filters.list:
        on_list = models.RatingList.objects.filter(slug=filters.list, public=True)
        rows = rows.filter(lists__in=on_list)
    return page_of(request, response, paging, rows, ("-end", "public_id"), lambda several: [*map(shown_event, several)])


@router.get("/coming", response=list[schemas_more.Event], summary="Announced events that are not over")
def coming(request: HttpRequest) -> list[schemas_more.Event]:
    """The next first."""
    return [shown_event(one) for one in announced_events(timezone.now().date())]


def shown_event(event: models.Event) -> schemas_more.Event:
    return schemas_more.Event(
        id=event.public_id, name=event.name, url=shown.url_of(event), start=event.start, end=event.end,
        place=event.place, country=str(event.country), organiser=event.organiser, time_control=event.time_control,
        mode=event.mode, lists=[one.slug for one in event.lists.all()],
    )  # fmt: skip


def event_called(public_id: str) -> models.Event:
    absent = f"There is no event {public_id}, or its results are not accepted."
    return called(open_data.accepted_events(), public_id, absent)


@router.get("/{public_id}", response=schemas_more.EventTables, summary="One event")
def event(request: HttpRequest, public_id: str) -> schemas_more.EventTables:
    found = event_called(public_id)
    tables = list(found.tables.all())
    seats = open_data.players_at(table.pk for table in tables)
    refs = [table_ref(table, seats.get(table.pk, 0)) for table in tables]
    return schemas_more.EventTables(**shown_event(found).model_dump(), tables=refs)


def table_ref(table: models.Table, players: int) -> schemas_more.TableRef:
    return schemas_more.TableRef(
        id=table.pk, name=table.name, first_day=table.first_day, last_day=table.last_day, rated=table.rated,
        players=players,
    )  # fmt: skip


@router.get("/{public_id}/tables/{int:table}", response=schemas_more.Crosstable, summary="The crosstable of a table")
def crosstable(request: HttpRequest, public_id: str, table: int, on_list: Query[OnList]) -> HttpResponse:
    """With the ratings of the list asked for, else of the first it is rated on."""
    the_event = event_called(public_id)
    lists = [one for one in public_lists_of(the_event) if on_list.list in ("", one.slug)]
    if on_list.list and not lists:
        raise Http404(f"{public_id} is not rated on {on_list.list}.")
    the_table = the_event.tables.filter(pk=table).first()
    if the_table is None:
        raise Http404(f"{public_id} has no table {table}.")
    return HttpResponse(kept_crosstable(the_table, lists[0] if lists else None), content_type="application/json")


def kept_crosstable(table: models.Table, the_list: models.RatingList | None) -> bytes:
    """Kept under the list's revision and the names at the table, so that it cannot be old."""
    if the_list is None:
        return written_crosstable(table, None)
    names = (table.event.name, table.name, open_data.names_at(table))
    what = f"api crosstable {table.pk} {the_list.slug} {names}"
    return zlib.decompress(kept(the_list, what, lambda: zlib.compress(written_crosstable(table, the_list), 1)))


def written_crosstable(table: models.Table, the_list: models.RatingList | None) -> bytes:
    (found,) = filled({table: None}, the_list)
    return shown_crosstable(found, the_list).model_dump_json().encode()


def shown_crosstable(found: Crosstable, the_list: models.RatingList | None) -> schemas_more.Crosstable:
    decimals = the_list.rating_system.decimals if the_list else 0
    known = performances(found, the_list.rating_system) if the_list else {}
    graded = the_list is not None and the_list.graded
    return schemas_more.Crosstable(
        **table_ref(found.table, len(found.rows)).model_dump(), event=shown.named(found.table.event),
        list=the_list.slug if the_list else None, rounds=found.rounds,
        rows=[shown_row(row, decimals, known.get(row.entry.number), graded=graded) for row in found.rows],
    )  # fmt: skip


def shown_row(
    row: CrosstableRow, decimals: int, performance: float | None, *, graded: bool
) -> schemas_more.CrosstableRow:
    change, entry, won = row.change or models.Change(), row.entry, row.new_grade if graded else None
    return schemas_more.CrosstableRow(
        number=entry.number, player=shown.player_ref(entry.player), points=row.points,
        macmahon=None if entry.macmahon is None else float(entry.macmahon),
        grade_before=change.grade_before if graded else "",
        before=rounded(change.before, decimals), after=rounded(change.after, decimals),
        change=shown.difference(change, decimals), performance=rounded(performance, decimals),
        promoted_to=won.grade if won and not won.needs_approval and won.how != "demotion" else None,
        rounds=[
            [
                schemas_more.Round(
                    opponent=cell.opponent.number if cell.opponent else None, points=cell.cell.points,
                    played=cell.played, text=cell.text,
                )
                for cell in several
            ]
            for several in row.rounds
        ],
    )  # fmt: skip
