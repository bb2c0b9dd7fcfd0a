import datetime as dt

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ratings.formats.encodings import repair_text
from ratings.formats.fesa.rating_list import TITLES, ListLine, write_rating_list
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer, looks_like_rating_list, read_rating_list
from tests.thorough import share

HEAD = f"Elo list for 2026-06-01\n\n{TITLES}\n"
WIDE = "Elo list for 2026-06-01\n\n    Name                               Grades         Elo #games Nationality\n"
MUSTER = "  1 Muster            Anna             5 Dan  5 Dan 2256  55     DE\n"
DAY = dt.date(2026, 6, 1)


def narrow(*lines, ranks=None):
    """Lines as the federation's own columns have them."""
    text = write_rating_list(DAY, lines)
    for rank, printed in (ranks or {}).items():
        text = text.replace(f"\n{rank:>3} ", f"\n{printed:>3} ")
    return text.encode("latin-1")


def wide(*fields):
    """The columns of 2026: rating two further right, games four wide."""
    rank, family, given, first, second, rating, games, country = fields
    return f"{rank:>3} {family:<17} {given:<15} {first:>6}  {second:>6}  {rating:>4} {games:>4}    {country}\n"


def list_problems(parsed):
    return [(p.family, p.given, p.grade, p.prior_grade, p.rating, p.games, p.country) for p in parsed.players]


def errors(text):
    _, problems = read_rating_list(text.encode())
    return [str(problem) for problem in problems.sorted_by_position()]


def test_text_list_is_read_with_its_day():
    parsed, problems = read_rating_list((HEAD + MUSTER).encode())
    assert parsed == ParsedList(DAY, (ParsedPlayer(4, "Muster", "Anna", "DE", "5 Dan", "5 Dan", 2256, 55),))
    assert problems.all == []


@pytest.mark.parametrize(
    "line",
    [
        ListLine("Muster", "Anna", "5 Dan", "10 Kyu", 2256, 155, "DE"),
        ListLine("Le Grand Dupont", "Jean Luc", None, "6 Dan", 1, 7, "FR"),
        ListLine("Novák", "Petra (elder)", "15 Kyu", None, 400, 1007, "CZ"),
        ListLine("van der Musterman", "Ø", None, None, 1234, 9, "NL"),
        ListLine("Lastnamethatpushes", "Anna", "1 Kyu", None, 1600, 20, "DE"),
        ListLine("Muster-Mustermann-Beispiel", "Anna", None, "1 Kyu", 1600, 20, "DE"),
        ListLine("Muster", "Annamariakatharina", "1 Kyu", "2 Kyu", 1600, 20, "DE"),
        ListLine("Muster-Mustermann-Beispiel", "Annamariakatharina", None, "1 Kyu", 1600, 20, "DE"),
        ListLine("Solo", "", "1 Kyu", None, 1600, 20, "DE"),
        ListLine("Muster", "Anna", "1 Kyu", None, 1600, 20, ""),
    ],
)
@pytest.mark.parametrize("rank", [1, 999, 1000, 12345])
def test_written_file_is_read_back(line, rank):
    parsed, _ = read_rating_list(narrow(line, ranks={1: rank}))
    assert list_problems(parsed) == [
        (line.family, line.given, line.grade, line.prior_grade, line.rating, line.games, line.country)
    ]


@pytest.mark.parametrize(
    ("first", "second", "grades"),
    [
        ("5 Dan", "5 Dan", ("5 Dan", "5 Dan")),
        ("", "10 Kyu", (None, "10 Kyu")),
        ("10 Kyu", "", ("10 Kyu", None)),
        ("", "", (None, None)),
    ],
)
@pytest.mark.parametrize("rank", [3, 1003])
@pytest.mark.parametrize("family", ["Beispiel", "Muster-Mustermann-Beispiel"])
def test_wider_columns_are_measured_and_the_two_grades_kept_apart(first, second, grades, rank, family):
    parsed, _ = read_rating_list((WIDE + wide(rank, family, "Jan", first, second, 2462, 7, "NL")).encode())
    assert list_problems(parsed) == [(family, "Jan", *grades, 2462, 7, "NL")]


