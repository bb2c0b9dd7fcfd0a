"""Drawing of cards: nothing is cut, each script has its font, and the federation's colours and crest."""

import base64
import datetime as dt
import re

import pytest
from defusedxml import ElementTree

from portal.charts.card import Card, Row, Side
from portal.charts.card_pictures import draw_card
from portal.site.federation_identity import Identity
from tests.cards import SVG, read_texts

CREST = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'
FEDERATION = Identity("Federation", "Ratings of all", "pine", CREST)
LONG = "Wolfeschlegelsteinhausenbergerdorff-Quadrupeltelegrafenleitung, Maximilian Alexander Ferdinand-Konstantin"
UNBROKEN = "W" * 100


@pytest.mark.parametrize("name", ["Ono", LONG, UNBROKEN, "Ωμέγα, Ἀλέξανδρος", "<script>&amp;\x00"])
def test_names_are_whole_and_stay_on_the_card(name):
    picture = draw_card(
        Card(FEDERATION, name, name, [name], figure="2308", facts=[("Rank", name)], sentence=name,
             rows=[Row(1, name, "4 Dan", "5 of 5")])
    )  # fmt: skip
    joined = "".join("".join(read_texts(picture)).split())
    assert joined.count("".join(name.replace("\x00", "").split())) == 6
    for element in ElementTree.fromstring(picture).iter(f"{SVG}text"):
        assert 0 < float(element.get("y")) < 630


def test_sides_stay_in_their_halves():
    sides = [Side(UNBROKEN, ["2308 · 4 Dan"]), Side(LONG, ["Not rated yet."])]
    texts = read_texts(draw_card(Card(FEDERATION, "", figure="10½ – 11½", sides=sides)))
    assert UNBROKEN in "".join(texts)
    assert "".join(LONG.split()) in "".join("".join(texts).split())


def test_each_script_has_a_font_that_holds_its_letters():
    picture = draw_card(Card(FEDERATION, "", "Ono 山本 Пётр"))
    runs = re.findall(r'<tspan font-family="([^"]+)" font-weight="(\d+)">([^<]+)</tspan>', picture)
    assert runs[2:] == [
        ("EB Garamond", "600", "Ono "),
        ("BIZ UDPGothic", "400", "山本"),
        ("EB Garamond", "600", " Пётр"),
    ]


def test_card_has_the_crest_and_the_colours_of_the_house():
    picture = draw_card(Card(FEDERATION, "", "Ono"))
    data = base64.b64encode(CREST.encode()).decode()
    assert f'href="data:image/svg+xml;base64,{data}"' in picture
    assert ".head { fill: #102e28; }" in picture
    assert "<image" not in draw_card(Card(FEDERATION._replace(crest=""), "", "Ono"))


def test_grade_is_dark_for_dan_and_outlined_for_kyu():
    for grade, css in (("4 Dan", "ink"), ("4 Kyu", "outline")):
        assert f'<rect class="{css}"' in draw_card(Card(FEDERATION, "", "Ono", figure="2308", grade=grade))


def test_curve_needs_two_ratings():
    days = [(dt.date(2026, 1, 1), 1500.0), (dt.date(2026, 2, 1), 1500.0)]
    drawn = ["polyline" in draw_card(Card(FEDERATION, "", "Ono", figure="1500", curve=days[:n])) for n in (0, 1, 2)]
    assert drawn == [False, False, True]
