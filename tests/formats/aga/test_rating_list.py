"""The American Go Association's rating list: the values of ../shared/formats/go.md, section 8."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.aga.rating_list import looks_like_tdlist, read_tdlist
from ratings.formats.list_import import ListScale, read_list_import
from tests.thorough import share

SAMPLES = Path(__file__).parents[1] / "samples" / "rating-aga"
GOOD = (SAMPLES / "good-a.txt").read_bytes()


def facts(parsed):
    return [(p.line, p.family, p.given, p.country, p.prior_grade, p.rating, p.outside) for p in parsed.players]


@pytest.mark.parametrize("name", ["good-a.txt", "good-b-utf-8.txt"])
@pytest.mark.parametrize(("zero", "ratings"), [(0, (2295, 2050, 144)), (2050, (245, 0, -1906))])
def test_sample_is_read_on_the_scale_of_the_list(name, zero, ratings):
    parsed, _problems = read_list_import((SAMPLES / name).read_bytes(), scale=ListScale(gor_of_zero=zero))
    assert (parsed.day, facts(parsed)) == (None, [
        (2, "Muster", "Anna", "", None, ratings[0], {"aga": "15648"}),
        (3, "Novák", "Petra", "", None, ratings[1], {"aga": "7"}),
        (4, "van Beispiel", "Jan", "", None, ratings[2], {"aga": "20411"}),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("rating", "gor"),
    [("1.00000", 2050), ("1.99000", 2149), ("2.00000", 2150), ("9.5", 2900), ("-1.00000", 2050), ("-1.99000", 1951),
     ("-2.00000", 1950), ("-30.99", -949)],
)  # fmt: skip
def test_rating_keeps_its_place_within_the_grade(rating, gor):
    """1 dan is 1.0 to 1.99 and 2050 to 2149, 1 kyu is -1.0 to -1.99 and down from 2050 to 1950."""
    parsed, _problems = read_tdlist(GOOD.replace(b"3.45000", rating.encode()))
    assert parsed.players[0].rating == pytest.approx(gor, abs=0.002)


def test_list_is_told_from_other_texts():
    assert looks_like_tdlist(GOOD)
    assert looks_like_tdlist(GOOD.replace(b"\t31\t", b"\t3l\t").replace(b"\t\t10/3/2027", b"\t4.1\t10/3/2027"))
    assert not looks_like_tdlist(b"Name\tAGA id\tType\tRating\tUntil\tChapter\tState\tSigma\tDay\n" + GOOD)
    assert not looks_like_tdlist(GOOD.replace(b"\t", b";"))
    assert not looks_like_tdlist(b"")


names = st.text("abcdeABCDE-éüß", min_size=2, max_size=8).filter(str.isalpha)
dan_or_kyu = st.integers(100_000, 999_999).map(lambda number: number / 100_000) | st.integers(100_000, 3_099_999).map(
    lambda number: -number / 100_000
)
lines = st.tuples(
    names, names, st.integers(1, 999_999), st.none() | dan_or_kyu, st.sampled_from(["NOVA", "", "Example Chapter"])
)


def write_line(family, given, id, rating, chapter):
    written = "" if rating is None else f"{rating:.5f}"
    return f"{family}, {given}\t{id}\tFull\t{written}\t7/2/2027\t{chapter}\tVA\t\t\r\n"


@settings(max_examples=share(100, 25))
@given(st.lists(lines, min_size=1, max_size=5), st.sampled_from(["latin-1", "utf-8"]))
def test_rated_players_of_a_list_are_read(written, encoding):
    data = "".join(write_line(*line) for line in written).encode(encoding)
    parsed, problems = read_tdlist(data)
    rated = [
        (n, family, given, str(id)) for n, (family, given, id, rating, _chapter) in enumerate(written, 1) if rating
    ]
    assert looks_like_tdlist(data)
    assert [(p.line, p.family, p.given, p.outside["aga"]) for p in parsed.players] == rated
    assert [problem.message for problem in problems.all if problem.level == "error"] == (
        [] if rated else ["no players below the titles"]
    )


@settings(max_examples=share(200, 50))
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_reported(data):
    parsed, problems = read_tdlist(GOOD + data)
    assert problems.fatal or parsed.players
