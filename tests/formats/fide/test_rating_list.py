"""FIDE's rating lists as text: the sample lines of ../shared/formats/chess-renju.md, section 1, and its offsets."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.fide.country_codes import FEDERATION_BY_COUNTRY
from ratings.formats.fide.rating_list import (
    FideDetails,
    FideFigures,
    FideLine,
    make_line,
    write_combined_list,
    write_fide_list,
    write_fide_xml,
)
from ratings.formats.fide.rating_list_reader import looks_like_fide_list, read_fide_list
from ratings.formats.fide.xml_list import looks_like_fide_xml, read_fide_xml
from ratings.formats.list_import import ListScale, read_list_import
from ratings.formats.list_rows import ListRow
from tests.thorough import share

DAY = dt.date(2026, 11, 1)
SAMPLE = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA NOV26 Gms K  B-day Flag\r\n"
    "1234567        Muster, Anna                                                 GER F                                2101  9   20 1990  w   \r\n"
    "7654321        Beispiel, Jan                                                NED M                                1655  0   40 2012      \r\n"
)  # the portal knows no titles
ANNA = FideLine(1234567, "Muster", "Anna", "DE", (FideFigures(2101, 9, 20),), "F", 1990)
JAN = FideLine(7654321, "Beispiel", "Jan", "NL", (FideFigures(1655, 0, 40),), "M", 2012)


def test_list_is_the_sample_to_the_byte():
    assert write_fide_list(DAY, [ANNA, JAN]).encode("ascii") == SAMPLE.encode("ascii")


def test_every_line_of_a_single_list_has_136_characters():
    strange = ANNA._replace(family="Łoś" * 40, given="山本", country="", figures=(FideFigures(),), sex="", birth_year=0)
    lines = write_fide_list(DAY, [ANNA, strange._replace(inactive=True), ANNA._replace(inactive=True)]).split("\r\n")
    assert [len(line) for line in lines] == [136, 136, 136, 136, 0]
    assert (lines[2][15:76], lines[2][76:]) == ("Los" * 20 + " ", f"{'':37}{'0':6}{'0':4}{'0':3}{'0':6}{'i':4}")
    assert lines[3][132:] == "wi  "


def test_combined_list_has_its_columns():
    line = ANNA._replace(figures=(FideFigures(2101, 9, 20), FideFigures(), FideFigures(1999, 12, 40)))
    title, anna, end = write_combined_list([line]).split("\r\n")
    assert (len(title), len(anna), end) == (162, 162, "")
    places = {"SRtng": 113, "SGm": 119, "SK": 123, "RRtng": 126, "RGm": 132, "Rk": 136, "BRtng": 139, "BGm": 145,
              "BK": 149, "B-day": 152, "Flag": 158}  # fmt: skip
    assert {name: title.index(name) for name in places} == places
    assert anna[113:] == "2101  9   20 0     0   0  1999  12  40 1990  w   "


ROW = ListRow(1, "BCD2345", "Łoś", "Anna", "PL", "Go Łódź", "", 1834.4, 57, "rated")


@pytest.mark.parametrize(
    ("row", "details", "line"),
    [
        (ROW, FideDetails(7, "1234567", 20, 3, "F", 1990), FideLine(1234567, "Łoś", "Anna", "PL", (FideFigures(1834, 3, 20),), "F", 1990)),
        (ROW, FideDetails(7), FideLine(2_000_000_007, "Łoś", "Anna", "PL", (FideFigures(1834, 57, 0),))),
        (ROW._replace(category="inactive"), FideDetails(7, k=40, games=0),
         FideLine(2_000_000_007, "Łoś", "Anna", "PL", (FideFigures(1834, 0, 40),), inactive=True)),
    ],
)  # fmt: skip
def test_line_of_a_row_has_only_what_is_known(row, details, line):
    assert make_line(row, details) == line


XML = """\
<playerslist>
<player>
<fideid>1234567</fideid>
<name>O'Neill &amp; Co, Anna</name>
<country>GER</country>
<sex>F</sex>
<title></title>
<w_title></w_title>
<o_title></o_title>
<foa_title></foa_title>
<rating>2101</rating>
<games>9</games>
<k>20</k>
<birthday>1990</birthday>
<flag>w</flag>
</player>
</playerslist>
"""


def test_xml_has_the_elements_in_fides_order():
    assert "".join(write_fide_xml([ANNA._replace(family="O’Neill & Co")])) == XML


def test_combined_xml_has_the_figures_of_all_chapters_before_the_birthday():
    line = ANNA._replace(figures=(FideFigures(2101, 9, 20), FideFigures(), FideFigures(1999, 12, 40)))
    written = "".join(write_fide_xml([line]))
    tags = [part.split(">")[0] for part in written.split("<") if part and part[0] not in "/p"]
    assert tags == [
        "fideid",
        "name",
        "country",
        "sex",
        "title",
        "w_title",
        "o_title",
        "foa_title",
        "rating",
        "games",
        "k",
        "rapid_rating",
        "rapid_games",
        "rapid_k",
        "blitz_rating",
        "blitz_games",
        "blitz_k",
        "birthday",
        "flag",
    ]
    assert "<rapid_rating>0</rapid_rating>" in written
    assert "<blitz_k>40</blitz_k>" in written


LETTERS = "abcdeABCDE'- ."
names = st.text(LETTERS, min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)
figures = st.builds(FideFigures, st.integers(1, 3000), st.integers(0, 99), st.sampled_from([10, 20, 40]))
lines = st.builds(
    FideLine, st.integers(1000, 1_999_999_999), names, names, st.sampled_from(sorted(FEDERATION_BY_COUNTRY)),
    st.tuples(figures, figures, figures), st.sampled_from(["", "M", "F"]), st.sampled_from([0, 1950, 2012]), st.booleans(),
)  # fmt: skip


def facts(line, chapter):
    gender = {"M": "male", "F": "female", "": ""}[line.sex]
    return (line.family, line.given, line.country, gender, line.birth_year or None, line.figures[chapter].rating,
            line.figures[chapter].k, {"fide": str(line.id)})  # fmt: skip


def read_facts(player):
    return (player.family, player.given, player.country, player.gender, player.birth_year, player.rating, player.k,
            player.outside)  # fmt: skip


@settings(max_examples=share(100, 25))
@given(st.lists(lines, min_size=1, max_size=4), st.sampled_from([0, 1, 2]))
def test_combined_lists_are_read_again_in_both_forms(written, chapter):
    name = ("standard", "rapid", "blitz")[chapter]
    text, xml = write_combined_list(written).encode("ascii"), "".join(write_fide_xml(written)).encode()
    expected = [facts(line, chapter) for line in written]
    for data in (text, xml):
        parsed, problems = read_list_import(data, scale=ListScale(name))
        assert (problems.all, [read_facts(player) for player in parsed.players]) == ([], expected)


@settings(max_examples=share(100, 25))
@given(st.lists(lines, min_size=1, max_size=4))
def test_single_lists_are_read_again_in_both_forms(written):
    written = [line._replace(figures=line.figures[:1]) for line in written]
    for data, day in (
        (write_fide_list(DAY, written).encode("ascii"), DAY),
        ("".join(write_fide_xml(written)).encode(), None),
    ):
        parsed, problems = read_list_import(data, scale=ListScale("blitz" if day else "standard"))
        assert (problems.all, parsed.day) == ([], day)
        assert [read_facts(player) for player in parsed.players] == [facts(line, 0) for line in written]


@settings(max_examples=share(200, 50))
@given(
    st.binary(max_size=300),
    st.sampled_from(
        [b"ID Number      Name         Fed Sex  NOV26 Gms K  B-day Flag\r\n", b"<playerslist><player>", b""]
    ),
)
def test_any_bytes_are_read_or_reported(data, head):
    for read in (read_fide_list, read_fide_xml):
        parsed, problems = read(head + data)
        assert parsed is not None or problems.fatal


def test_own_numbers_are_no_fide_ids():
    line = ANNA._replace(id=2_000_000_007)
    parsed, problems = read_fide_list(write_fide_list(DAY, [line]).encode())
    assert (problems.all, [player.outside for player in parsed.players]) == ([], [{}])


def test_lists_are_recognised():
    assert looks_like_fide_list(b"\xef\xbb\xbf\r\n" + SAMPLE.encode())
    assert looks_like_fide_xml(b'<?xml version="1.0"?>\n' + XML.encode())
    assert not looks_like_fide_list(XML.encode())
    assert not looks_like_fide_xml(SAMPLE.encode())


def test_combined_list_without_the_chapter_is_an_error():
    title = SAMPLE.replace("NOV26", "SRtng").encode()
    assert [str(problem) for problem in read_fide_list(title, "blitz")[1].all] == [
        "line 1: error: the file has no ratings of type blitz"
    ]
    assert [str(problem) for problem in read_fide_xml(XML.encode(), "rapid")[1].all] == [
        "error: the file has no ratings of type rapid"
    ]


def test_xml_of_many_players_is_read_without_a_tree_of_it():
    body = XML.split("\n", 1)[1].removesuffix("</playerslist>\n")
    parsed, problems = read_fide_xml(f"<playerslist>{body * 4000}</playerslist>".encode())
    assert (problems.all, len(parsed.players)) == ([], 4000)
