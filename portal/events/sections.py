"""Podium, highlights and files of a table on an event's page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

from portal.events.highlights import Remark, list_remarks
from portal.site.files import FILES, File
from portal.templatetags.portal_format import sorted_countries
from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell
from ratings.localize import join_parts
from ratings.models import RatingList
from ratings.queries.events.crosstables import Crosstable, CrosstableRow
from ratings.queries.events.highlights import find_highlights
from ratings.queries.events.parsed_tables import parsed_table
from ratings.systems.presentation import Presentation

PODIUM = 3


@dataclass(frozen=True)
class TableSection:
    crosstable: Crosstable
    rating_list: RatingList | None

    @cached_property
    def podium(self) -> list[tuple[int, CrosstableRow]]:
        """Return (place, row) of places one to three; empty if more than 2 * PODIUM players share these places."""
        table = self.crosstable
        places = [(placing.place, number) for number, placing in table.placings.items() if placing.place <= PODIUM]
        rows = {row.entry.number: row for row in table.rows}
        return [(place, rows[number]) for place, number in sorted(places)] if len(places) <= 2 * PODIUM else []

    @cached_property
    def remarks(self) -> list[Remark]:
        """Highlights on the list: upset, performance and new grades."""
        if self.rating_list is None:
            return []
        return list(list_remarks(find_highlights(self.crosstable, self.rating_list.rating_system), self.rating_list))

    @property
    def order(self) -> str:
        """Return the sentence that says what the players are ordered by; empty for results without an order."""
        table = self.crosstable
        if not table.has_order:
            return ""
        if table.has_official_places:
            return gettext("The places are official: they came with the results.")
        if table.tie_breaks is None:
            return gettext("Players are listed by points. The event has neither official places nor tie-breaks.")
        if not table.tie_breaks:
            return gettext("Places are by points. Players with equal points share the place.")
        names = (self.rating_list.rating_system.presentation if self.rating_list else Presentation).tie_breaks
        tie_breaks = join_parts(names[each] for each in table.tie_breaks)
        return gettext("Places are by points, then by these tie-breaks in order: %(names)s.") % {"names": tie_breaks}

    @property
    def countries(self) -> list[str]:
        """Codes and names of the players' countries, such as “DE Germany”."""
        codes = {str(row.entry.player.country) for row in self.crosstable.rows} - {""}
        return [f"{code} {name}" for name, code in sorted_countries(codes)]

    @cached_property
    def files(self) -> dict[str, File]:
        return lossless_files(self.crosstable, self.rating_list)

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


def lossless_files(table: Crosstable, rating_list: RatingList | None) -> dict[str, File]:
    """Return the file formats of the list's system that preserve all data of the table."""
    offered = rating_list.rating_system.presentation.files if rating_list else Presentation.files
    lossless = lossless_formats(parsed_table(table, published=True))
    return {format: FILES[format] for format in offered if format in lossless}
