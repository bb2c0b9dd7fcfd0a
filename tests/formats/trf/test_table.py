import datetime as dt

import pytest

from ratings.formats.event_head import Head
from ratings.formats.fesa.grid import read_grid
from ratings.formats.fide.country_codes import COUNTRY_BY_FEDERATION, OTHER_CODES, country_code, federation_code
from ratings.formats.parsed import Cell
from ratings.formats.trf.table import looks_like_trf, read_trf, write_trf
from tests.formats.fesa.test_grid import GOOD
from tests.formats.test_samples import HEAD, SAMPLES, TODAY

FILE = (SAMPLES / "trf" / "good.trf").read_bytes()


def test_good_file_is_read_whole():
    table, problems = read_trf(FILE, HEAD, TODAY)
    assert problems.all == []
    assert (table.name, table.place, table.country, table.time_control) == (
        "Spring Cup", "Sampletown", "DE", "30min + 30sec")  # fmt: skip
    assert [(r.number, r.family, r.given, r.country, r.points, r.line) for r in table.rows] == [
        (1, "Muster", "Anna", "DE", 3, 8),
        (2, "van Beispiel", "Jan", "NL", 1.5, 9),
        (3, "Novák", "Petra", "CZ", 1.5, 10),
        (4, "Dupont", "Luc", "FR", 0, 11),
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1, black=False), Cell(2, 1, black=True), Cell(0, 1)],
        [Cell(4, 1, black=False), Cell(1, 0, black=False), Cell(3, 0.5, black=True)],
        [Cell(1, 0, black=True), Cell(4, 1, black=False), Cell(2, 0.5, black=False)],
        [Cell(2, 0, black=True), Cell(3, 0, black=True), Cell(0, 0)],
    ]


@pytest.mark.parametrize(
    ("result", "cell"),
    [("1", Cell(2, 1)), ("0", Cell(2, 0)), ("=", Cell(2, 0.5)), ("+", Cell(0, 1)), ("-", Cell(0, 0)),
     ("W", Cell(0, 1)), ("D", Cell(0, 0.5)), ("L", Cell(0, 0)), ("w", Cell(0, 1)), ("H", Cell(0, 0.5)),
     ("F", Cell(0, 1)), ("U", Cell(0, 1)), ("Z", Cell(0, 0)), (" ", Cell(0, 0))],
)  # fmt: skip
def test_only_played_games_name_an_opponent_and_points_are_kept(result, cell):
    opposite = {"1": "0", "0": "1", "+": "-", "-": "+", "W": "L", "L": "W"}.get(result.upper(), result)
    lines = [f"001 {n:>4}      {name:<75}{'':5}     {o:>4} - {r}" for n, name, o, r in
             [(1, "A, B", 2, result), (2, "C, D", 1, opposite)]]  # fmt: skip
    table, _ = read_trf("\n".join([line[:84] + " " * 7 + line[-8:] for line in lines]).encode(), HEAD, TODAY)
    assert table.rows[0].cells == [cell]


def test_event_shows_name_and_days_where_the_file_does_not():
    players = FILE[FILE.index(b"001") :]
    head = Head("Event of the portal", dt.date(2025, 1, 2), dt.date(2025, 1, 3))
    table, problems = read_trf(players, head, TODAY)
    assert problems.all == []
    assert (table.name, table.first_day, table.last_day) == (head.name, head.first_day, head.last_day)


def test_days_of_the_event_must_not_be_in_the_future_either():
    head = Head("Event", dt.date(2027, 1, 2), dt.date(2027, 1, 3))
    _, problems = read_trf(FILE[FILE.index(b"001") :], head, TODAY)
    assert [str(p) for p in problems.all] == [
        "error: the file has no dates, and the event's last day 2027-01-03 is in the future"
    ]


def test_written_file_has_the_columns_of_the_handbook():
    table, _ = read_grid(GOOD.encode("latin-1"), TODAY)
    lines = write_trf(table).splitlines()
    assert lines[:6] == ["012 3. Example Cup", "022 Sampletown", "042 2026/03/07", "052 2026/03/08", "062 4",
                         "122 30min + 30sec"]  # fmt: skip
    row = " " + lines[7]  # columns count from 1
    assert (row[1:4], row[5:9], row[15:48].rstrip(), row[54:57], row[81:85]) == (
        "001", "   2", "van Beispiel, Jan", "NED", " 1.5")  # fmt: skip
    assert (row[92:96], row[97], row[99], row[102:106], row[109]) == ("   4", "-", "1", "   1", "0")
    assert lines[6].endswith("  0000 - F")


def test_file_is_recognised():
    assert looks_like_trf(FILE)
    assert looks_like_trf(FILE.replace(b"\n", b"\r"))
    assert looks_like_trf(FILE[FILE.index(b"001") :])
    assert not looks_like_trf(GOOD.encode())


def test_federations_and_countries_are_each_others():
    assert [country_code(code) for code in ("GER", "ned", "SUI", "CRO", "DEU", "ENG", "SCO", "FID", "", "XXX")] == [
        "DE", "NL", "CH", "HR", "DE", "GB", "GB", "", "", None]  # fmt: skip
    assert [federation_code(code) for code in ("DE", "nl", "CH", "GB", "", "QQ")] == [
        "GER",
        "NED",
        "SUI",
        "ENG",
        "",
        "",
    ]
    assert all(country_code(federation_code(code)) == code for code in COUNTRY_BY_FEDERATION.values())
    assert not set(COUNTRY_BY_FEDERATION) & set(OTHER_CODES)
