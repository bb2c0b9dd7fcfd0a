"""Graphs of ratings: where points, lines, bands and badges stand."""

import datetime as dt
import math
import re
from itertools import pairwise

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from portal.charts.axes import BROAD, MIN_SPAN, NARROW, Band, measure_text
from portal.charts.curves import Curve, GraphPoint
from portal.charts.fitted_text import BOLD, measure
from portal.charts.graph import draw_graph
from portal.charts.marks import BADGE_ROWS, Mark

DAY = dt.date(2020, 1, 1)


def draw(points, frame=BROAD, decimals=0, **options):
    days = [point.day for point in points]
    return draw_graph([Curve("Ana", points, decimals)], frame, span=(min(days), max(days)), **options)


def at(days, rating, **fields):
    return GraphPoint(DAY + dt.timedelta(days), rating, **fields)


def polylines(drawing):
    lines = re.findall(r'<polyline class="g-line[^"]*" points="([^"]*)"', drawing.content)
    return [[tuple(map(float, pair.split(","))) for pair in line.split()] for line in lines]


def labels(drawing, css):
    return re.findall(rf'<text class="{css}"[^>]*>([^<]*)<', drawing.content)


def x_of_labels(drawing, css):
    return [float(x) for x in re.findall(rf'<text class="{css}" x="([^"]*)"', drawing.content)]


@pytest.mark.parametrize("frame", [BROAD, NARROW])
def test_points_stand_where_their_day_and_rating_are(frame):
    drawing = draw([at(0, 1500), at(365, 1600), at(730, 1550)], frame)
    (first, middle, last) = drawing.positions[0]
    assert polylines(drawing) == [drawing.positions[0]]
    assert middle[0] - first[0] == pytest.approx(last[0] - middle[0], abs=0.5)
    assert middle[1] < last[1] < first[1]
    # 50 points are half as high as 100
    assert last[1] - middle[1] == pytest.approx((first[1] - middle[1]) / 2, abs=0.2)


@given(
    st.lists(st.tuples(st.integers(0, 5000), st.floats(-400, 3000)), min_size=1, max_size=60),
    st.sampled_from([BROAD, NARROW]),
)
def test_all_points_stand_within_the_plot(values, frame):
    drawing = draw([at(day, rating) for day, rating in sorted(values)], frame)
    for x, y in drawing.positions[0]:
        assert frame.left <= x <= frame.right
        assert frame.top <= y <= frame.bottom
    assert all(left[0] <= right[0] for left, right in pairwise(drawing.positions[0]))


@given(st.floats(0, 3000), st.floats(0, 3000))
def test_rating_lines_enclose_all_ratings_and_are_few(one, other):
    drawing = draw([at(0, one), at(900, other)])
    texts = re.findall(r'text-anchor="end">([^<]+)<', drawing.content)
    lines = [float(text.replace("\u2212", "-")) for text in texts]
    assert min(lines) <= min(one, other)
    assert max(lines) >= max(one, other)
    assert 2 <= len(lines) <= BROAD.lines
    assert lines[-1] - lines[0] >= MIN_SPAN


def test_points_of_one_day_stand_beside_one_another():
    drawing = draw([at(0, 1500), at(0, 1600), at(1, 1700)])
    xs = [x for x, _ in drawing.positions[0]]
    assert xs == sorted(set(xs))


def test_gap_breaks_the_line():
    drawing = draw([at(0, 1500), at(100, 1600), at(200, 1550, gap=True), at(300, 1570)])
    assert [len(line) for line in polylines(drawing)] == [2, 2]
    assert drawing.content.count("g-area") == 2


def test_steps_stay_on_the_rating_until_the_next_point():
    ((first, corner, last),) = polylines(draw([at(0, 1500), at(100, 1600)], steps=True))
    assert corner == (last[0], first[1])


def test_points_that_nearly_meet_are_drawn_once():
    drawing = draw([at(0, 1500), at(1, 1500.5), at(1000, 1600)])
    assert drawing.content.count('class="g-pt') == 2
    assert len(drawing.positions[0]) == 3


def test_highest_rating_is_marked_and_the_last_is_written():
    drawing = draw([at(0, 1500), at(365, 1701.26), at(730, 1650.04)], decimals=1)
    x, y = drawing.positions[0][1]
    assert f'<circle class="g-peak" cx="{x}" cy="{y}"' in drawing.content
    assert labels(drawing, "g-now") == ["1650.0"]


