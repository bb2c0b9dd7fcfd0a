"""FIDE's whole lists, read as a stream: the same players as of a small file, of all federations or of some."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.fide.list_players import Selection
from ratings.formats.fide.rating_list_reader import read_fide_list, read_fide_stream
from ratings.formats.fide.xml_list import read_fide_xml, read_fide_xml_stream
from tests.formats.test_samples import EXPECTED, SAMPLES
from tests.thorough import share

READERS = {"rating-fide": (read_fide_list, read_fide_stream), "rating-fide-xml": (read_fide_xml, read_fide_xml_stream)}
FILES = [(form, file) for form, file in EXPECTED if form in READERS]


@pytest.mark.parametrize(("form", "file"), FILES)
def test_streams_give_the_players_of_small_files(form, file):
    data, (read, read_stream) = (SAMPLES / form / file).read_bytes(), READERS[form]
    parsed, problems = read_stream(io.BytesIO(data), "standard", Selection())
    expected, found = read(data)
    assert parsed == expected
    assert [str(each) for each in problems.all] == [str(each) for each in found.all]


@pytest.mark.parametrize(("form", "file"), [("rating-fide", "good.txt"), ("rating-fide-xml", "good.xml")])
def test_only_players_of_some_countries_are_read(form, file):
    selection = Selection(frozenset({"NL"}))
    data = (SAMPLES / form / file).read_bytes()
    parsed, problems = READERS[form][1](io.BytesIO(data), "standard", selection)
    assert ([player.country for player in parsed.players], problems.all) == (["NL"], [])
    assert (selection.seen, selection.selected) == (len(READERS[form][0](data)[0].players), 1)


@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"", "error: the file is empty"), (b"ID Number Name Fed NOV26\n" + b"x" * 1_001, "line 2: error: the line has 1,001 characters; at most 1,000 are read")],
)  # fmt: skip
def test_streams_without_lines_or_with_a_long_one_are_errors(data, problem):
    _parsed, problems = read_fide_stream(io.BytesIO(data), "standard", Selection())
    assert [str(each) for each in problems.all if each.level == "error"] == [problem]


def test_streams_may_have_a_byte_order_mark_and_other_letters():
    line = (SAMPLES / "rating-fide" / "good.txt").read_text("utf-8").replace("Muster, Anna", "Müster, Anna")
    for data in (b"\xef\xbb\xbf" + line.encode(), line.encode("latin-1")):
        parsed, problems = read_fide_stream(io.BytesIO(data), "standard", Selection())
        assert (parsed.players[0].family, problems.all) == ("Müster", [])


GOOD = {form: (SAMPLES / form / file).read_bytes() for form, file in FILES if file.startswith("good.")}


@settings(max_examples=share(100, 30))
@given(st.sampled_from(sorted(READERS)), st.integers(0, 500), st.binary(max_size=40))
def test_damaged_streams_give_players_or_problems(form, place, wrong):
    data = GOOD[form][:place] + wrong + GOOD[form][place:]
    parsed, problems = READERS[form][1](io.BytesIO(data), "standard", Selection())
    assert parsed is not None or problems.fatal
