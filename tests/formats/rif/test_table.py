"""Reading of tournaments in RenjuNet's database, and its division into files."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.formats.event_head import Head
from ratings.formats.parsed import Cell, Problems
from ratings.formats.problems import FileProblem
from ratings.formats.rif.database import ATTRIBUTES, Database, looks_like_rif, read_database, write_tournament
from ratings.formats.rif.split import split_database, split_rif
from ratings.formats.rif.table import read_rif
from ratings.formats.xml_elements import Element
from ratings.systems.messages import has_code
from tests.formats.tables import TODAY, errors, words
from tests.formats.test_samples import SAMPLES

HEAD = Head("Cup of the portal", TODAY, TODAY)


def load(name):
    return (SAMPLES / "rif" / name).read_bytes()


def read(name="good.rif"):
    table, problems = read_rif(load(name), HEAD, TODAY)
    assert errors(problems) == []
    return table


def test_valid_database_gives_all_data_of_its_tournament():
    table = read()
    days = (dt.date(2026, 3, 7), dt.date(2026, 3, 8))
    assert (table.name, table.first_day, table.last_day) == ("Spring Cup", *days)
    assert (table.place, table.country, table.code, table.discipline) == ("Berlin", "Germany", "DE", "renju")
    assert [(row.number, row.name, row.country, row.birth_year, row.outside) for row in table.rows] == [
        (1, "van Beispiel Jan", "NL", 1985, {"rif": "1009"}),
        (2, "Muster Anna", "DE", 1990, {"rif": "1007"}),
        (3, "Dupont Luc", "FR", None, {"rif": "1014"}),
        (4, "Novák Petra", "CZ", None, {"rif": "1011"}),
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(2, 0, black=False), Cell(4, 1, black=True), Cell(3, 0, black=True)],
        [Cell(1, 1, black=True), Cell(3, 1, black=False), Cell(4, 0.5, black=True)],
        [Cell(4, 0.5, black=False), Cell(2, 0, black=True), Cell(1, 1, black=False)],
        [Cell(3, 0.5, black=True), Cell(1, 0, black=False), Cell(2, 0.5, black=False)],
    ]


def test_games_without_a_round_make_the_table_of_those_with_one():
    assert [row.cells for row in read("rounds-missing.rif").rows] == [row.cells for row in read().rows]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("good-days-swapped.rif", "2026-03-07", "2026-03-08"),
        ("first-day-unknown.rif", "2026-03-08", "2026-03-08"),
        ("last-day-unknown.rif", "2026-03-07", "2026-03-07"),
        ("day-without-number.rif", "2026-03-01", "2026-03-08"),
        ("days-unknown.rif", "2026-03-01", "2026-03-31"),
    ],
)
def test_incomplete_days_are_completed(name, first, last):
    table = read(name)
    assert (str(table.first_day), str(table.last_day)) == (first, last)


def test_tournament_without_any_day_has_the_days_of_the_event():
    data = load("days-unknown.rif").replace(b'year="2026" month="3"', b'year="" month="13"')
    table, problems = read_rif(data, HEAD, TODAY)
    assert (table.first_day, table.last_day, problems.all) == (TODAY, TODAY, [])
    _table, problems = read_rif(data, Head("", None, None), TODAY)
    assert [has_code(problem.message, FileProblem.DAYS_MISSING) for problem in problems.all] == [True]


def test_games_that_are_not_rated_keep_their_points():
    cells = [row.cells[2] for row in read("unrated-game.rif").rows]
    assert cells == [Cell(0, 0), Cell(4, 0.5, black=True), Cell(0, 1), Cell(2, 0.5, black=False)]


@pytest.mark.parametrize("name", ["plays-himself.rif", "result-unknown.rif"])
def test_games_without_opponent_or_result_are_left_out(name):
    row = next(row for row in read(name).rows if row.family == "van Beispiel")
    assert row.cells[2] == Cell(0, 0)


def test_single_name_is_the_last_name():
    assert [(row.family, row.given) for row in read("only-one-name.rif").rows][2] == ("Dupont", "")


@pytest.mark.parametrize(("data", "is_rif"), [(b"<database><games/></database>", True), (b"<database/>", False),
                                              (b"<databases><games/></databases>", False)])  # fmt: skip
def test_databases_are_recognised_by_root_and_groups(data, is_rif):
    assert looks_like_rif(data) == is_rif


def test_database_is_divided_into_its_rated_tournaments_in_date_order():
    data = load("two-tournaments.rif").replace(
        b'start="2026-09-05" end="2026-09-05"', b'start="2025-09-05" end="2025-09-05"'
    )
    split = split_database(data, TODAY)
    assert [(name, table.discipline) for name, _part, table, _problems in split.files] == [
        ("Autumn Cup 2025-09-05.rif", "gomoku"), ("Spring Cup 2026-03-08.rif", "renju")]  # fmt: skip
    assert [row.name for row in split.files[0][2].rows] == ["van Beispiel Jan", "Muster Anna"]
    for _name, part, table, _problems in split.files:
        again, problems = read_rif(part, Head("", None, None), TODAY)
        assert problems.all == []
        assert [(row.name, row.country, row.birth_year, row.outside, row.cells) for row in again.rows] == [
            (row.name, row.country, row.birth_year, row.outside, row.cells) for row in table.rows]  # fmt: skip
    assert split_rif(data) == ([(name, part) for name, part, *_read in split.files], "")


def test_parts_are_equal_when_the_rest_of_the_database_changes():
    data = load("two-tournaments.rif")
    newer = data.replace(b'date="2026-10-31"', b'date="2026-11-30"').replace(
        b"</players>", b'<player id="99" disp_id="1099" name="Eva" surname="Neu"/></players>')  # fmt: skip
    assert split_rif(newer) == split_rif(data)


def test_left_out_tournaments_are_counted():
    data = load("two-tournaments.rif").replace(b'id="56" name="Autumn Cup"', b'id="56" name="Autumn Cup" type="1"')
    split = split_database(data.replace(b' rated="1" type="0"/>\n</tour', b' rated="1"/>\n</tour'), TODAY)
    assert [name for name, *_file in split.files] == ["Spring Cup 2026-03-08.rif"]
    assert (has_code(split.left_out, FileProblem.RIF_LEFT_OUT), split.left_out.values) == (
        True,
        {"unrated": 1, "empty": 0},
    )


@pytest.mark.parametrize(
    "name", ["good.rif", "not-closed.rif", "no-games.rif", "id-twice.rif", "tournament-unknown.rif"]
)
def test_database_with_one_tournament_or_an_error_is_not_divided(name):
    assert split_rif(load(name)) == ([], "")


def test_larger_databases_are_read_only_if_allowed():
    data = load("two-tournaments.rif") + b" " * 2_000_000
    assert split_database(data, TODAY).problems.fatal
    assert len(split_database(data, TODAY, most=3_000_000).files) == 2


texts = words() | st.sampled_from(["", "<a> & \"b\" 'c'", "é — 山田"])


def make_elements(tag):
    return st.fixed_dictionaries({name: texts for name in ATTRIBUTES[tag] if name not in ("id", "tournament")})


@given(st.lists(make_elements("player"), min_size=2, max_size=4), make_elements("tournament"), make_elements("game"))
def test_written_tournaments_are_read_again(players, tournament, game):
    database = Database()
    for number, attributes in enumerate(players):
        database.elements["player"][str(number)] = Element("player", 0, {"id": str(number), **attributes})
    database.elements["tournament"]["t"] = Element("tournament", 0, {"id": "t", **tournament})
    sides = {"black": "0", "white": "1"}
    database.games["t"] = [Element("game", 0, {"id": "g", "tournament": "t", **game, **sides})]
    problems = Problems()
    again = read_database(write_tournament(database, database.elements["tournament"]["t"]), problems)
    assert problems.all == []
    assert [element.attributes for element in again.elements["player"].values()] == [
        {"id": str(number), **attributes} for number, attributes in list(enumerate(players))[1::-1]
    ][::-1]
    assert again.elements["tournament"]["t"].attributes == database.elements["tournament"]["t"].attributes
    assert again.games["t"][0].attributes == database.games["t"][0].attributes


def read_changed(native):
    data = (
        load("good.rif").decode().replace('surname="Muster" native_name=""', f'surname="Muster" native_name="{native}"')
    )
    table, problems = read_rif(data.encode(), HEAD, TODAY)
    return [(row.native, row.sex) for row in table.rows], [str(problem) for problem in problems.all]


def test_names_in_the_own_script_and_women_are_read():
    assert read_changed("  山本  太一 ") == ([("", ""), ("山本 太一", "w"), ("", ""), ("", "w")], [])


@pytest.mark.parametrize("native", ["x" * 101, "山\ufffd", "山\u202e本", "\u3164"])
def test_damaged_or_long_name_in_the_own_script_is_left_out(native):
    rows, problems = read_changed(native)
    assert rows[1] == ("", "w")
    assert problems == [
        f"line 23: warning: row 2: the name in the player's own script was left out: “{native[:60]}” is damaged or has "
        "more than 100 letters"
    ]
