import json

from ratings.formats.history.result import compare_figures, result_document, result_text
from tests.histories import document, rate, rated_player

PLAYERS = {"A": rated_player(2000, grade="4 Dan"), "F": {"fixed": True, "opening": {"rating": 2000}}, "C": {}}


def test_document_has_every_row_and_the_state_to_carry_on_from():
    printed = result_document(rate(PLAYERS, [("A", "F", 1)]))
    table = printed["tables"][0]
    assert {key: table[key] for key in ("id", "settled", "rounds", "warnings")} == {
        "id": "t1",
        "settled": True,
        "rounds": 2,
        "warnings": [],
    }
    assert [(r["id"], r["category"], r["before"], r["after"], r["change"]) for r in table["players"]] == [
        ("A", "established", 2000, 2010, 10),
        ("F", "fixed", 2000, 2000, 0),
        ("C", "unrated", None, None, None),
    ]
    assert printed["players"][0] == {
        "id": "A",
        "rating": 2010,
        "games": 101,
        "grade": "4 Dan",
        "category": "established",
        "published": True,
        "opening": {"rating": 2010, "games": 101, "bonus_games": 100, "grade": "4 Dan"},
    }
    json.dumps(printed)


def test_text_has_a_line_a_player_and_the_list():
    lines = result_text(rate(PLAYERS, [("A", "F", 1)])).splitlines()
    assert lines[1].split() == ["A", "2000", "+10", "2010", "1", "established", "4", "Dan"]
    assert lines[-1].split() == ["1", "A", "2010", "4", "Dan", "101", "established"]


def test_differences_show_figures_that_differ_and_empty_ones_that_do_not():
    case = {"name": "c", "history": document(PLAYERS, [("A", "F", 1)])}
    case["expect"] = {"t1": {"A": {"after": 2010, "change": 11}, "X": {"after": 1}}}
    assert list(compare_figures({"cases": [case]})) == [
        "",
        "c t1.A.change: expected 11, got 10",
        "c t1.X.after: expected 1, got 'nothing'",
    ]


def test_differences_of_lists_include_players_who_should_not_stand_there():
    case = {"history": document(PLAYERS, [("A", "F", 1)]), "lists": {"t1": {"B": {"rating": 1}}}}
    assert list(compare_figures(case)) == [
        "t1.B: expected {'rating': 1}, got None",
        "t1.A: expected None, got {'rating': 2010, 'games': 101, 'grade': '4 Dan'}",
    ]
