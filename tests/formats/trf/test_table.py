import datetime as dt

import pytest

from ratings.formats.event_head import Head
from ratings.formats.fesa.grid import read_grid
from ratings.formats.fide.country_codes import COUNTRY_BY_FEDERATION, OTHER_CODES, country_code, federation_code
from ratings.formats.parsed import Cell
from ratings.formats.trf.records import agrees_with_rows
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
    assert lines[:7] == ["012 3. Example Cup", "022 Sampletown", "042 2026/03/07", "052 2026/03/08", "062 4",
                         "122 30min + 30sec", "142 3"]  # fmt: skip
    assert write_trf(table).count("\r\n") == len(lines) == write_trf(table).count("\n")
    row = " " + lines[8]  # columns count from 1
    assert (row[1:4], row[5:9], row[15:48].rstrip(), row[54:57], row[81:85]) == (
        "001", "   2", "van Beispiel, Jan", "NED", " 1.5")  # fmt: skip
    assert (row[92:96], row[97], row[99], row[102:106], row[109]) == ("   4", "-", "1", "   1", "0")
    assert lines[7].endswith("  0000 - U")


def test_fide_number_is_written_in_its_columns():
    table, _ = read_grid(GOOD.encode("latin-1"), TODAY)
    table.rows[1].outside = {"fide": "1503014", "egd": "10000017"}
    rows = [" " + line for line in write_trf(table).splitlines() if line.startswith("001")]  # columns count from 1
    assert [row[58:69] for row in rows] == [" " * 11, "    1503014", " " * 11, " " * 11]
    assert rows[1][54:57] + rows[1][81:85] == "NED 1.5"
    back, problems = read_trf(write_trf(table).encode(), HEAD, TODAY)
    assert (problems.fatal, [row.outside for row in back.rows]) == (False, [{}, {"fide": "1503014"}, {}, {}])


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


# the FIDE number stands in columns 58 to 68: ../shared/formats/trf16.md
@pytest.mark.parametrize(
    ("number", "outside"), [("1503014", {"fide": "1503014"}), ("0", {}), ("", {}), ("12", {}), ("X123456", {})]
)
def test_fide_number_is_an_outside_id(number, outside):
    lines = [
        f"001 {place:>4}      {name:<33}      {'GER'} {fide:>11} {'':10} {points:>4} {'':4}  {other:>4} - {sign}"
        for place, name, fide, points, other, sign in (
            (1, "A, B", number, "1.0", 2, "1"),
            (2, "C, D", "", "0.0", 1, "0"),
        )
    ]
    table, problems = read_trf("\n".join(lines).encode(), HEAD, TODAY)
    assert (problems.all, [row.outside for row in table.rows]) == ([], [outside, {}])


FILE_26 = (SAMPLES / "trf" / "good-26.trf").read_bytes()


def test_file_of_trf26_is_read_whole():
    table, problems = read_trf(FILE_26, HEAD, TODAY)
    assert problems.all == []
    assert (table.time_control, table.minutes, table.increment) == ("90 min + 30 sec", 90, 30)
    assert table.program_lines == ("152 W", "172     FIDE", "182 Example Pairings 1.0", "192 FIDE_DUTCH_2026")
    assert [(r.sex, r.title, r.rating, r.outside, r.birth_year, r.place) for r in table.rows] == [
        ("w", "WFM", 2101, {"fide": "1234567"}, 1990, 1),
        ("m", "", 1655, {"fide": "7654321"}, 2012, 2),
        ("w", "", None, {}, None, 3),
        ("m", "", None, {}, None, 4),
    ]


def test_file_of_trf26_is_written_as_it_was_but_for_comment_and_day_of_birth():
    table, _problems = read_trf(FILE_26, HEAD, TODAY)
    written = FILE_26.decode().replace("\r", "\r\n").replace("2012/05/01", "2012/00/00").split("\r\n", 1)[1]
    assert write_trf(table).splitlines() == [line.rstrip() for line in written.splitlines()]


