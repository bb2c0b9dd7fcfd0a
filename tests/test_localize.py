"""Stored texts, which are English, in the visitor's language: also those that were made from a pattern."""

import re

import pytest
from django.utils import translation

from ratings.systems.words import Words
from ratings.translating import translated
from tests.test_languages import LANGUAGES, catalogue

NAME = re.compile(r"\{(\w+)[^}]*\}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_with_values_is_known_again(language):
    patterns = [one.id for one in catalogue(language) if isinstance(one.id, str) and NAME.search(one.id)]
    assert len(patterns) > 100
    lost = []
    for pattern in patterns:
        values = {name: 1001 + i for i, name in enumerate(dict.fromkeys(NAME.findall(pattern)))}
        with translation.override(language):
            words = Words(pattern, **values)
            if len(re.findall("[a-z]", NAME.sub("", pattern))) > 5 and translated(str(words)) != translated(words):
                lost.append((pattern, translated(str(words))))
    assert lost == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Spring Cup was accepted or changed", "Spring Cup wurde angenommen oder geändert"),
        ("A was deleted; B was deleted", "A wurde gelöscht; B wurde gelöscht"),
        (
            "adjustment of 2024-01-02 for player K7QW2RT taken back; x",
            "Anpassung vom 2024-01-02 für Spieler K7QW2RT zurückgenommen; x",
        ),
        ("decision of 2024-01-02 for the list taken back", "Entscheidung vom 2024-01-02 für die Liste zurückgenommen"),
        ("because the clock was wrong", "because the clock was wrong"),
        ("", ""),
    ],
)
def test_stored_text_is_told_in_german(text, told):
    assert translated(text) == text
    with translation.override("de"):
        assert translated(text) == told
