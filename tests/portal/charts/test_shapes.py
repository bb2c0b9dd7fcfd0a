"""Shapes of graphs, written as SVG."""

from portal.charts.shapes import Box, Disc, Group, Label, Line, Path, render_shapes


def test_shapes_are_written_with_one_decimal():
    shapes = [
        Line("a", (1.04, 2), (3, 4.25)),
        Box("b", 1, 2, 3, 4.06),
        Box("b", 1, 2, 3, 4, 10),
        Path("c", [(1, 2), (3.14, 4)]),
        Path("d", [(1, 2), (3, 4)], filled=True),
        Disc("e", (1, 2.5), 3.5),
        Label("f", 1, 2, "text"),
        Label("", 1, 2, "text", "end"),
    ]
    assert [render_shapes([shape]) for shape in shapes] == [
        '<line class="a" x1="1.0" x2="3" y1="2" y2="4.2"/>',
        '<rect class="b" x="1" y="2" width="3" height="4.1"/>',
        '<rect class="b" x="1" y="2" width="3" height="4" rx="10"/>',
        '<polyline class="c" points="1,2 3.1,4"/>',
        '<polygon class="d" points="1,2 3,4"/>',
        '<circle class="e" cx="1" cy="2.5" r="3.5"/>',
        '<text class="f" x="1" y="2">text</text>',
        '<text x="1" y="2" text-anchor="end">text</text>',
    ]


def test_titles_and_texts_are_escaped_and_without_control_characters():
    content = render_shapes(
        [Path("c", [(1, 2)], title="<a>"), Group("g", [Disc("e", (1, 2), 3, "&")], "b\x00"), Label("", 1, 2, "<\x07")]
    )
    assert content == (
        '<polyline class="c" points="1,2"><title>&lt;a&gt;</title></polyline>'
        '<g class="g"><title>b </title><circle class="e" cx="1" cy="2" r="3"><title>&amp;</title></circle></g>'
        '<text x="1" y="2">&lt; </text>'
    )
