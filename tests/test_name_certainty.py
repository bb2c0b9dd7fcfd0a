"""Certainty that a written name means a known player."""

import string
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratings.matching import fold
from ratings.name_certainty import (
    ACCEPTED_ABOVE,
    LISTED_FROM,
    OTHER_COUNTRY_AT_MOST,
    KnownPlayer,
    NameReason,
    WrittenName,
    is_sure,
    rate_candidates,
)

SOREN = KnownPlayer("S", "Ericsson", "Sören", "SE", on_list=True, idle_years=0.2)
BINNER = KnownPlayer("B", "Binner", "Alva", "SE", on_list=True, idle_years=0.5)
OKADA = KnownPlayer("O", "Okada", "Yuki", "JP", native="岡田 有紀", on_list=True, idle_years=0.1)
JOUBERT = KnownPlayer(
    "J", "Joubert-Klein", "Juliette", "FR", former=(("Moreau", "Juliette"),), on_list=True, idle_years=0.6
)
LEGROS = KnownPlayer("L", "Legros", "Agathe", "DK", on_list=True, idle_years=0.6)
JAN = KnownPlayer("N", "Novák", "Jan", "CZ", on_list=True, idle_years=0.6)


def rate(family, given, country, *players, words=()):
    (first, *_) = rate_candidates(WrittenName(family, given, country), players, words)
    return first


@pytest.mark.parametrize(
    ("name", "player", "reasons"),
    [
        (("Ericsson", "Sören", "SE"), SOREN, ["same name", "same country"]),
        (("ERICSSON", "Soren", "SE"), SOREN, ["same letters, other capitals or marks", "same country"]),
        (("Ericsson", "Soeren", "SE"), SOREN, ["“oe” for “ö”", "same country"]),
        (("Ericson", "Soeren", "SE"), SOREN, ["one letter differs", "“oe” for “ö”"]),
        (("Sören", "Ericsson", "SE"), SOREN, ["names swapped", "same country"]),
        (("Binner", "A.", "SE"), BINNER, ["initial", "the only Binner"]),
        (("A", "Binner", "SE"), BINNER, ["names swapped", "initial", "the only Binner"]),
        (("岡田", "有紀", "JP"), OKADA, ["native name is the same", "same country"]),
        (("岡田有紀", "", "JP"), OKADA, ["native name is the same", "same country"]),
        (("Moreau", "Juliette", "FR"), JOUBERT, ["former name Moreau Juliette", "same country"]),
        (("Joubert", "Juliette", "FR"), JOUBERT, ["part of the name", "same country"]),
        (("Ericsson Soren", "", "SE"), SOREN, ["first and last name in one field", "same country"]),
        (("Sören Ericsson", "", "SE"), SOREN, ["first and last name in one field", "same country"]),
        (
            ("Juliette Joubert Klein", "", "FR"),
            JOUBERT,
            ["first and last name in one field", "same country"],
        ),
        (("Ericson Sören", "", "SE"), SOREN, ["first and last name in one field", "one letter differs"]),
    ],
)
def test_slightly_different_names_are_surer_than_the_threshold_with_reasons(name, player, reasons):
    rated = rate(*name, player)
    assert (is_sure([rated]), list(rated.reasons)) == (True, reasons)


@pytest.mark.parametrize(
    ("name", "players", "words"),
    [
        (("Léger", "Agathe", "FR"), [LEGROS], ()),  # two letters and another country
        (("Novak", "Jana", "CZ"), [JAN], ()),  # an ending
        (("Nowák", "Jan", "CZ"), [JAN], {"nowak", "jan"}),  # a name of others
        (("Binner", "A.", "SE"), [replace(BINNER, namesakes=2)], ()),  # one of two
        (("Binner", "", "SE"), [BINNER], ()),  # no first name
        (("Binner", "A.", "NO"), [BINNER], ()),  # another country
        (("Ericson", "Sören", "SE"), [SOREN, replace(SOREN, id="T", family="Erikson")], ()),  # two who are close
        (("Ericsson", "Sören", "SE"), [SOREN, replace(SOREN, id="T")], ()),  # namesakes
        (("Ericsson", "Sören", "DK"), [SOREN], ()),
        (("", "", ""), [SOREN], ()),
    ],
)
def test_ambiguous_or_contradicted_names_are_not_above_the_threshold(name, players, words):
    assert not is_sure(rate_candidates(WrittenName(*name), players, words))