@pytest.mark.parametrize("frame", [BROAD, NARROW])
def test_last_rating_ends_left_of_the_names_of_grades(frame):
    drawing = draw([at(0, 1600), at(365, 1690.26)], frame, decimals=2, bands=[Band("1 Kyu", 1560), Band("1 Dan", 1680)])
    (now,), names = (x_of_labels(drawing, css) for css in ("g-now", "g-bandname"))
    assert now + measure("1690.26", BOLD) * 14 / 2 < min(names)  # 14 px, as in graph.css


def test_bands_are_named_where_there_is_room():
    bands = [Band("1 Kyu", 1560), Band("1 Dan", 1680), Band("2 Dan", 1681)]
    drawing = draw([at(0, 1600), at(365, 1700)], bands=bands)
    assert labels(drawing, "g-bandname") == ["1 Kyu", "2 Dan"]


def test_badges_of_near_promotions_do_not_overlap():
    points = [at(n * 20, 1500 + n, mark=Mark(f"{n} Dan", "promotion")) for n in range(1, BADGE_ROWS + 1)]
    drawing = draw([*points, at(4000, 1600)])
    boxes = re.findall(
        r'<rect class="g-badge promotion" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="20"', drawing.content
    )
    spans = [(float(x), float(y), float(x) + float(width)) for x, y, width in boxes]
    assert len(spans) == BADGE_ROWS
    for number, (x, y, right) in enumerate(spans):
        assert all(other_y != y or math.isclose(0, max(0, min(right, end) - max(x, start)))
                   for start, other_y, end in spans[:number])  # fmt: skip


def test_marks_say_what_happened_to_the_grade():
    marks = [Mark("1 Dan", "promotion"), Mark("1 Kyu", "demotion"), Mark("5 Dan", "waiting")]
    drawing = draw([at(n * 500, 1500, mark=mark) for n, mark in enumerate(marks)])
    assert re.findall(r'<text class="g-badgename[^>]*>([^<]*)</text></g>', drawing.content) == [
        "1 Dan", "↓ 1 Kyu", "5 Dan?",
    ]  # fmt: skip


def test_mark_without_room_for_its_badge_has_its_line_and_its_point():
    grades = [f"{n} Dan" for n in range(BADGE_ROWS + 3)]
    points = [at(n, 1500, mark=Mark(grade, "promotion", f"{grade}, {n}")) for n, grade in enumerate(grades)]
    drawing = draw([*points, at(4000, 1600)])
    titles = [f"{grade}, {n}" for n, grade in enumerate(grades)]
    assert labels(drawing, "g-badgename promotion") == grades[:BADGE_ROWS]
    assert (
        re.findall(r'<g class="g-promo promotion"><title>([^<]*)</title><line class="g-drop"', drawing.content)
        == titles
    )
    assert (
        re.findall(r'<circle class="g-mark promotion"[^>]*><title>([^<]*)</title></circle>', drawing.content) == titles
    )
    ends = re.findall(r'<line class="g-drop"[^>]* y2="(\d+)"/></g>', drawing.content)
    assert ends == [str(BROAD.bottom)] * 3


def below(drawing):
    return re.findall(r'class="g-text"[^>]*text-anchor="middle">([^<]*)<', drawing.content)


def test_years_stand_below_long_spans_and_months_below_short_ones():
    assert below(draw([at(0, 1500), at(2000, 1510)])) == ["2021", "2022", "2023", "2024", "2025"]
    assert below(draw([at(0, 1500), at(180, 1510)]))[:3] == ["Jan 2020", "Feb 2020", "Mar 2020"]


@pytest.mark.parametrize(
    ("language", "months"),
    [
        ("en", ["Jan 2020", "Feb 2020", "Mar 2020", "Apr 2020"]),
        ("de", ["Jan. 2020", "Feb. 2020", "März 2020", "April 2020"]),
        ("fr", ["jan. 2020", "fév. 2020", "mars 2020", "avr. 2020"]),
        ("ja", ["2020年1月", "2020年2月", "2020年3月", "2020年4月"]),
    ],
)
def test_months_have_the_short_names_of_the_language(language, months):
    with override(language):
        assert below(draw([at(0, 1500), at(90, 1510)])) == months


