import django_tables2 as tables
from django.core.paginator import Paginator
from django.utils.html import conditional_escape

from portal.site.listing_rows import render_rows


class Towns(tables.Table):
    """Table with every kind of column that listings have."""

    name = tables.Column(linkify=lambda record: f"/{record['name']}/", attrs={"td": {"class": "name who"}})
    country = tables.Column(accessor="country__code", default="–")
    line = tables.Column(empty_values=())
    people = tables.Column()
    whole = tables.Column(empty_values=(), accessor="missing")

    class Meta:
        attrs = {"role": "table"}

    def render_line(self, record, table):
        return f"{record['name']} of {len(table.rows)}"

    def render_people(self, value, column, bound_column, bound_row):
        return f"{value} {bound_column.name} {bound_row.record['name']} {column.visible}"

    def render_whole(self, **arguments):
        return ", ".join(sorted(arguments))


TOWNS = [
    {"name": "<Ulm>", "country": {"code": "DE"}, "people": 126},
    {"name": "Pau", "country": None, "people": 0},
    {"name": "Gap", "country": {"code": ""}, "people": None},
]


def make_table():
    table = Towns(TOWNS)
    table.paginator = Paginator(table.rows, 2)
    table.page = table.paginator.get_page(1)
    return table


def test_rows_equal_the_cells_of_django_tables2():
    expected = [
        "".join(
            f'<td role="cell" {column.attrs["td"].as_html()}>{conditional_escape(cell)}</td>'
            for column, cell in row.items()
        )
        for row in make_table().paginated_rows
    ]
    assert [str(row) for row in render_rows(make_table())] == [f'<tr role="row">{cells}</tr>' for cells in expected]
    assert expected[0] == (
        '<td role="cell" class="name who"><a href="/&lt;Ulm&gt;/">&lt;Ulm&gt;</a></td>'
        '<td role="cell" >DE</td><td role="cell" >&lt;Ulm&gt; of 3</td><td role="cell" >126 people &lt;Ulm&gt; True</td>'
        '<td role="cell" >bound_column, bound_row, column, record, table, value</td>'
    )
