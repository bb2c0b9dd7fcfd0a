"""Tabs of an event's page, as cached HTML: rendering a large table takes some tenths of a second.

They are cached under all displayed data: the list's version, the language, the tables, and the displayed name of each
player. So outdated tables are never displayed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from portal.events.crosstable_order import choose_order
from portal.events.crosstables import crosstable_columns, crosstable_html, promotions_html
from portal.events.link_previews import PodiumPlace, list_podium
from portal.events.listings.results import list_results
from portal.events.rounds import list_pairings
from portal.events.sections import TableSection
from ratings.models import Event, RatedTable, RatingList, Table
from ratings.queries.events.crosstables import Crosstable, build_crosstables
from ratings.queries.events.events import public_entries
from ratings.queries.lists.list_cache import cached

Tables = Mapping[Table, RatedTable | None]

ROWS, FEW_MORE = 18, 6
"""Rows of the results that are shown at first, and the number of further rows up to which all are shown."""
CROSSTABLE_AT_MOST = 60
"""Number of players up to which the crosstable stands below the results; larger ones have their own tab only."""


class Tab(StrEnum):
    """Tab of an event's page; the value is the name of its address and of its template.

    Entries are for announced events, before there are results.
    """

    RESULTS = "event"
    CROSSTABLE = "event_crosstable"
    ROUNDS = "event_rounds"
    GRADES = "event_grades"
    ENTRIES = "event_entries"


@dataclass(frozen=True)
class Selection:
    """Selection of a visitor: the order of the results, a part of the whole results, and a round (0: the last).

    `place` are the parameters of the list and the table, which links to other orders and rounds keep. `is_first_list`
    is True on the list that players' pages show if their address names none.
    """

    sort: str = ""
    part: int = 0
    """The number of the part, from 1; 0 for the first rows only."""
    round: int = 0
    place: tuple[tuple[str, str], ...] = ()
    is_first_list: bool = False


@dataclass(frozen=True)
class TabPage:
    """Parts of an event's page that tell about one table.

    `counts` are the numbers of players and rounds in words, `highlights` the podium and the highlights, `body` is the
    content of the tab, `grades` the number of players whose grade changed. All but the numbers and the podium are HTML.
    """

    counts: SafeString
    highlights: SafeString
    body: SafeString
    rounds: int
    grades: int
    podium: list[PodiumPlace]


def render_tab(
    event: Event, rating_list: RatingList | None, tables: Tables, table: Table, tab: Tab, selection: Selection
) -> TabPage:
    """Return the parts of a tab about one of an event's tables; cached only for a list."""
    own = {table: tables[table]}

    def render() -> list[Any]:
        return _render_parts(event, rating_list, own, tab, selection)

    names = f"{tab} of table {table.pk}", repr(selection)
    counts, highlights, body, rounds, grades, podium = cache_parts(event, rating_list, own, names, render)
    places = [PodiumPlace._make(place) for place in podium]
    return TabPage(SafeString(counts), SafeString(highlights), SafeString(body), rounds, grades, places)


def cache_parts(
    event: Event, rating_list: RatingList | None, tables: Tables, names: tuple[str, str], render: Callable[[], Any]
) -> Any:
    """Return the parts of a page that `render` returns as JSON values, cached only for a list.

    `names` are their name in the cache and the visitor's selection; a new selection replaces the stored one.
    """
    if rating_list is None:  # no version that would change with the data
        return render()
    name, selection = names
    shown = (
        [(table.pk, str(table), table.rated, table.tournament, table.event.tie_breaks) for table in tables],
        public_entries(event),
    )
    detail = repr((rating_list.slug, event.public_id, selection, shown))

    def compress() -> bytes:
        return zlib.compress(json.dumps(render()).encode(), 1)

    return json.loads(zlib.decompress(cached(rating_list, f"{name} {get_language()}", compress, detail=detail)))


def _render_parts(
    event: Event, rating_list: RatingList | None, tables: Tables, tab: Tab, selection: Selection
) -> list[Any]:
    section = TableSection(build_crosstables(tables, rating_list)[0], rating_list)
    crosstable = section.crosstable
    context = {"event": event, "rating_list": rating_list, "section": section, "crosstable": crosstable}
    return [
        render_to_string("events/counts.html", context),
        render_to_string("events/highlights.html", context),
        render_to_string(f"events/{tab}_tab.html", context | BUILDERS[tab](crosstable, rating_list, selection)),
        crosstable.rounds,
        len(crosstable.promotions),
        list_podium(section),
    ]


def _build_results(crosstable: Crosstable, rating_list: RatingList | None, selection: Selection) -> dict[str, Any]:
    count = len(crosstable.rows)
    kept, whole = dict(selection.place), dict(selection.place) | {"rows": "all"}
    context: dict[str, Any] = {}
    if selection.part:
        results = list_results(crosstable, rating_list, selection.sort, whole, part=selection.part)
    elif count <= ROWS + FEW_MORE:
        results = list_results(crosstable, rating_list, selection.sort, kept)
    else:
        results = list_results(crosstable, rating_list, selection.sort, kept, shown=ROWS)
        context |= {"count": count, "query": urlencode(whole)}
    context["results"] = results
    if count <= CROSSTABLE_AT_MOST and crosstable.rounds:
        context |= _build_crosstable(crosstable, rating_list, selection, ratings=False)
    return context


def _build_crosstable(
    crosstable: Crosstable, rating_list: RatingList | None, selection: Selection, *, ratings: bool
) -> dict[str, Any]:
    is_first = selection.is_first_list
    columns = list(crosstable_columns(crosstable, rating_list, ratings=ratings, is_first_list=is_first))
    order = choose_order(selection.sort, selection.place, rating_list) if ratings else None
    return {"columns": columns, "cells": crosstable_html(crosstable, columns, order)}


def _build_whole_crosstable(
    crosstable: Crosstable, rating_list: RatingList | None, selection: Selection
) -> dict[str, Any]:
    return _build_crosstable(crosstable, rating_list, selection, ratings=True)


def _build_round(crosstable: Crosstable, _list: RatingList | None, selection: Selection) -> dict[str, Any]:
    number = selection.round if 0 < selection.round <= crosstable.rounds else crosstable.rounds
    return {
        "number": number,
        "query": urlencode(selection.place),
        "rounds": range(1, crosstable.rounds + 1),
        "pairings": list_pairings(crosstable, number) if number else [],
    }


def _build_grades(crosstable: Crosstable, rating_list: RatingList | None, _selection: Selection) -> dict[str, Any]:
    return {"promotions": promotions_html(crosstable, rating_list)}


BUILDERS: dict[Tab, Callable[[Crosstable, RatingList | None, Selection], dict[str, Any]]] = {
    Tab.RESULTS: _build_results,
    Tab.CROSSTABLE: _build_whole_crosstable,
    Tab.ROUNDS: _build_round,
    Tab.GRADES: _build_grades,
}