@pytest.mark.parametrize("frame", [BROAD, NARROW])
@pytest.mark.parametrize("ratings", [[1500], [1500, 1560], [1500, 1560, 1540]])
def test_graph_of_a_single_day_has_both_axes(frame, ratings):
    drawing = draw([at(0, rating) for rating in ratings], frame)
    assert below(drawing) == ["1 Jan 2020"]
    assert len(re.findall(r'text-anchor="end">', drawing.content)) >= 2
    xs = [x for x, _ in drawing.positions[0]]
    assert sum(xs) / len(xs) == pytest.approx((frame.left + frame.right) / 2, abs=0.2)
    assert max(xs) - min(xs) == pytest.approx(
        (frame.right - frame.left) * 3 / 4 * (len(ratings) - 1) / len(ratings), abs=0.2
    )


def test_graph_of_a_few_weeks_labels_the_days():
    assert below(draw([at(0, 1500), at(1, 1510)])) == ["1 Jan 2020", "2 Jan 2020"]
    assert below(draw([at(0, 1500), at(30, 1510)])) == [
        "29 Dec 2019", "4 Jan 2020", "10 Jan 2020", "16 Jan 2020", "22 Jan 2020", "28 Jan 2020", "3 Feb 2020",
    ]  # fmt: skip
    assert below(draw([at(0, 1500), at(30, 1510)], NARROW)) == ["1 Jan 2020", "14 Jan 2020", "27 Jan 2020"]


def test_names_are_escaped():
    curves = [Curve("<b>&", [at(0, 1500), at(9, 1510)]), Curve("Bo", [at(0, 1400), at(9, 1500)])]
    content = draw_graph(curves, BROAD, span=(DAY, DAY + dt.timedelta(9))).content
    assert ("<b>" in content, "&lt;b&gt;&amp;" in content) == (False, True)
    assert [css in content for css in ("g-line c1", "g-line c2", "g-area")] == [True, True, False]


LONG = "Wolfeschlegelsteinhausenbergerdorff-Quadrupel, Maximilian Alexander"
NAMES = [LONG, "Ana", "W" * 60, "佐藤 健一郎", "Bo (FESA)"]


def name_lines(drawing):
    """Return the (base line, text) of each line of the names beside a graph, by the number of the curve."""
    lines = {}
    for number, y, text in re.findall(r'<text class="g-name c(\d)" x="[\d.]+" y="([\d.]+)">([^<]*)<', drawing.content):
        lines.setdefault(int(number), []).append((float(y), text))
    return lines


@pytest.mark.parametrize("rating", [1500, 1400, 1700])
def test_names_of_several_curves_are_whole_and_do_not_overlap(rating):
    curves = [Curve(name, [at(0, 1500), at(400, rating + n)]) for n, name in enumerate(NAMES)]
    curves.append(Curve("Top", [at(0, 1300), at(400, 1800)]))
    drawing = draw_graph(curves, BROAD, span=(DAY, DAY + dt.timedelta(400)))
    lines = name_lines(drawing)
    joined = {number: "".join(text for _y, text in of).replace(" ", "") for number, of in lines.items()}
    assert joined == {number: curve.name.replace(" ", "") for number, curve in enumerate(curves, 1)}
    heights = sorted(y for of in lines.values() for y, _text in of)
    assert all(below - above >= 14 for above, below in pairwise(heights))
    assert 0 < heights[0] < heights[-1] <= BROAD.height
    assert max(measure_text(text) for of in lines.values() for _y, text in of) <= BROAD.width - drawing.frame.right - 8
    assert re.findall(r'<polyline class="g-line c(\d)"[^>]*><title>([^<]*)</title>', drawing.content) == [
        (str(number), curve.name) for number, curve in enumerate(curves, 1)
    ]


def test_short_names_leave_the_plot_its_width():
    curves = [Curve(name, [at(0, 1500), at(400, 1600)]) for name in ("Ana", "Bo")]
    broad, narrow = (draw_graph(curves, frame, span=(DAY, DAY + dt.timedelta(400))) for frame in (BROAD, NARROW))
    assert (broad.frame.right, narrow.frame.right) == (676, NARROW.right)
    assert name_lines(narrow) == {}
