import json

import pytest
from django.core.management import CommandError, call_command

from ratings.formats.history.file import write_history
from ratings.laboratory.document import digest_result
from tests.laboratory.federations import make_federation


@pytest.fixture
def history(tmp_path):
    path = tmp_path / "history.json"
    path.write_text(write_history(make_federation(2, "glicko-2", tables=25)))
    return path


def test_evaluate_prints_a_line_for_each_candidate(history, capsys):
    call_command("evaluate", history, candidate=["fesa-2016"], resamples=50)
    printed = capsys.readouterr()
    assert [line.rpartition("  ")[2] for line in printed.out.splitlines()[3:7:2]] == ["glicko-2", "fesa-2016"]
    assert printed.err == "1 of 2 runs\n2 of 2 runs\n"


def test_evaluate_prints_json_with_its_digest(history, capsys):
    options = {"candidate": ["glicko-2 tau=0.4"], "sweep": ["idle_days=30,60"], "resamples": 50}
    call_command("evaluate", history, format="json", **options)
    document = json.loads(capsys.readouterr().out)
    assert document["digest"] == digest_result(document)
    assert [point["values"] for point in document["sweep"]["points"]] == [{"idle_days": 30}, {"idle_days": 60}]
    call_command("evaluate", history, digest=True, **options)
    assert capsys.readouterr().out == document["digest"] + "\n"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"candidate": ["elo"]}, "^“elo” is not one of the systems"),
        ({"candidate": ["present k=3"]}, "^“k” is not an option of glicko-2"),
        ({"sweep": ["tau"]}, "^“tau” is not written as option="),
        ({"sweep": ["tau=0.3,0.4"], "of": "fesa-2016"}, "^“tau” is not an option of fesa-2016"),
        ({"resamples": 0}, "^--resamples takes a number from 1 to 100000$"),
    ],
)
def test_invalid_study_is_refused_before_any_run(history, capsys, options, problem):
    with pytest.raises(CommandError, match=problem):
        call_command("evaluate", history, **options)
    assert capsys.readouterr() == ("", "")


def test_bad_files_are_named_with_the_place(history):
    history.write_text(history.read_text().replace('"glicko-2"', '"glicko-3"'))
    with pytest.raises(CommandError, match=r'history.json: system: "glicko-3" is not one of fesa-2016, '):
        call_command("evaluate", history)
    history.unlink()
    with pytest.raises(CommandError, match=r"history.json: No such file or directory$"):
        call_command("evaluate", history)