@pytest.mark.parametrize("rank", ["  1", "1001"])
def test_last_name_of_18_letters_may_touch_the_first_name(rank):
    line = f"{rank} Lastnamethatpushes{'Anna':<15}         5 Kyu 1600  20     DE\n"
    parsed, _ = read_rating_list((HEAD + line).encode())
    assert list_problems(parsed) == [("Lastnamethatpushes", "Anna", None, "5 Kyu", 1600, 20, "DE")]


def test_latin_1_and_utf_8_read_alike():
    text = HEAD + MUSTER.replace("Anna  ", "Ánná  ")
    assert list_problems(read_rating_list(text.encode("latin-1"))[0]) == list_problems(
        read_rating_list(b"\xef\xbb\xbf" + text.encode())[0]
    )


def test_nationality_in_small_letters_and_crlf_are_understood():
    parsed, problems = read_rating_list((HEAD + MUSTER.replace("DE", "de")).replace("\n", "\r\n").encode())
    assert (parsed.players[0].country, problems.all) == ("DE", [])


@pytest.mark.parametrize("first", ["", "Elo list for June\n", "Elo list for 2026-13-01\n"])
def test_list_without_a_date_has_no_day(first):
    parsed, problems = read_rating_list((first + TITLES + "\n" + MUSTER).encode())
    assert (parsed.day, len(parsed.players), problems.fatal) == (None, 1, False)


NOT_READ = "a player's line has rank, names, grades, rating, games, nationality; this cannot be read:"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["error: the file is empty"]),
        ("Elo list for 2026-06-01\n" + MUSTER, ["error: no line of titles (Name, Grades, Elo, #games, Nationality), which shows where the columns are"]),
        (HEAD, ["error: no players below the titles"]),
        (HEAD + MUSTER.replace("2256  55", "2256    "), [f"line 4: error: {NOT_READ} “1 Muster            Anna             5 Dan  5 Dan 2256”"]),
        (HEAD + MUSTER + "  2\n", [f"line 5: error: {NOT_READ} “2”"]),
        (HEAD + MUSTER + MUSTER.replace("  1 ", "  ? "), [f"line 5: error: {NOT_READ} “? Muster            Anna             5 Dan  5 Dan 2256  55”"]),
        (HEAD + MUSTER + "  2 Beispiel 1500 20 NL\n", ["line 5: error: the columns do not stand below their titles: “2 Beispiel 1500 20 NL”"]),
        (HEAD + MUSTER.replace("  5 Dan 2256", "5 Dan   2256"), ["line 4: error: something that is no grade stands below the grades: “1 Muster            Anna             5 Dan5 Dan   2256  55”"]),
        (HEAD + MUSTER.replace("       5 Dan  5 Dan", "3 Kyu  5 Dan       "), ["line 4: error: the grades do not stand below their title: “1 Muster            Anna      3 Kyu  5 Dan        2256  55”"]),
        (HEAD + MUSTER.replace("5 Dan  5 Dan", "5 Dan  5 dan"), ["line 4: error: something stands between grades and rating: “1 Muster            Anna             5 Dan  5 dan 2256  55”"]),
        (HEAD + MUSTER.replace("Muster", "      "), ["line 4: error: the last name is missing: “1                   Anna             5 Dan  5 Dan 2256  55”"]),
        (HEAD + MUSTER.replace("Muster            Anna", "Muster-Musterma-nn and"), ["line 4: error: where the last name ends cannot be told (give this list as CSV): “1 Muster-Musterma-nn and             5 Dan  5 Dan 2256  55”"]),
        (HEAD + MUSTER.replace("Anna", " Anna"), ["line 4: error: the columns do not stand below their titles, and no long name has pushed them: “1 Muster             Anna             5 Dan  5 Dan 2256  55”"]),
        (HEAD + MUSTER + "Professionals are left out.\n", ["line 5: warning: not read, because it is not a player's line: “Professionals are left out.”"]),
        (HEAD + MUSTER + MUSTER.replace("  1", "  3"), ["line 5: warning: rank 3 belongs to player number 2; is a line missing above?"]),
        (MUSTER + HEAD + MUSTER, ["line 1: error: a player's line above the titles; move it below them"]),
    ],
)  # fmt: skip
def test_bad_lists_are_reported_with_their_lines(text, expected):
    assert errors(text) == expected


