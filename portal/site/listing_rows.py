"""Rows of the listings of django-tables2 as HTML.

django-tables2 inspects the signature of the render method and combines the attributes of the column again for every
cell. For a page of 50 rows and 12 columns that takes longer than everything else; here it happens once for a column.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from django.db.models import Model
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django_tables2 import Table
from django_tables2.columns import BoundColumn, ManyToManyColumn
from django_tables2.rows import BoundRow
from django_tables2.utils import Accessor


class ColumnCells:
    """Cells of a column of a table: the opening tag, and how to render the value of a row."""

    def __init__(self, table: Table, column: BoundColumn, role: str) -> None:
        self.table, self.column = table, column
        self.tag = format_html("<td {}{}>", SafeString('role="cell" ' if role else ""), column.attrs["td"].as_html())
        parameters = inspect.signature(column.render).parameters.values()
        self.takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        self.taken = frozenset(parameter.name for parameter in parameters)
        self.needs_value = self.takes_all or "value" in self.taken or bool(column.column.empty_values)
        self.link = column.link

    def render(self, row: BoundRow) -> str:
        """Return the cell of a row, escaped."""
        value = self.read_value(row.record) if self.needs_value else None
        if self.needs_value and self.is_empty(value):
            return conditional_escape(self.column.default)
        arguments = {
            "value": value,
            "record": row.record,
            "column": self.column.column,
            "bound_column": self.column,
            "bound_row": row,
            "table": self.table,
        }
        chosen = arguments if self.takes_all else {name: arguments[name] for name in arguments if name in self.taken}
        content = self.column.render(**chosen)
        return conditional_escape(self.link(content, **arguments) if self.link else content)

    def is_empty(self, value: Any) -> bool:
        """Return True if the column's default stands for a value."""
        if isinstance(self.column.column, ManyToManyColumn):
            return not value.exists()
        return value in self.column.column.empty_values

    def read_value(self, record: Any) -> Any:
        """Return the value of a record; None if it has none, as for columns that render the whole record."""
        read = _follow if isinstance(record, Model) else Accessor.resolve
        try:
            return read(self.column.accessor, record)
        except (AttributeError, KeyError, ValueError, TypeError):
            return None


def _follow(accessor: Accessor, record: Model) -> Any:
    """Return the attribute of a record that an accessor names; django-tables2 tries each name as an index first."""
    value: Any = record
    for name in accessor.bits:
        value = getattr(value, name)
        if callable(value):
            return accessor.resolve(record)
        if value is None:
            break
    return value


def render_rows(table: Table) -> Iterator[SafeString]:
    """Yield the rows of the table's page. Attributes of a cell depend on its column only, never on the record."""
    role = table.attrs.get("role", "")
    columns = [ColumnCells(table, column, role) for column in table.columns]
    row_tag = '<tr role="row">' if role else "<tr>"
    for row in table.paginated_rows:
        cells = [f"{column.tag}{column.render(row)}</td>" for column in columns]
        yield SafeString(f"{row_tag}{''.join(cells)}</tr>")  # tags and cells are escaped
