"""The points of a graph as a table below it and as a CSV file, with the same columns and rows."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.players.graphs import Graph, mark_labels
from portal.templatetags.portal_format import rating, sign_class, signed
from ratings.addresses import address_of
from ratings.formats.formulas import guard_formula
from ratings.localize import format_day
from ratings.models import RatingList

PER_PAGE = 200
"""Number of points on a page of the table."""


class Column(NamedTuple):
    """A column: its name in files, its label on pages, and the class of its cells."""

    name: str
    label: str
    css: str = ""


def explanation_address(point: dict[str, Any], rating_list: RatingList, public_id: str) -> str:
    """Return the address of the explanation of a player's point on a list; empty if it has none."""
    if point["table"] and point["rated"]:
        return address_of("explanation", rating_list.slug, point["table"], public_id)
    if point["closing"]:
        return reverse("closing_explanation", args=[rating_list.slug, point["date"], public_id])
    return ""


@dataclass(frozen=True)
class Row:
    """A point of the graph with the name of its curve and the public id of its player."""

    curve: str
    rating_list: RatingList
    public_id: str
    point: dict[str, Any]

    def format_cells(self) -> dict[str, str]:
        """Return the cells of the page, by the names of the columns; a change is a link to its explanation."""
        point, mark, deviation = self.point, self.point["mark"], self.point["deviation"]
        return {
            "date": format_day(dt.date.fromisoformat(point["date"])),
            "name": self.curve,
            "rating": rating(point["rating"], self.rating_list),
            "deviation": "" if deviation is None else f"±{rating(deviation, self.rating_list)}",
            "change": self.link_change(),
            "event": str(point["event"]),
            "grade": mark["grade"] if mark else "",
            "state": mark_labels()[mark["kind"]] if mark else "",
        }

    def link_change(self) -> str:
        change = self.point["change"]
        text = signed(change, self.rating_list)
        address = explanation_address(self.point, self.rating_list, self.public_id) if text else ""
        link = '<a class="change {}" href="{}">{}</a>'
        return format_html(link, sign_class(change), address, text) if address else text

    def write_cells(self) -> dict[str, str]:
        """Return the values of the file, by the names of the columns."""
        point, mark = self.point, self.point["mark"]
        numbers = {name: point[name] for name in ("rating", "deviation", "change")}
        decimals = self.rating_list.decimals
        return {
            "date": point["date"],
            "name": guard_formula(self.curve),
            **{name: "" if value is None else f"{value:.{decimals}f}" for name, value in numbers.items()},
            "event": guard_formula(str(point["event"])),
            "grade": mark["grade"] if mark else "",
            "state": mark["kind"] if mark else "",
        }


@dataclass(frozen=True)
class PointTable:
    """A page of the points of a graph; it is `open` for a reader who asked for a page of it."""

    columns: list[Column]
    page: Page[Row]
    is_open: bool

    @property
    def rows(self) -> SafeString:
        """The rows as HTML, which a template would take longer to render than the rest of the page."""
        _date, *others = self.columns
        cells = f'<th scope="row" role="rowheader">{{}}</th>{"".join(map(_cell_pattern, others))}'
        texts = (row.format_cells() for row in self.page.object_list)
        return format_html_join(
            "", f'<tr role="row">{cells}</tr>', ([text[column.name] for column in self.columns] for text in texts)
        )


def _cell_pattern(column: Column) -> str:
    """Return the HTML of a cell, with a place for its text; phones show the column's label beside it."""
    css = format_html(' class="{}"', column.css) if column.css else ""
    label = str(escape(column.label)).replace("{", "{{").replace("}", "}}")
    return f'<td role="cell"{css} data-label="{label}">{{}}</td>'


def list_columns(graph: Graph) -> list[Column]:
    """Return the columns that the points of a graph fill."""
    points = [point for of in graph.points for point in of]
    columns = {
        Column("date", _("Date")): True,
        Column("name", _("Name")): len(graph.careers) > 1,
        Column("rating", _("Rating"), "number"): True,
        Column("deviation", _("Deviation"), "number"): any(point["deviation"] is not None for point in points),
        Column("change", "±", "number"): True,
        Column("event", _("Event"), "text"): True,
        Column("grade", _("Grade")): any(point["mark"] for point in points),
        Column("state", _("State"), "quiet"): any(point["mark"] for point in points),
    }
    return [column for column, is_filled in columns.items() if is_filled]


def list_rows(graph: Graph) -> Sequence[Row]:
    """Return all points of a graph, newest first; those of one day in the order of the curves."""
    rows = [
        Row(name, career.rating_list, career.player.public_id, point)
        for name, career, points in zip(graph.names, graph.careers, graph.points, strict=True)
        for point in reversed(points)
    ]
    return sorted(rows, key=lambda row: row.point["date"], reverse=True)


def build_point_table(request: HttpRequest, graph: Graph) -> PointTable:
    """Return the page of the table that `page` of the query asks for."""
    page = Paginator(list_rows(graph), PER_PAGE).get_page(request.GET.get("page"))
    return PointTable(list_columns(graph), page, "page" in request.GET)


def points_response(graph: Graph) -> HttpResponse:
    """Return a CSV file with all points of a graph, in the rows and columns of its table."""
    ids = dict.fromkeys(career.player.public_id for career in graph.careers)
    name = "-".join([*ids, graph.rating_list.slug])
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    response = HttpResponse(content_type="text/csv; charset=utf-8", headers=headers)
    names = [column.name for column in list_columns(graph)]
    out = csv.DictWriter(response, names, extrasaction="ignore")
    out.writeheader()
    out.writerows(row.write_cells() for row in list_rows(graph))
    return response