@pytest.mark.parametrize(
    ("text", "minutes", "increment"),
    [("5400+30", 90, 30), ("1500", 25, None), ("40/6000+30:900+30", 115, 30), ("W300+2-B300+2", 5, 2),
     ("W300-B240", None, None), ("40/6000:900+30", None, None), ("90 min", None, None), ("1e9", None, None)],
)  # fmt: skip
def test_time_control_in_seconds_becomes_minutes_and_increment(text, minutes, increment):
    data = FILE_26.replace(b"222 5400+30", f"222 {text}".encode())
    table, problems = read_trf(data, HEAD, TODAY)
    assert (table.minutes, table.increment, problems.fatal) == (minutes, increment, False)
    assert [problem.line for problem in problems.all] == ([] if minutes else [14])


def test_time_control_in_seconds_is_that_of_the_table_if_there_is_no_text():
    table, _problems = read_trf(FILE_26.replace(b"122 90 min + 30 sec\r", b""), HEAD, TODAY)
    assert table.time_control == "90 min + 30 sec"


def test_announced_bye_gives_points_where_the_row_is_blank():
    table, problems = read_trf((SAMPLES / "trf" / "26-bye-announced.trf").read_bytes(), HEAD, TODAY)
    assert (problems.all, table.rows[3].cells[2], table.rows[3].points) == ([], Cell(0, 0.5), 0.5)


def test_only_full_point_of_a_round_is_the_bye_of_the_pairing():
    table, _problems = read_trf(FILE_26, HEAD, TODAY)
    table.rows[3].cells[2] = Cell(0, 1)
    table.rows[0].cells[0] = Cell(0, 0.5)
    table.rows[2].cells[0] = Cell(0, 1)
    lines = [line[91:] for line in write_trf(table).splitlines() if line.startswith("001")]
    assert [line[:8] for line in lines] == ["0000 - H", "   4 w 1", "0000 - U", "   2 b 0"]
    assert [line[20:] for line in lines] == ["0000 - F", "   3 b =", "   2 w =", "0000 - F"]


def test_game_won_by_default_names_the_opponent():
    table, _problems = read_trf(FILE_26, HEAD, TODAY)
    table.rows[0].cells[2] = Cell(0, 1, forfeit=4, paired_black=False)
    table.rows[3].cells[2] = Cell(0, 0, forfeit=1, paired_black=True)
    data = write_trf(table).encode()
    lines = [line[111:] for line in data.decode().splitlines() if line.startswith("001")]
    assert lines == ["   4 w +", "   3 b =", "   2 w =", "   1 b -"]
    back, problems = read_trf(data, HEAD, TODAY)
    cells = [(row.cells[2].opponent, row.cells[2].forfeit, row.cells[2].paired_black) for row in back.rows]
    assert cells == [(0, 4, False), (3, 0, None), (2, 0, None), (0, 1, True)]
    assert [str(problem) for problem in problems.all] == [
        "hint: games won or lost by default (+ -): 1; their points count, they are not rated"
    ]


def test_corrections_are_comments_and_national_numbers_have_lines_of_their_own():
    table, _problems = read_trf(FILE_26, HEAD, TODAY)
    table.comments = ("Corrected on 2026-05-01",)
    table.rows[0].national, table.rows[0].national_rating = {"GER": "10012345"}, 1987
    table.rows[3].national = {"FRA": ""}
    lines = write_trf(table).splitlines()
    assert lines[0] == "### Corrected on 2026-05-01"
    assert lines[-1] == "FRA    4 m    Dupont, Luc"
    assert lines[-2] == f"GER    1 wWFM {'Muster, Anna':<33} 1987        10012345 1990/00/00"
    again, problems = read_trf(write_trf(table).encode(), HEAD, TODAY)
    assert [row.cells for row in again.rows] == [row.cells for row in table.rows]
    assert [str(problem) for problem in problems.all] == [
        f"line {len(lines) - 1}: hint: lines of national federations: 2; their numbers identify players, their ratings are "
        "not used"
    ]
    assert [(row.national, row.national_rating) for row in again.rows] == [
        (row.national, row.national_rating) for row in table.rows
    ]
    assert [row.outside.get("DE") for row in again.rows] == ["10012345", None, None, None]


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("GER    1", {"DE": "10012345"}),
        ("DEU    1", {}),  # FIDE's code is GER
        ("GER    9", {}),  # no such player
        ("SCO    1", {}),  # one of several federations of the country
    ],
)
def test_national_number_belongs_to_the_player_with_its_starting_rank(line, ids):
    written = f"{line} {'':38}{1987:>4}     {'10012345':>11}"
    table, _problems = read_trf(
        FILE_26 + f"\r\n{written}\r\n{line} {'':38}{1987:>4}     {'777':>11}".encode(), HEAD, TODAY
    )
    national = [{key: id for key, id in row.outside.items() if key != "fide"} for row in table.rows]
    assert national == [ids, *[{}] * 3]


