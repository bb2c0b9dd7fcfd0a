"""Addresses of pages: the same as Django's `reverse` gives."""

from __future__ import annotations

import pytest
from django.urls import NoReverseMatch, reverse, set_script_prefix

from ratings.addresses import address_of, name_in_address

ADDRESSES = [
    ("list", ("shogi",)),
    ("list", ("a-b_c",)),
    ("club", ("C5H2VLJ", "club-strasbourg")),
    ("player", ("B3XD9PL", "adler-ina")),
    ("player", ("B3XD9PL", "-")),
    ("event", ("K7QW2RT", "open-2026")),
    ("player_events", ("B3XD9PL",)),
    ("explanation", ("shogi", 17, "B3XD9PL")),
    ("explanation", ("shogi", 90000, "900001")),  # arguments that look like the marks between the pieces
    ("events", ()),
]


@pytest.mark.parametrize(("view", "arguments"), ADDRESSES)
def test_address_is_that_of_reverse(view, arguments):
    assert [address_of(view, *arguments) for _ in range(2)] == [reverse(view, args=arguments)] * 2


def test_texts_that_need_quoting_are_quoted():
    assert address_of("player_events", "Ö é") == reverse("player_events", args=["Ö é"])


def test_empty_text_has_no_address():
    with pytest.raises(NoReverseMatch):
        address_of("explanation", "shogi", "", "B3XD9PL")


def test_prefix_of_the_site_may_need_quoting():
    try:
        set_script_prefix("/my ratings/")
        assert address_of("list", "shogi") == reverse("list", args=["shogi"]) == "/my%20ratings/lists/shogi/"
    finally:
        set_script_prefix("/")


def test_address_has_the_prefix_of_the_site():
    address_of("list", "shogi")
    try:
        set_script_prefix("/ratings/")
        assert address_of("list", "shogi") == "/ratings/lists/shogi/"
    finally:
        set_script_prefix("/")


@pytest.mark.parametrize(
    ("name", "expected"), [("Müller Jörg", "muller-jorg"), ("山田 太郎", "-"), ("", "-"), ("Łoś  A.", "los-a")]
)
def test_name_in_address_has_plain_letters(name, expected):
    assert name_in_address(name) == expected
