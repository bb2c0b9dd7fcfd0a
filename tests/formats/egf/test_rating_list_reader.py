"""The European Go Database's list, read again: the sample of ../shared/formats/go.md, section 1."""

import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.egf.rating_list import EgfDetails, write_egf_list
from ratings.formats.egf.rating_list_reader import looks_like_egf_list, read_egf_list
from ratings.formats.list_import import ListScale, read_list_import
from ratings.formats.list_rows import ListRow
from ratings.formats.problems import FileProblem
from tests.formats.test_list_files import EGF_SAMPLE
from tests.thorough import share

PAGE = f"<html><pre>\nList of players\n{EGF_SAMPLE}</pre></html>\n"


def facts(parsed):
    return [(p.line, p.family, p.given, p.country, p.prior_grade, p.rating, p.outside) for p in parsed.players]


def test_sample_is_read_with_the_page_around_it():
    parsed, problems = read_list_import(PAGE.encode())
    assert (problems.all, parsed.day) == ([], dt.date(2026, 11, 1))
    assert facts(parsed) == [
        (4, "Muster", "Anna", "DE", "3 Dan", 2312, {"egd": "10000017"}),
        (5, "Van Beispiel", "Jan", "NL", "4 Kyu", 1688, {"egd": "10000025"}),
        (6, "Beispiel", "", "FR", "30 Kyu", -900, {"egd": "10000033"}),
    ]


def test_list_is_read_in_iso_8859_15_where_it_is_not_in_utf_8():
    page = PAGE.replace("Muster Anna", "Šimon Žofia").replace("Beispiel      ", "Žádný Ÿves    ")
    for encoding, notes in (("utf-8", []), ("iso8859-15", [FileProblem.ISO_8859_15_FILE()])):
        parsed, problems = read_list_import(page.encode(encoding))
        assert [problem.message for problem in problems.all] == notes
        assert [(p.family, p.given) for p in parsed.players][::2] == [("Šimon", "Žofia"), ("Žádný", "Ÿves")]


def test_ratings_are_on_the_scale_of_the_list():
    parsed, _problems = read_list_import(EGF_SAMPLE.encode(), scale=ListScale(gor_of_zero=2050))
    assert [player.rating for player in parsed.players] == [262, -362, -2950]


def test_wrong_columns_are_named():
    lines = EGF_SAMPLE.splitlines()
    wrong = [
        lines[0], lines[1], lines[1].replace(" 10000017 ", "  1000017 "), lines[2].replace("1688", "16x8"),
        lines[3].replace("Beispiel", "        ").replace("FR", "F "), lines[1].replace(" 3d", " 3p"),
    ]  # fmt: skip
    parsed, problems = read_egf_list("\n".join(wrong).encode())
    assert [(player.line, player.prior_grade) for player in parsed.players] == [(2, "3 Dan"), (6, None)]
    assert [str(problem) for problem in problems.all] == [
        "line 3: error: line without PIN: “1000017  Muster Anna”; expected a blank and a PIN of 8 digits at its "
        "beginning",
        "line 4: error: columns 72–75, GoR: invalid value “16x8”: expected a rating of the database: a whole number, for example 2312 or -900",
        "line 5: error: columns 12–48, name: invalid value “”: expected a name, for example Muster, Anna",
        "line 5: error: columns 50–52, country: invalid value “F”: expected a country of two letters",
        "line 6: warning: the grade “3p” is not one of 40k to 9d; it was left out",
    ]


def test_lines_of_no_person_are_left_out():
    lines = EGF_SAMPLE.splitlines()
    names = ["(undefined)", "Muster (undefined)", "Anonymous", "Anonymous Player", "Anonymouse Anna"]
    wrong = [lines[1].replace(f"{'Muster Anna':20}", f"{name:20}") for name in names]
    parsed, problems = read_egf_list("\n".join([*lines[:2], *wrong]).encode())
    assert [(player.line, player.family) for player in parsed.players] == [(2, "Muster"), (7, "Anonymouse")]
    assert [str(problem) for problem in problems.all] == [
        f"line {number}: warning: not read, because it is not a player's line: “10000017  {name}”"
        for number, name in enumerate(names[:4], 3)
    ]


def test_page_of_a_challenge_is_no_list():
    assert not looks_like_egf_list(b"<!DOCTYPE html><title>Just a moment...</title>")
    assert read_list_import(b"<!DOCTYPE html><title>Just a moment...</title>")[1].fatal


names = st.text("abcdeABCDE-", min_size=2, max_size=8).filter(str.isalpha)
rows = st.builds(
    ListRow, st.just(1), st.uuids().map(str), st.lists(names, min_size=1, max_size=2).map(" ".join), names | st.just(""),
    st.sampled_from(["FR", "DE", "GB", ""]), st.just(""), st.sampled_from(["3 Dan", "30 Kyu"]), st.integers(-900, 2900).map(float),
    st.just(1), st.just(""),
)  # fmt: skip


@settings(max_examples=share(100, 25))
@given(st.lists(rows, min_size=1, max_size=4), st.sampled_from([0, 2050]), st.sampled_from(["", "10000017"]))
def test_written_lists_are_read_again(written, zero, pin):
    details = {row.id: EgfDetails(number, pin, 3) for number, row in enumerate(written, 1)}
    rows = [row._replace(rating=row.rating - zero) for row in written]
    parsed, problems = read_egf_list(write_egf_list(dt.date(2026, 11, 1), rows, details, zero).encode(), zero)
    assert problems.all == []
    assert facts(parsed) == [
        (line, row.family, row.given, row.country, row.grade, row.rating, {"egd": pin} if pin else {})
        for line, row in enumerate(rows, 2)
    ]


@settings(max_examples=share(200, 50))
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_reported(data):
    parsed, problems = read_egf_list(EGF_SAMPLE.encode() + b" 10000041  " + data)
    assert problems.fatal or parsed.players
