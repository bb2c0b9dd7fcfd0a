"""The French federation's list: the sample and the columns of ../shared/formats/go.md, section 2."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.ffg.rating_list import looks_like_ffg_list, read_ffg_list, write_ffg_list
from ratings.formats.list_import import ListScale, read_list_import
from ratings.formats.list_rows import ListRow
from tests.thorough import share

SAMPLE = (
    "#Echelle au 22/11/2026 00:00:00\r\n"
    "MUSTER Anna                             243 e ------- xxxx DE\r\n"
    "DUPONT Luc                            -1400 - 2600001 75Pa FR"
)
DAY = dt.date(2026, 11, 22)
ANNA = ListRow(1, "A", "Muster", "Anna", "DE", "Berlin", "3 Dan", 2293, 41, "established")
LUC = ListRow(2, "B", "Dupont", "Luc", "FR", "75 Paris", "14 Kyu", 650, 3, "established")


def test_list_is_the_sample_to_the_byte():
    assert write_ffg_list(DAY, [ANNA, LUC], {"B": "2600001"}, 0) == SAMPLE.encode("latin-1")


def test_belgian_ratings_are_on_the_french_scale_as_they_are():
    written = write_ffg_list(DAY, [ANNA._replace(rating=243)], {}, 2050).decode("latin-1")
    assert written.split("\r\n")[1] == SAMPLE.split("\r\n")[1]


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"country": "GB"}, (54, 61, "xxxx UK")),
        ({"country": ""}, (44, 61, "- ------- Berl XX")),
        ({"family": "de la Tour", "given": "Zoë"}, (0, 38, "DE_LA_TOUR Zoë")),
        ({"family": "Łoś", "given": "山本"}, (0, 38, "LOS ShanBen")),
        ({"family": "Straßer"}, (0, 38, "STRASSER Anna")),
        ({"family": "X" * 50}, (0, 38, "X" * 38)),
        ({"rating": 2050.4}, (38, 43, "    0")),
        ({"rating": -900}, (38, 43, "-2950")),
    ],
)
def test_each_line_has_its_columns(changes, part):
    line = write_ffg_list(DAY, [ANNA._replace(**changes)], {}, 0).decode("latin-1").split("\r\n")[1]
    first, last, text = part
    assert (len(line), line[first:last].rstrip()) == (61, text.rstrip())


def test_licence_of_another_form_is_left_out():
    line = write_ffg_list(DAY, [LUC], {"B": "26-1"}, 0).decode("latin-1").split("\r\n")[1]
    assert line[44:53] == "- -------"


def test_sample_is_read_on_the_scale_of_the_list():
    for zero, ratings in ((0, [2293, 650]), (2050, [243, -1400])):
        parsed, problems = read_list_import(SAMPLE.encode("latin-1"), scale=ListScale(gor_of_zero=zero))
        assert (parsed.day, [player.rating for player in parsed.players]) == (DAY, ratings)
        assert problems.all == []
    assert [player.outside for player in parsed.players] == [{}, {"FR": "2600001"}]
    assert [(p.family, p.given, p.country, p.line) for p in parsed.players] == [
        ("Muster", "Anna", "DE", 2), ("Dupont", "Luc", "FR", 3),
    ]  # fmt: skip


def test_wrong_columns_are_named():
    lines = SAMPLE.split("\r\n")
    wrong = [
        lines[0], lines[1], lines[1].replace("  243 e", "  2x3 q"), lines[1][:59] + "D", " " * 38 + lines[1][38:],
        lines[2].replace("-1400", "-9999"), "too short",
    ]  # fmt: skip
    parsed, problems = read_ffg_list("\r\n".join(wrong).encode("latin-1"))
    assert [player.line for player in parsed.players] == [2]
    assert [str(problem) for problem in problems.all] == [
        "line 3: error: columns 39–43, Niveau: invalid value “2x3”: expected a rating of the French scale: a whole number, for example -1400",
        "line 3: error: columns 45–45, Licence: invalid value “q”: expected a state of the licence: L, C, X, - or e",
        "line 4: error: columns 60–61, Pays: invalid value “D”: expected a country of two letters",
        "line 5: error: columns 1–38, Nom: invalid value “”: expected a name, for example Muster, Anna",
        "line 7: error: columns 39–43, Niveau: invalid value “”: expected a rating of the French scale: a whole number, for example -1400",
        "line 7: error: columns 45–45, Licence: invalid value “”: expected a state of the licence: L, C, X, - or e",
        "line 7: error: columns 60–61, Pays: invalid value “”: expected a country of two letters",
    ]


def test_unrated_players_are_left_out_with_their_number():
    parsed, problems = read_ffg_list(SAMPLE.replace("-1400 - 2600001", "-9999 - -------").encode("latin-1"))
    assert ([player.family for player in parsed.players], [str(problem) for problem in problems.all]) == (
        ["Muster"], ["warning: players without a rating, left out: 1"],
    )  # fmt: skip


def test_file_without_a_real_day_is_read_with_a_warning():
    parsed, problems = read_ffg_list(SAMPLE.replace("22/11", "31/11").replace("2600001", "-------").encode("latin-1"))
    assert (parsed.day, [str(p) for p in problems.all]) == (
        None, ["line 1: warning: “#Echelle au 31/11/2026 00:00:0” is not a date"],
    )  # fmt: skip
    assert looks_like_ffg_list(SAMPLE.encode())


names = st.text("abcdeABCDEéüøñ-", min_size=2, max_size=8).filter(str.isalpha)
rows = st.builds(
    ListRow, st.just(1), st.just("A"), st.lists(names, min_size=1, max_size=2).map(" ".join), names, st.sampled_from(["FR", "DE", "GB", ""]),
    st.just(""), st.just(""), st.integers(-900, 2900).map(float), st.just(1), st.just(""),
)  # fmt: skip


@settings(max_examples=share(100, 25))
@given(st.lists(rows, min_size=1, max_size=4), st.sampled_from([0, 2050]))
def test_written_lists_are_read_again(written, zero):
    parsed, problems = read_ffg_list(
        write_ffg_list(DAY, [row._replace(rating=row.rating - zero) for row in written], {}, zero), zero
    )
    assert (problems.all, parsed.day) == ([], DAY)
    assert [(p.family.casefold(), p.given, p.country, p.rating + zero) for p in parsed.players] == [
        (row.family.casefold(), row.given, row.country, row.rating) for row in written
    ]


@settings(max_examples=share(200, 50))
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_reported(data):
    parsed, problems = read_ffg_list(b"#Echelle au 22/11/2026\r\n" + data)
    assert problems.fatal or parsed.players
