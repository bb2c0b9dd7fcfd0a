"""The reader of py4swiss, a pairing program of others, reads the files that the portal writes."""

import datetime as dt
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from py4swiss.trf import TrfParser

from ratings.formats.fide.country_codes import federation_code
from ratings.formats.trf.table import read_trf, write_trf
from tests.formats.tables import colours, tables
from tests.formats.test_round_trips import CONTROLLED, details_of_trf
from tests.formats.test_samples import HEAD, SAMPLES, TODAY
from tests.thorough import share


def read_by_py4swiss(table, folder):
    """Read a table by py4swiss, which also checks the results.

    It knows the number of rounds by JaVaFo's line only, and has nine columns for the day of a round, where FIDE has ten.
    """
    file = Path(folder) / "table.trf"
    text = write_trf(table).replace("\r\n142 ", "\r\nXXR ")
    file.write_bytes(re.sub(r"(?<=/\d\d)  (?=\d\d/)", " ", text).encode())
    return TrfParser.parse(file)


@settings(max_examples=share(100, 25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(conditions=colours, heads=CONTROLLED), st.data())
def test_py4swiss_reads_every_player_and_result(tmp_path, table, data):
    for row in table.rows:
        row.sex, row.title, row.rating, row.birth_year, row.place, row.outside = data.draw(details_of_trf)
        row.place = row.place or 1  # it needs one
    table.arbiter, table.round_days = "Beispiel, Ida", (table.last_day,) * table.rounds
    read = read_by_py4swiss(table, tmp_path)
    assert read.x_section.number_of_rounds == table.rounds
    head = read.tournament_section
    day = table.last_day
    assert [(d.year, d.month, d.day) for d in head.dates_of_the_round] == [
        (day.year % 100, day.month, day.day)
    ] * table.rounds
    assert (head.tournament_name, head.date_of_start, head.chief_arbiter) == (
        table.name, f"{table.first_day:%Y/%m/%d}", "Beispiel, Ida",
    )  # fmt: skip
    assert [
        (p.starting_number, p.sex and p.sex.value, p.title and p.title.value, p.name, p.fide_rating, p.fide_federation,
         p.fide_number, p.birth_date and p.birth_date.year, p.points_times_ten, p.rank)
        for p in read.player_sections
    ] == [
        (r.number, r.sex or None, r.title.lower() or None, f"{r.family}, {r.given}".strip(), r.rating, federation_code(r.country),
         int(r.outside["fide"]) if r.outside else None, r.birth_year, round(10 * sum(c.points for c in r.cells)), r.place)
        for r in table.rows
    ]  # fmt: skip
    assert [[(cell.id, cell.color.value) for cell in p.results] for p in read.player_sections] == [
        [(c.opponent, {True: "b", False: "w", None: "-"}[c.black]) for c in row.cells] for row in table.rows
    ]


def test_py4swiss_reads_byes_and_games_won_by_default(tmp_path):
    table, _problems = read_trf((SAMPLES / "trf" / "good-forfeit.trf").read_bytes(), HEAD, TODAY)
    for row in table.rows:
        row.place = 1
    results = [
        [f"{cell.id}{cell.result.value}" for cell in p.results]
        for p in read_by_py4swiss(table, tmp_path).player_sections
    ]
    assert results == [["31", "21", "4+"], ["41", "10", "3="], ["10", "41", "2="], ["20", "30", "1-"]]


def test_day_of_the_samples_is_written_for_it(tmp_path):
    table, _problems = read_trf((SAMPLES / "trf" / "good-26.trf").read_bytes(), HEAD, TODAY)
    read = read_by_py4swiss(table, tmp_path)
    assert (table.last_day, read.tournament_section.date_of_end) == (dt.date(2026, 3, 8), "2026/03/08")
