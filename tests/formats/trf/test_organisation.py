"""Chief arbiter and days of the rounds in TRF: lines 102 and 132 of ../shared/formats/trf16.md."""

import datetime as dt

import pytest

from ratings.formats.parsed import Problems
from ratings.formats.trf.organisation import Days, read_arbiter, read_round_days, write_round_days
from ratings.formats.trf.records import Record
from ratings.formats.trf.table import find_organisation, read_trf, write_trf
from tests.formats.test_samples import HEAD, SAMPLES, TODAY

FILE = (SAMPLES / "trf" / "good-26-organisation.trf").read_bytes()
FIRST, LAST = dt.date(2026, 3, 7), dt.date(2026, 3, 8)


def read(text, rounds, first, last):
    problems = Problems()
    found = read_round_days([Record("132", "132".ljust(91) + text, 1)], rounds, Days(first, last), problems)
    return found, [problem.round for problem in problems.all]


def test_file_has_its_arbiter_and_the_days_of_its_rounds():
    table, problems = read_trf(FILE, HEAD, TODAY)
    assert (problems.all, table.arbiter, table.round_days) == ([], "Beispiel, Ida", (FIRST, FIRST, LAST))
    found = find_organisation(FILE, 3, Days(FIRST, LAST))
    assert (found.arbiter, found.round_days) == ("Beispiel, Ida", (FIRST, FIRST, LAST))
    assert found.program_lines == table.program_lines


def test_lines_are_written_to_the_byte():
    table, _problems = read_trf(FILE, HEAD, TODAY)
    lines = write_trf(table).split("\r\n")
    assert lines[6:9] == [
        "102 Beispiel, Ida", "122 90 min + 30 sec", "132" + " " * 88 + "26/03/07  26/03/07  26/03/08",
    ]  # fmt: skip
    day = " " + lines[8]  # columns count from 1
    assert (day[92:100], day[102:110], day[112:120]) == ("26/03/07", "26/03/07", "26/03/08")


def test_lines_are_missing_where_nothing_is_known():
    table, _problems = read_trf((SAMPLES / "trf" / "good-26.trf").read_bytes(), HEAD, TODAY)
    assert (table.arbiter, table.round_days) == ("", ())
    table.round_days = (None, None, None)
    assert [line for line in write_trf(table).split("\r\n") if line[:3] in ("102", "132")] == []


def test_unknown_days_stay_blank():
    days = (None, FIRST, None, LAST, None)
    line = write_round_days(days)
    assert line == "132" + " " * 98 + "26/03/07" + " " * 12 + "26/03/08"
    assert read(line[91:], 5, FIRST, LAST) == (days, [None])  # the last round is not in the line


@pytest.mark.parametrize(
    ("text", "first", "day"),
    [("99/12/31", dt.date(1999, 12, 30), dt.date(1999, 12, 31)), ("00/01/01", dt.date(1999, 12, 30), dt.date(2000, 1, 1)),
     ("99/12/30", dt.date(1899, 12, 30), dt.date(1899, 12, 30)), ("27/01/01", dt.date(2026, 12, 30), dt.date(2027, 1, 1))],
)  # fmt: skip
def test_century_is_that_of_the_event(text, first, day):
    assert read(text, 1, first, first + dt.timedelta(5)) == ((day,), [])


@pytest.mark.parametrize("text", ["26/13/01", "26/02/29", "26-03-07", "xx/03/07", "26/03/06", "26/03/09"])
def test_other_texts_and_days_are_reported_with_their_round(text):
    assert read(f"26/03/07  {text}", 2, FIRST, LAST) == ((FIRST, None), [2])


def test_first_line_that_names_an_arbiter_counts():
    records = [
        Record(code, f"{code} {name}", 1) for code, name in (("112", "A"), ("102", " "), ("102", "B"), ("102", "C"))
    ]
    assert (read_arbiter(records), read_arbiter(records[:2])) == ("B", "")
