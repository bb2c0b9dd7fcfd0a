"""Every sample file gives exactly the problems that its companion `expected.json` tells, thought out by hand."""

import datetime as dt
import json
from pathlib import Path

import pytest

from ratings.formats.aga.rating_list import read_tdlist
from ratings.formats.event_head import Head
from ratings.formats.fesa.rating_list_reader import read_rating_list
from ratings.formats.fide.rating_list_reader import read_fide_list
from ratings.formats.fide.xml_list import read_fide_xml
from ratings.formats.people.new_players import read_new_players
from ratings.formats.people.rating_sheet import read_rating_sheet
from ratings.formats.recognise import detect_format, read_results_file

TODAY = dt.date(2026, 11, 21)
HEAD = Head("Event of the portal", dt.date(2026, 3, 7), dt.date(2026, 3, 8))
SAMPLES = Path(__file__).parent / "samples"
EXPECTED = {
    (folder.name, file): problems
    for folder in sorted(SAMPLES.iterdir())
    for file, problems in json.loads((folder / "expected.json").read_text("utf-8")).items()
}
NO_RESULTS = {
    "rating-list": read_rating_list, "rating-csv": read_rating_sheet, "new-players": read_new_players,
    "rating-fide": read_fide_list, "rating-fide-xml": read_fide_xml,
    "rating-aga": read_tdlist,
}  # fmt: skip


def list_problems(problems):
    found = [[p.level, p.line, p.row, p.round, p.message] for p in problems.all]
    return sorted(found, key=str)


@pytest.mark.parametrize(("form", "file"), EXPECTED)
def test_sample_gives_exactly_its_problems(form, file):
    data = (SAMPLES / form / file).read_bytes()
    if form in NO_RESULTS:
        assert list_problems(NO_RESULTS[form](data)[1]) == sorted(EXPECTED[form, file], key=str)
        return
    found = read_results_file(data, HEAD, TODAY)
    assert list_problems(found.problems) == sorted(EXPECTED[form, file], key=str)
    assert found.format == (
        "unknown" if not data or file.startswith("damaged") else form.removesuffix("-crosstable").removesuffix("-games")
    )
    if file.startswith("good"):
        assert (found.table.first_day, found.table.last_day) == (dt.date(2026, 3, 7), dt.date(2026, 3, 8))


def test_every_sample_is_expected():
    files = {(path.parent.name, path.name) for path in SAMPLES.glob("*/*") if path.name != "expected.json"}
    assert files == set(EXPECTED)


@pytest.mark.parametrize("form", sorted({form for form, _ in EXPECTED} - set(NO_RESULTS)))
def test_good_sample_has_all_of_the_table(form):
    file = next(file for known, file in EXPECTED if known == form and file.startswith("good."))
    table = read_results_file((SAMPLES / form / file).read_bytes(), HEAD, TODAY).table
    assert detect_format((SAMPLES / form / file).read_bytes()) == form.split("-")[0]
    second = "Van Beispiel" if form == "tou" else "van Beispiel"  # last names are in capitals there
    assert {row.family for row in table.rows} == {"Muster", second, "Novák", "Dupont"}
    assert (table.name, table.rounds) == ("Spring Cup", 3)
