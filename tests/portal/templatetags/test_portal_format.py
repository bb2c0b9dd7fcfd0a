"""Numbers of explanations as pages show them."""

import datetime as dt

import pytest
from django.template import Context, Template
from django.utils.safestring import SafeString
from django.utils.translation import override

from portal.templatetags.portal_format import (
    as_sentence,
    colon,
    exact_change,
    percent,
    rating,
    shortest,
    signed,
    unrounded,
    written,
)
from portal.templatetags.portal_players import chance
from ratings.localize import format_day
from ratings.models import RatingList


@pytest.mark.parametrize(
    ("number", "format", "text"),
    [
        (6.741, "signed", "+6.74"),
        (-9.08, "signed", "−9.08"),
        (-0.001, "signed", "0.00"),
        (0, "signed", "0.00"),
        (0.5157, "exact_signed", "+0.516"),
        (-0.0001, "exact_signed", "0.000"),
        (-12.3456, "exact", "−12.346"),
        (None, "signed", ""),
    ],
)
def test_term_is_written_with_its_sign_and_decimals(number, format, text):
    assert written(number, format, None) == text


def test_part_of_a_change_that_is_zero_has_no_sign():
    assert [exact_change(value) for value in (0.004, -0.004, 6.738, -9.08)] == ["0.00", "0.00", "+6.74", "−9.08"]


@pytest.mark.parametrize(
    ("language", "heading", "sentence"),
    [("en", "Shogi:", "Done."), ("fr", "Shogi\u202f:", "Done."), ("ja", "Shogi：", "Done。")],
)
def test_colon_and_full_stop_follow_the_language(language, heading, sentence):
    with override(language):
        assert (colon("Shogi"), as_sentence("Done")) == (heading, sentence)


def test_full_stop_is_not_doubled():
    assert as_sentence("A person wrote this.") == "A person wrote this."


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "27 Sep 2026"), ("de", "27.09.2026"), ("fr", "27 sept. 2026"), ("ja", "2026年9月27日")],
)
def test_days_are_written_as_the_language_does(language, text):
    with override(language):
        assert (format_day(dt.date(2026, 9, 27)), format_day(None)) == (text, "")


def test_colon_keeps_markup_and_escapes_texts():
    shown = Template("{% load portal_format %}{{ link|colon }} {{ typed|colon }}").render(
        Context({"link": SafeString("<b>Cup</b>"), "typed": "<Cup>"})
    )
    assert shown == "<b>Cup</b>: &lt;Cup&gt;:"


@pytest.mark.parametrize(("language", "separator"), [("en", "."), ("ja", "."), ("de", ","), ("fr", ",")])
def test_numbers_have_the_decimal_sign_of_the_language(language, separator):
    go = RatingList(slug="go", name="Go", system="bgf")
    with override(language):
        texts = [
            rating(-77.5, go),
            signed(8.3, go),
            signed(0, go),
            unrounded(4.1),
            exact_change(-0.25),
            percent(0.998, 1),
            chance(0.9981),
            shortest(14.5),
            written(0.62321, "share", go),
            written(3.27, "exact_signed", go),
        ]
    expected = ["−77.5", "+8.3", "±0.0", "4.10", "−0.25", "99.8 %", "99.8 %", "14.5", "0.6232", "+3.270"]
    assert texts == [text.replace(".", separator) for text in expected]


def test_whole_numbers_are_the_same_in_every_language():
    with override("de"):
        assert (rating(-1200), rating(12345), shortest(16.0)) == ("−1200", "12345", "16")
