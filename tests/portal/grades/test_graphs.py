"""Graphs of grades that need approval: marks on days with and without a point."""

import datetime as dt

from portal.charts.axes import Limit
from portal.charts.curves import GraphPoint
from portal.charts.marks import Mark
from portal.charts.run_graph import BROAD, NARROW, draw_run
from portal.charts.shapes import Label
from portal.grades.graphs import mark_days

DAYS = [dt.date(2024, month, 1) for month in range(1, 7)]
ONE, TWO = Mark("1 Dan", "promotion"), Mark("2 Dan", "waiting")


def test_marks_are_put_on_the_last_points_of_their_day():
    points = [GraphPoint(DAYS[0], 1500), GraphPoint(DAYS[1], 1600), GraphPoint(DAYS[1], 1700)]
    assert mark_days(points, [(DAYS[1], ONE), (DAYS[1], TWO)]) == [
        points[0],
        GraphPoint(DAYS[1], 1600, ONE),
        GraphPoint(DAYS[1], 1700, TWO),
    ]


def test_mark_of_a_day_without_a_point_gets_one_with_the_rating_of_the_day():
    points = [GraphPoint(DAYS[1], 1500), GraphPoint(DAYS[3], 1600)]
    marked = mark_days(points, [(DAYS[0], ONE), (DAYS[2], ONE), (DAYS[4], TWO)])
    assert marked == [
        GraphPoint(DAYS[0], 1500, ONE, idle=True),
        points[0],
        GraphPoint(DAYS[2], 1500, ONE, idle=True),
        points[1],
        GraphPoint(DAYS[4], 1600, TWO, idle=True),
    ]


def test_run_shows_the_limit_and_each_month_with_room_below_its_first_game():
    games = [(day, 1500 + 10 * at) for at, day in enumerate(DAYS)]
    texts = {}
    for frame in (BROAD, NARROW):
        shapes = draw_run([1400], games, Limit(1520, "1520 needed"), frame).shapes
        texts[frame.name] = [shape for shape in shapes if isinstance(shape, Label) and shape.anchor != "end"]
    broad, narrow = ([label.text for label in texts[name]] for name in ("broad", "narrow"))
    months = [f"{name} 2024" for name in ("Jan", "Feb", "Mar", "Apr", "May", "Jun")]
    assert broad == ["1520 needed", "1", "2", "3", "4", "5", "6", *months]
    assert narrow == ["1520 needed", "1", "2", "3", "4", "5", "6", *months[::2]]
    assert [texts[name][0].x < frame.right for name, frame in (("broad", BROAD), ("narrow", NARROW))] == [False, True]
