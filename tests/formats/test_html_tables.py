"""Tables of a piece of HTML: texts of cells only, whatever the markup is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.formats.html_tables import (
    CELLS_AT_MOST,
    ROWS_AT_MOST,
    TABLES_AT_MOST,
    TEXT_AT_MOST,
    read_tables,
)


def test_cells_are_texts_with_joined_blanks():
    html = """<h2>Round 1</h2><table class="pairings"><thead><tr><th>Tbl</th><th>white</th><th>black</th></tr></thead>
    <tbody><tr><td>1</td><td><b>Muster</b>  Anna\n(3d)</td><td>Dupont<br>Luc &amp; Co &lt;x&gt;</td></tr></tbody></table>"""
    assert read_tables(html) == [
        [["Tbl", "white", "black"], ["1", "Muster Anna (3d)", "Dupont Luc & Co <x>"]],
    ]


@pytest.mark.parametrize(
    ("html", "tables"),
    [
        ("", []),
        ("no table", []),
        ("<table></table><table><tr></tr></table>", []),
        ("<table><tr><td>a<td>b<tr><td>c", [[["a", "b"], ["c"]]]),
        ("<table><tr><td colspan=3>a</td><td>b</td></tr></table>", [[["a", "", "", "b"]]]),
        ("<table><tr><td colspan=x>a</td><td colspan=-1>b</td><td colspan=0>c</td></tr></table>", [[["a", "b", "c"]]]),
        ("<table><tr><td>a<script>evil()</script><style>x</style></td></tr></table>", [[["a"]]]),
        ("<table><tr><td>a<table><tr><td>in</td></tr></table>b</td></tr></table>", [[["ainb"]]]),
        ("<td>outside</td></table><table><td>a</td></table>", [[["a"]]]),
        ("<table><tr><td>\x00a</td></tr></table>", [[["a"]]]),
    ],
)
def test_odd_markup_is_read(html, tables):
    assert read_tables(html) == tables


def test_no_more_than_the_limits_is_read():
    row = f"<tr>{'<td>x</td>' * (CELLS_AT_MOST + 5)}</tr>"
    html = f"<table>{row * (ROWS_AT_MOST + 5)}</table>" + "<table><tr><td>x</td></tr></table>" * (TABLES_AT_MOST + 5)
    tables = read_tables(html)
    assert (len(tables), len(tables[0]), len(tables[0][0])) == (TABLES_AT_MOST, ROWS_AT_MOST, CELLS_AT_MOST)
    assert read_tables(f"<table><td>{'x' * 999}")[0] == [["x" * TEXT_AT_MOST]]


@given(
    st.lists(
        st.sampled_from(
            ["<table>", "</table>", "<tr>", "</td>", "<td colspan=9>", "<p>", "<!--", "&#0;", "a", "<", "]]>"]
        )
    )
)
def test_nothing_makes_the_reader_fail(parts):
    tables = read_tables("".join(parts))
    assert all(row and any(row) for table in tables for row in table)
