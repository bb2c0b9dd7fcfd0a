"""Texts of pictures: wrapped, shrunk and broken until they fit."""

import pytest

from portal.charts.fitted_text import BOLD, SERIF, fit_text, measure

NAME = "Wolfeschlegelsteinhausen, Maximilian Alexander Ferdinand-Konstantin"


def test_short_text_has_the_largest_size():
    assert fit_text("Ono", SERIF, 500, 100, 72) == (["Ono"], 72)


@pytest.mark.parametrize("text", [NAME, "W" * 100, "山本太一" * 30])
@pytest.mark.parametrize(("width", "height"), [(1000, 150), (300, 100), (200, 60)])
def test_text_fits_its_box_and_keeps_every_letter(text, width, height):
    fitted = fit_text(text, BOLD, width, height, 72)
    assert max(measure(line, BOLD) * fitted.size for line in fitted.lines) <= width
    assert fitted.height <= height
    assert "".join("".join(fitted.lines).split()) == "".join(text.split())


def test_words_are_whole_while_they_fit():
    fitted = fit_text(NAME, SERIF, 1000, 150, 72)
    assert " ".join(fitted.lines) == NAME
    assert fitted.size > 50


def test_missing_text_has_no_width():
    assert fit_text("", SERIF, 100, 100, 20).lines == [""]
    assert measure("", SERIF) == 0