def test_whole_name_in_one_field_that_two_players_have_is_not_sure():
    other_order = KnownPlayer("P", "Paul", "Martin", "SE", on_list=True, idle_years=0.2)
    first, second = (
        KnownPlayer("A", "Martin", "Paul", "SE", on_list=True, idle_years=0.2),
        KnownPlayer("B", "Martin", "Paul", "SE", on_list=True, idle_years=0.2),
    )
    for players in ((first, second), (first, other_order)):
        rated = rate_candidates(WrittenName("Martin Paul", "", "SE"), players)
        assert (is_sure(rated), {each.id for each in rated if each.certainty > 0.4}) == (
            False,
            {each.id for each in players},
        )


def test_weak_resemblance_in_another_country_is_not_listed():
    assert rate("Léger", "Agathe", "FR", LEGROS).certainty < LISTED_FROM


NAMES = st.text("abcdeijkmnorsuvzäöüéčåø", min_size=3, max_size=12)
COUNTRIES = st.sampled_from(["", "SE", "FR"])
PLAYERS = st.builds(
    KnownPlayer,
    st.just("A"),
    NAMES,
    NAMES,
    COUNTRIES,
    on_list=st.booleans(),
    idle_years=st.none() | st.floats(0, 20),
    namesakes=st.integers(1, 3),
)


def strip_marks(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).replace("ø", "o")


@given(NAMES, NAMES, COUNTRIES, PLAYERS)
def test_certainty_is_symmetric_in_names_of_one_order(family, given_name, country, player):
    turned = replace(player, family=family, given=given_name, country=country)
    there = rate(family, given_name, country, player)
    back = rate(player.family, player.given, player.country, turned)
    # of swapped names, the known player says which is the given name, whose ending counts more
    assume(not {NameReason.SWAPPED.code} & {reason.code for reason in (*there.reasons, *back.reasons)})
    assert there.certainty == pytest.approx(back.certainty)


@given(NAMES, NAMES, COUNTRIES, PLAYERS)
def test_certainty_is_a_share_and_independent_of_marks_and_case(family, given_name, country, player):
    marked = rate(player.family, player.given, country, player).certainty
    plain = rate(strip_marks(player.family).upper(), strip_marks(player.given), country, player).certainty
    assert 0 <= rate(family, given_name, country, player).certainty < 1
    assert marked == pytest.approx(plain)


@given(NAMES, NAMES, COUNTRIES, PLAYERS, PLAYERS)
def test_certainty_falls_with_rivals_and_rises_with_evidence(family, given_name, country, player, other):
    written = WrittenName(family, given_name, country)
    (alone,) = rate_candidates(written, [player])
    beside = {each.id: each for each in rate_candidates(written, [player, replace(other, id="B")])}
    assert beside["A"].certainty <= alone.certainty
    assert alone.certainty <= rate(family, given_name, country, replace(player, on_list=True)).certainty
    assert alone.certainty <= rate(family, given_name, country, replace(player, idle_years=0.0)).certainty
    assert (
        alone.certainty <= rate(family, given_name, country, replace(player, country=country)).certainty or not country
    )
    assert (
        alone.certainty >= rate(family, given_name, country, player, words={fold(family), fold(given_name)}).certainty
    )


@given(PLAYERS, COUNTRIES)
def test_another_country_is_never_above_the_threshold(player, country):
    rated = rate(player.family, player.given, country, player)
    if country and player.country and country != player.country:
        assert rated.certainty <= OTHER_COUNTRY_AT_MOST < ACCEPTED_ABOVE


@given(st.text(string.ascii_lowercase, min_size=8, max_size=12), st.randoms(use_true_random=False))
def test_certainty_falls_with_each_letter_that_differs(name, rng):
    places = rng.sample(range(1, len(name) - 1), 3)
    certainties = []
    for count in range(4):
        written = "".join("0" if n in places[:count] else letter for n, letter in enumerate(name))
        certainties.append(rate(written, "Sören", "SE", replace(SOREN, family=name)).certainty)
    assert certainties == sorted(certainties, reverse=True)
