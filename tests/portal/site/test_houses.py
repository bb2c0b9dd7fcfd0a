"""Colours of the houses in pictures and files."""

import re
from pathlib import Path

from portal.site.houses import HOUSES, as_rgb
from ratings.models import Federation


def test_houses_have_the_colours_of_the_pages():
    tokens = Path("static/portal/tokens.css").read_text()
    found = {}
    for name, block in re.findall(r"^\[data-house=(\w+)\] \{(.*?)\}", tokens, re.MULTILINE):
        colours = dict(re.findall(r"--([\w-]+): (#\w+);", block))
        found[name] = (colours["accent"], colours["head"], colours["head-quiet"])
    assert found == HOUSES
    assert set(HOUSES) == set(Federation.House.values)


def test_colour_is_read_as_three_numbers():
    assert as_rgb("#2a4a9f") == (42, 74, 159)
