"""The tables of an event's page, kept once made: a large one takes some tenths of a second.

They are kept under everything that they tell: the list's revision and what of it is pending (another one with every
input and every finished run), the language, the tables themselves, and how each player is named. So nothing can be
shown that is not so any more, and nothing has to be thrown away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from portal.crosstables import Column, columns_of, crosstable_html, promotions_html
from portal.files import FILES, File
from portal.templatetags.portal_format import countries_by_name
from ratings.formats.carrying import lossless_forms
from ratings.models import Event, RatedTable, RatingList, Table
from ratings.queries.crosstables import Crosstable, CrosstableRow, filled, parsed_table
from ratings.queries.events import named_seats
from ratings.queries.kept import version_of
from ratings.systems.protocol import System

SECONDS = 24 * 3600
PODIUM = 3


def event_tables(event: Event, rating_list: RatingList | None, tables: Mapping[Table, RatedTable | None]) -> SafeString:
    """The sections of an event's tables as HTML; kept only where they are rated on a list, which tells of changes."""
    if rating_list is None:
        return _made(event, None, tables)
    key = _key(event, rating_list, tables)  # before anything that it stands for is read
    kept: str | None = cache.get(key)
    if kept is None:
        kept = _made(event, rating_list, tables)
        cache.set(key, str(kept), SECONDS)
    return SafeString(kept)  # made by _made


def _key(event: Event, rating_list: RatingList, tables: Mapping[Table, RatedTable | None]) -> str:
    state = (version_of(rating_list), rating_list.slug)
    own = [(table.pk, str(table), table.rated, table.tournament) for table in tables]
    told = repr((get_language(), state, event.public_id, own, named_seats(event)))
    return f"event-{event.pk}-{hashlib.sha256(told.encode()).hexdigest()}"


def _made(event: Event, rating_list: RatingList | None, tables: Mapping[Table, RatedTable | None]) -> SafeString:
    several = enumerate(filled(tables, rating_list), 1)
    sections = [section_of(crosstable, rating_list, f"t{number}-") for number, crosstable in several]
    return render_to_string(
        "portal/event_tables.html", {"event": event, "rating_list": rating_list, "sections": sections}
    )


@dataclass(frozen=True)
class Section:
    """A table as the page has it; `first` are those who came first, `countries` the codes in it with their names."""

    crosstable: Crosstable
    columns: list[Column]
    cells: SafeString
    first: list[tuple[int, CrosstableRow]]
    countries: list[tuple[str, str]]
    promotions: SafeString
    files: dict[str, File]


def section_of(crosstable: Crosstable, rating_list: RatingList | None, prefix: str) -> Section:
    columns = list(columns_of(crosstable, rating_list, prefix))
    return Section(
        crosstable,
        columns,
        crosstable_html(crosstable, columns, prefix),
        first_of(crosstable),
        countries_by_name({str(row.entry.player.country) for row in crosstable.rows} - {""}),
        promotions_html(crosstable, rating_list),
        files_of(crosstable, rating_list),
    )


def first_of(table: Crosstable) -> list[tuple[int, CrosstableRow]]:
    """Who came first, second and third, with their places; nobody where so many share them that it tells nothing."""
    several = [(placing.place, number) for number, placing in table.placings.items() if placing.place <= PODIUM]
    rows = {row.entry.number: row for row in table.rows}
    return [(place, rows[number]) for place, number in sorted(several)] if len(several) <= 2 * PODIUM else []


def files_of(table: Crosstable, rating_list: RatingList | None) -> dict[str, File]:
    """The formats of the list's system in which nothing of the table is lost."""
    offered = rating_list.rating_system.files if rating_list else System.files
    lossless = lossless_forms(parsed_table(table, published=False))
    return {form: FILES[form] for form in offered if form in lossless}
