"""Cached tables of an event's page: rendering a large table takes some tenths of a second.

They are cached under all displayed data: the list's version, the language, the tables, and the displayed name of each
player. So outdated tables are never displayed.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from portal.site.files import FILES, File
from portal.templatetags.portal_format import sorted_countries
from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell
from ratings.models import Event, RatedTable, RatingList, Table
from ratings.queries.events.crosstables import Crosstable, CrosstableRow, build_crosstables, parsed_table
from ratings.queries.events.events import public_entries
from ratings.queries.events.highlights import find_highlights
from ratings.queries.lists.list_cache import cached
from ratings.systems.presentation import Presentation

from .crosstables import Column, crosstable_columns, crosstable_html, promotions_html
from .highlights import Remark, list_remarks

PODIUM = 3


TABLES, STORY = "events/event_tables.html", "events/story.html"
"""Templates of the tables on an event's page, and of the podium and the highlights elsewhere."""


def event_tables(
    event: Event, rating_list: RatingList | None, tables: Mapping[Table, RatedTable | None], template: str = TABLES
) -> SafeString:
    """Return an event's tables as HTML; cached only for a list, as its version changes with the data."""
    if rating_list is None:
        return _render_tables(event, None, tables, template)
    names = [(table.pk, str(table), table.rated, table.tournament) for table in tables], public_entries(event)

    def compress_html() -> bytes:
        return zlib.compress(_render_tables(event, rating_list, tables, template).encode(), 1)

    detail = repr((rating_list.slug, event.public_id, names))
    html = cached(rating_list, f"{template} of event {event.pk} {get_language()}", compress_html, detail=detail)
    return SafeString(zlib.decompress(html).decode())  # rendered by _render_tables


def _render_tables(
    event: Event, rating_list: RatingList | None, tables: Mapping[Table, RatedTable | None], template: str
) -> SafeString:
    numbered_crosstables = enumerate(build_crosstables(tables, rating_list), 1)
    sections = [build_section(crosstable, rating_list, f"t{number}-") for number, crosstable in numbered_crosstables]
    return render_to_string(template, {"event": event, "rating_list": rating_list, "sections": sections})


@dataclass(frozen=True)
class Section:
    """Table on the page.

    `podium` has the rows of the first three places, `remarks` are its highlights on the list, `countries` are the
    country codes of the players with their names.
    """

    crosstable: Crosstable
    columns: list[Column]
    cells: SafeString
    podium: list[tuple[int, CrosstableRow]]
    remarks: list[Remark]
    countries: list[tuple[str, str]]
    promotions: SafeString
    files: dict[str, File]

    @property
    def games(self) -> list[Cell]:
        """Games in the federations' notation."""
        return [cell.cell for row in self.crosstable.rows for round_ in row.rounds for cell in round_ if cell.opponent]

    @property
    def has_colours(self) -> bool:
        return any(game.black is not None for game in self.games)

    @property
    def has_handicaps(self) -> bool:
        return any(game.handicap for game in self.games)


def build_section(crosstable: Crosstable, rating_list: RatingList | None, prefix: str) -> Section:
    columns = list(crosstable_columns(crosstable, rating_list, prefix))
    return Section(
        crosstable,
        columns,
        crosstable_html(crosstable, columns, prefix),
        podium(crosstable),
        _list_remarks(crosstable, rating_list),
        sorted_countries({str(row.entry.player.country) for row in crosstable.rows} - {""}),
        promotions_html(crosstable, rating_list),
        lossless_files(crosstable, rating_list),
    )


def _list_remarks(crosstable: Crosstable, rating_list: RatingList | None) -> list[Remark]:
    if rating_list is None:
        return []
    return list(list_remarks(find_highlights(crosstable, rating_list.rating_system), rating_list))


def podium(table: Crosstable) -> list[tuple[int, CrosstableRow]]:
    """Return (place, row) of places one to three; empty if more than 2 * PODIUM players share these places."""
    places = [(placing.place, number) for number, placing in table.placings.items() if placing.place <= PODIUM]
    rows = {row.entry.number: row for row in table.rows}
    return [(place, rows[number]) for place, number in sorted(places)] if len(places) <= 2 * PODIUM else []


def lossless_files(table: Crosstable, rating_list: RatingList | None) -> dict[str, File]:
    """Return the file formats of the list's system that preserve all data of the table."""
    offered = rating_list.rating_system.presentation.files if rating_list else Presentation.files
    lossless = lossless_formats(parsed_table(table, published=False))
    return {format: FILES[format] for format in offered if format in lossless}
