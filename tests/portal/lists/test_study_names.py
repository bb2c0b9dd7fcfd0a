"""Titles of studies and names of their options."""

import pytest
from django.utils.translation import override

from portal.lists.study_names import describe_options, list_names, name_study, name_years

YEARS = {"kinds": [{"name": name} for name in ("provisional", "2018", "2016", "2026", "small gap")]}


def define(*systems, sweep=None):
    return {"candidates": [{"system": system, "options": {}} for system in systems], "sweep": sweep}


@pytest.mark.parametrize(
    ("definition", "title", "names"),
    [
        (define("glicko-2"), "Glicko-2, 2016–2026", ""),
        (define("fesa-2016", "glicko-2"), "FESA/USSF Elo system (2016), Glicko-2, 2016–2026", ""),
        (
            define("fesa-2000", "glicko-2", "glicko-2"),
            "Three systems, 2016–2026",
            "FESA Elo system, first edition (2000), Glicko-2",
        ),
        (
            define("fesa-2000", "glicko-2", "rif-1995", "fide-2024"),
            "Five systems, 2016–2026",
            "FESA Elo system, first edition (2000), Glicko-2, Renju International Federation rating (1995),"
            " FIDE rating (2024)",
        ),
    ],
)
def test_title_names_up_to_two_systems_and_counts_more(definition, title, names):
    assert name_study(definition, "fesa-2016", YEARS) == title
    assert list_names(definition, "fesa-2016") == names


def test_title_names_swept_options_and_waits_for_the_years():
    sweep = {"system": "glicko-2", "options": {}, "values": {"tau": [0.3, 0.5], "idle_days": [10, 30]}}
    title = "sweep of Limit of volatility × Days of a period of absence"
    assert name_study(define(sweep=sweep), "fesa-2016") == title


@pytest.mark.parametrize(("kinds", "years"), [([], ""), (["2024"], "2024"), (["2024", "2022"], "2022–2024")])
def test_years_are_those_of_the_games(kinds, years):
    assert name_years({"kinds": [{"name": name} for name in ("junior", *kinds)]}) == years


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, ""),
        ({"tau": 0.3, "period": "month"}, "Limit of volatility: 0.3, Rating period: month"),
        ({"gone": True}, "gone: yes"),
    ],
)
def test_options_are_described_by_their_labels(options, text):
    assert describe_options("glicko-2", options) == text


@pytest.mark.parametrize(
    ("language", "title"),
    [("de", "Drei Systeme, 2016–2026"), ("fr", "Trois systèmes, 2016–2026"), ("ja", "3つの方式、2016～2026")],
)
def test_title_is_in_the_language_of_the_reader(language, title):
    with override(language):
        assert name_study(define("fesa-2000", "glicko-2"), "fesa-2016", YEARS) == title
