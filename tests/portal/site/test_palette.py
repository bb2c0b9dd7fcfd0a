"""Colours of charts, pictures and PDF files."""

import re

import pytest

from portal.site.houses import HOUSES
from portal.site.palette import DARK, LIGHT, Palette, get_palette

LIGHT_BLOCK, DARK_BLOCK = ":root, .light", ":root[data-theme=dark]"


def read_tokens(settings, *blocks):
    """Return the colours of blocks of tokens.css, in six digits; tokens of later blocks replace those of earlier ones."""
    css, found = (settings.BASE_DIR / "static" / "portal" / "tokens.css").read_text(), {}
    for block in blocks:
        found |= re.findall(r"--([\w-]+): (#\w+|var\(--[\w-]+\));", css.partition(f"{block} {{")[2].partition("}")[0])
    colours = {}
    for name, value in found.items():
        colour = found.get(value.removeprefix("var(--").removesuffix(")"), value)
        colours[name.replace("-", "_")] = re.sub("^#(.)(.)(.)$", r"#\1\1\2\2\3\3", colour)
    return colours


@pytest.mark.parametrize(
    ("palette", "blocks"), [(LIGHT, [LIGHT_BLOCK]), (DARK, [LIGHT_BLOCK, DARK_BLOCK])], ids=["light", "dark"]
)
def test_palette_has_the_colours_of_the_pages(palette, blocks, settings):
    tokens = read_tokens(settings, *blocks)
    assert palette._asdict() == {name: tokens.get(name) for name in Palette._fields}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    ("theme", "block"), [("light", "\n[data-house={}]"), ("dark", ":root[data-theme=dark] [data-house={}]")]
)
def test_accent_is_that_of_the_house(house, theme, block, settings):
    accent = read_tokens(settings, block.format(house))["accent"]
    assert get_palette(theme, house) == get_palette(theme)._replace(accent=accent)


@pytest.mark.parametrize("theme", [None, "", "purple", "light"])
def test_palette_is_light_unless_dark_is_chosen(theme):
    assert get_palette(theme) == LIGHT