def test_names_that_can_be_divided_in_two_ways_are_refused():
    parsed, problems = read_rating_list(
        narrow(ListLine("Mustermannmustern X", "Annamariakathar", None, None, 1, 9, ""))
    )
    assert (parsed.players, [str(problem) for problem in problems.all]) == (
        (),
        [
            "line 4: error: where the last name ends cannot be told (give this list as CSV): “1 Mustermannmustern X"
            " Annamariakathar                  1   9”"
        ],
    )


def test_equal_players_may_share_a_rank():
    lines = [MUSTER, MUSTER.replace("Anna", "Anne"), MUSTER.replace("Anna", "Jana").replace("  1 ", "  3 ")]
    assert errors(HEAD + "".join(lines)) == []


def test_good_lines_are_read_although_others_are_bad():
    parsed, problems = read_rating_list((HEAD + MUSTER + "  2 x\n" + MUSTER.replace("  1", "  3")).encode())
    assert ([player.line for player in parsed.players], [problem.line for problem in problems.all]) == ([4, 6], [5])


@pytest.mark.parametrize(
    ("data", "looks"),
    [(HEAD.encode(), True), (b"\xef\xbb\xbf" + HEAD.encode(), True), (TITLES.encode(), True), (b"Last name,Rating", False), (b"", False)],
)  # fmt: skip
def test_text_rating_list_is_recognised(data, looks):
    assert looks_like_rating_list(data) is looks


letters = st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=255), min_size=1, max_size=25)
# a name such as “Âµ” cannot be told from UTF-8 that was decoded wrongly, which the reader repairs and reports
names = letters.filter(lambda name: repair_text(name.capitalize()) == name.capitalize() and repair_text(name) == name)
grades = st.one_of(st.none(), st.builds("{} {}".format, st.integers(1, 20), st.sampled_from(["Dan", "Kyu"])))
list_lines = st.builds(
    ListLine,
    names,
    names.map(str.capitalize),
    grades,
    grades,
    st.integers(1, 2999),
    st.integers(0, 2000),
    st.just("DE"),
)


@given(st.lists(list_lines, min_size=1, max_size=5))
@example([ListLine("Dan", "A", None, None, 1, 0, "DE"), ListLine("Kyu", "A", "3 Kyu", None, 1, 0, "DE")])
def test_lists_of_any_names_are_read_back(lines):
    parsed, problems = read_rating_list(write_rating_list(DAY, lines).encode())
    assert list_problems(parsed) == [
        (x.family, x.given, x.grade, x.prior_grade, x.rating, x.games, x.country) for x in lines
    ]
    assert problems.all == []


@settings(max_examples=share(300, 75))
@given(st.one_of(st.binary(max_size=400), st.text(max_size=400).map(lambda text: (HEAD + "  1" + text).encode())))
@example((HEAD + "1" + " 1" * 499).encode())
@example((HEAD + "  1 Ⅷ ٣ 1500 20 DE").encode())
def test_any_bytes_give_problems_and_no_exception(data):
    looks_like_rating_list(data)
    parsed, problems = read_rating_list(data)
    assert problems.fatal or (parsed is not None and parsed.players)


def test_no_mutation_of_a_list_loses_a_line_silently():
    good = HEAD + "".join(MUSTER.replace("  1", f"{rank:>3}") for rank in (1, 2, 3))
    for at in range(len(HEAD), len(good)):
        for piece in ("", "x", " ", "5"):
            parsed, problems = read_rating_list((good[:at] + piece + good[at + 1 :]).encode())
            assert problems.all or len(parsed.players) == 3