@pytest.mark.parametrize("rank", ["1 23", "1  2", " x 1", "٣"])
def test_national_line_without_a_starting_rank_is_reported(rank):
    _table, problems = read_trf(FILE_26 + f"\r\nGER {rank:>4} Muster, Anna".encode(), HEAD, TODAY)
    assert [str(problem) for problem in problems.all] == ["line 20: hint: lines of unknown kinds, not imported: GER"]


def test_points_are_not_compared_where_the_event_counts_others():
    table, problems = read_trf((SAMPLES / "trf" / "26-other-points.trf").read_bytes(), HEAD, TODAY)
    assert [row.points for row in table.rows] == [None] * 4
    assert [problem.level for problem in problems.all] == ["hint"]


WHOLE = (SAMPLES / "trf" / "26-whole.trf").read_bytes()


def test_lines_of_the_pairing_titles_and_national_ratings_are_written_again():
    table, _problems = read_trf(WHOLE, HEAD, TODAY)
    assert (table.program_lines, table.pairing_lines) == (
        ("202 PTS,BH:C1,SB",), ("240 Z   3    4", "250 1.0 1.0   1   2    1    2", "260   1   3    1    4"))  # fmt: skip
    assert [(row.national, row.national_rating) for row in table.rows] == [
        ({"GER": "10012345"}, 1987), ({"NED": "20012345"}, 1700), ({}, None), ({}, None)]  # fmt: skip
    written = write_trf(table)
    again, problems = read_trf(written.encode(), HEAD, TODAY)
    assert {problem.level for problem in problems.all} == {"hint"}
    assert write_trf(again) == written
    kept = [line for line in written.splitlines() if line[:3] in ("202", "240", "250", "260")]
    assert kept == [*table.program_lines, *table.pairing_lines]
    assert [line[9:13] for line in written.splitlines() if line.startswith("001")] == ["wWFM", "m   ", "w   ", "m   "]


@pytest.mark.parametrize(
    ("line", "agrees"),
    [("240 Z   3    4", True), ("240 H   3    4", False), ("240 Z   3    2", False), ("240 F   4    2", True),
     ("240 Z   3    9", False), ("250 1.0 1.0   1   2    1    9", True)],
)  # fmt: skip
def test_announced_bye_agrees_with_the_results_or_not(line, agrees):
    table, _problems = read_trf(WHOLE, HEAD, TODAY)
    assert agrees_with_rows(line, table.rows) is agrees


def test_national_line_of_no_player_is_reported():
    data = WHOLE.replace(b"NED    2", b"NED    7")
    _table, problems = read_trf(data, HEAD, TODAY)
    assert [str(problem) for problem in problems.all if problem.level == "warning"] == [
        "line 19: warning: line NED names starting rank 7, which no player has"
    ]


def test_full_point_that_is_not_the_bye_of_the_pairing_stays_so():
    data = FILE_26.replace(b"0000 - U", b"0000 - F")
    table, _problems = read_trf(data, HEAD, TODAY)
    assert next(line[111:] for line in write_trf(table).splitlines() if line.startswith("001")) == "0000 - F"
    table, _problems = read_trf(FILE_26, HEAD, TODAY)
    assert next(line[111:] for line in write_trf(table).splitlines() if line.startswith("001")) == "0000 - U"
