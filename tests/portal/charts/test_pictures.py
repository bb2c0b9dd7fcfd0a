"""Graphs as files: the title is whole, in as many lines as it needs."""

import datetime as dt
import io

import pytest
from defusedxml import ElementTree
from PIL import Image

from portal.charts.axes import BROAD
from portal.charts.curves import Curve, GraphPoint
from portal.charts.graph import draw_graph
from portal.charts.pictures import as_png, render_picture
from tests.cards import SVG

DAY = dt.date(2024, 1, 1)
LONG = ", ".join(f"Wolfeschlegelsteinhausen Maximilian {number}" for number in range(5))


@pytest.mark.parametrize(("title", "lines"), [("Ana – FESA", 1), (LONG, 3), ("<&>\x00", 1)])
def test_title_is_whole(title, lines):
    drawing = draw_graph([Curve("Ana", [GraphPoint(DAY, 1500)])], BROAD, span=(DAY, DAY))
    picture = render_picture(drawing, title, "light")
    texts = [text for text in ElementTree.fromstring(picture).iter(f"{SVG}text") if text.get("class") == "title"]
    assert " ".join(text.text for text in texts).strip() == title.replace("\x00", "").strip()
    height = BROAD.height + 36 + 20 * (lines - 1)
    assert Image.open(io.BytesIO(as_png(picture))).size == (2 * BROAD.width, 2 * height)
