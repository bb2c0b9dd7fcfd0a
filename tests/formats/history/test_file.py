import json

import pytest

from ratings.formats.history.file import HistoryError, parse_history, read_history, write_history
from tests.histories import document, rated_player

PLAYERS = {"A": rated_player(1500), "B": {"prior_grade": "3 Dan", "name": "Šárka 山本"}}


def problems(change):
    given = document(PLAYERS, [("A", "B", 1)])
    change(given)
    with pytest.raises(HistoryError) as error:
        parse_history(given)
    return list(error.value.problems)


def put(value, *path):
    def change(given):
        for part in path[:-1]:
            given = given[part]
        given[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("value", "path", "problem"),
    [
        (2, ("tables", 0, "games", 0, "score"), "tables[0].games[0].score: 2 is not one of 0, 0.5, 1"),
        (True, ("tables", 0, "games", 0, "score"), "tables[0].games[0].score: true is not one of 0, 0.5, 1"),
        (None, ("tables", 0, "games", 0, "score"), "tables[0].games[0].score: null is not one of 0, 0.5, 1"),
        (None, ("tables", 0, "games", 0, "round"), "tables[0].games[0].round: is missing"),
        ("A", ("tables", 0, "games", 0, "b"), "tables[0].games[0].b: a game of A against himself"),
        (None, ("tables", 0, "games", 0, "b"), "tables[0].games[0].b: a played game needs an opponent"),
        ("C", ("tables", 0, "games", 0, "b"), "tables[0].games[0].b: C does not stand in the table's players"),
        ("x", ("tables", 0, "games", 0, "giver"), 'tables[0].games[0].giver: "x" is not one of a, b'),
        ("double", ("tables", 0, "games", 0, "kind"), 'tables[0].games[0].kind: "double" is not one of , unrated, both lost, both won, full bye'),
        ("unrated", ("tables", 0, "games", 0, "kind"), "tables[0].games[0].kind: unrated does not fit a game that was played"),
        ({"round": 1, "a": "A", "b": "B", "score": 1, "played": False, "kind": "both lost"}, ("tables", 0, "games", 0), "tables[0].games[0].score: both lost needs a score of 0"),
        ({"round": 1, "a": "A", "b": "B", "score": 1, "played": False, "kind": "full bye"}, ("tables", 0, "games", 0), "tables[0].games[0].kind: full bye does not fit a game of two players"),
        ({"round": 1, "a": "A", "b": None, "score": 1, "played": False, "kind": "both won"}, ("tables", 0, "games", 0), "tables[0].games[0].kind: both won does not fit a game of one player"),
        ("2024-02-30", ("tables", 0, "date"), 'tables[0].date: "2024-02-30" is not a date (YYYY-MM-DD)'),
        (20240101, ("tables", 0, "date"), "tables[0].date: 20240101 is not a date (YYYY-MM-DD)"),
        (["A", "B", "C"], ("tables", 0, "players"), "tables[0].players: no player has the id C"),
        (["A", "B", "B"], ("tables", 0, "players"), "tables[0].players: a player stands twice"),
        ("2023-12-31", ("tables", 0, "end_date"), "tables[0].end_date: 2023-12-31 is before 2024-01-01"),
        (1, ("extra",), "extra: unknown key"),
        (1, ("players", 0, "elo"), "players[0].elo: unknown key"),
        (3000, ("players", 0, "birth_year"), "players[0].birth_year: 3000 is not a year from 1850 to 2200"),
        ("2008", ("players", 0, "birth_year"), 'players[0].birth_year: "2008" is not a year from 1850 to 2200'),
        ([{"registry": "elo", "value": "1"}], ("players", 0, "outside_ids"), 'players[0].outside_ids[0].registry: "elo" is not one of egd, fide, aga, uscf, rif, fesa, national'),
        ([{"registry": "egd", "value": "1"}], ("players", 0, "outside_ids"), 'players[0].outside_ids[0].value: "1" is not an id of egd'),
        ([{"registry": "national", "value": "A1"}], ("players", 0, "outside_ids"), "players[0].outside_ids[0].country: a code of two letters goes with national, and with no other registry"),
        ([{"registry": "fide", "value": "1503014"}] * 2, ("players", 0, "outside_ids"), "players[0].outside_ids[1]: A has this id too"),
        ({"2025": 20}, ("players", 0, "k"), "players[0].k.2025: 20 is not one of 40"),
        ("B", ("players", 0, "id"), "players[1].id: B stands twice"),
        ("fide", ("system",), 'system: "fide" is not one of fesa-2016, fesa-2000, icu-1989, rif-1995, rif-1997, bgf, egf-2021, glicko-2, rif-2021, fide-2024'),
        ({"k": 1}, ("options",), "options: “k” is not an option of fesa-2016; its options are corrections"),
        ("9 Dan", ("players", 1, "prior_grade"), 'players[1].prior_grade: "9 Dan" is not a rank of fesa-2016'),
        ({"games": 9}, ("players", 0, "opening"), "players[0].opening: games without a rating"),
        ({"rating": 1500}, ("players", 0, "opening"), "players[0].opening: a rating needs games or past"),
        ({"rating": "x", "games": 9}, ("players", 0, "opening"), 'players[0].opening: invalid rating: "x"'),
        ({"games": 9}, ("players", 1), "players[1].id: is missing"),
        (True, ("players", 1, "fixed"), "players[1].opening: a fixed player needs a rating"),
        (4, ("tables", 0, "games", 0, "stones"), "tables[0].games[0].black: stones need to know who has Black"),
        (1, ("tables", 0, "games", 0, "board"), "tables[0].games[0].board: 1 is no board size"),
        (-1, ("tables", 0, "minutes"), "tables[0].minutes: less than 0"),
        ({"moves": 20}, ("tables", 0, "overtime"), "tables[0].overtime: either moves and seconds, or an increment"),
        ({"increment": 0}, ("tables", 0, "overtime"), "tables[0].overtime: a value of 0 or less"),
    ],
)  # fmt: skip
def test_read_names_the_place_of_an_error(value, path, problem):
    assert problem in problems(put(value, *path))


def test_two_games_of_a_pair_in_one_round_are_an_error():
    def again(given):
        given["tables"][0]["games"].append({"round": 1, "a": "B", "b": "A", "score": 1})

    assert problems(again) == ["tables[0].games[1]: B and A have two games in round 1"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "not JSON in UTF-8: Expecting value: line 1 column 1 (char 0)"),
        (b"\xff{}", "not JSON in UTF-8: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
        (b'{"x": NaN}', "not JSON in UTF-8: NaN is not a number"),
    ],
)
def test_read_refuses_invalid_json(data, problem):
    with pytest.raises(HistoryError) as error:
        read_history(data)
    assert error.value.problems == (problem,)


def test_read_refuses_json_nested_without_end():
    with pytest.raises(HistoryError):
        read_history(b"[" * 200_000)


def test_write_and_read_give_the_same_history():
    given = document(
        PLAYERS,
        [("A", "B", 0.5, {"handicap": "2p", "giver": "b"}), ("A", None, 1, {"played": False})],
        adjustments=[{"date": "2024-01-01", "player": "A", "set": {"rating": 1600}, "reason": "r"}],
        decisions=[{"date": "2024-01-01", "before": "t1", "player": "A", "grade": "1 Dan", "is": "printed"}],
    )
    history = parse_history(given)
    assert read_history(write_history(history).encode()) == history
    assert json.loads(write_history(history)) == given | {"options": {}}
