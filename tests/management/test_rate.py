import json

import pytest
from django.core.management import CommandError, call_command

from tests.histories import document, rated_player

PLAYERS = {"A": rated_player(2000), "B": {"fixed": True, "opening": {"rating": 2000}}}


@pytest.fixture
def history(tmp_path):
    path = tmp_path / "history.json"
    path.write_text(json.dumps(document(PLAYERS, [("A", "B", 1)], [("A", "B", 0)])))
    return path


def test_rate_prints_json_of_one_table(history, capsys):
    call_command("rate", history, table="t2")
    printed = json.loads(capsys.readouterr().out)
    assert [(r["id"], r["before"], r["after"]) for r in printed["tables"][0]["players"]] == [
        ("A", 2010, 2000),
        ("B", 2000, 2000),
    ]


def test_rate_prints_text(history, capsys):
    call_command("rate", history, format="text")
    assert capsys.readouterr().out.startswith("t1    2024-01-01\n  A ")


def test_rate_of_bad_input_prints_no_rating_and_names_file_and_place(history, capsys):
    history.write_text(history.read_text().replace('"score": 0', '"score": 2'))
    with pytest.raises(CommandError, match=r"history.json: tables\[1\].games\[0\].score: 2 is not one of 0, 0.5, 1$"):
        call_command("rate", history)
    assert capsys.readouterr().out == ""


def test_rate_of_an_adjustment_that_cannot_be_applied_is_an_error(tmp_path):
    path = tmp_path / "history.json"
    given = document(
        PLAYERS, [("A", "B", 1)], adjustments=[{"date": "2024-01-01", "player": "A", "set": {"rating": 0}}]
    )
    path.write_text(json.dumps(given))
    with pytest.raises(CommandError, match="adjustment of 2024-01-01 for player A: invalid rating: 0"):
        call_command("rate", path)


@pytest.mark.parametrize("arguments", [[], ["x.json", "--check", "y.json"]])
def test_rate_wants_one_file(arguments):
    with pytest.raises(CommandError, match="give a history FILE or --check CASES"):
        call_command("rate", *arguments)


def test_rate_of_a_missing_file_or_table_is_an_error(tmp_path, history):
    with pytest.raises(CommandError, match="No such file"):
        call_command("rate", tmp_path / "nothing.json")
    with pytest.raises(CommandError, match="no table has the id t9"):
        call_command("rate", history, table="t9")


def test_check_counts_figures_and_fails_if_one_differs(tmp_path, capsys):
    path = tmp_path / "cases.json"
    case = {"name": "c", "history": document(PLAYERS, [("A", "B", 1)]), "expect": {"t1": {"A": {"after": 2010}}}}
    path.write_text(json.dumps({"cases": [case]}))
    call_command("rate", check=path)
    assert capsys.readouterr().out == "1 figures, 0 differ\n"
    case["expect"]["t1"]["A"]["after"] = 2011
    path.write_text(json.dumps({"cases": [case]}))
    with pytest.raises(CommandError, match="1 of 1 figures differ"):
        call_command("rate", check=path)


@pytest.mark.parametrize("text", ["{}", "[]", '{"cases": [{}]}', '{"cases": []}', "no json"])
def test_check_of_a_file_without_cases_fails(tmp_path, text):
    path = tmp_path / "cases.json"
    path.write_text(text)
    with pytest.raises(CommandError):
        call_command("rate", check=path)
