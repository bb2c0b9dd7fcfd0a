import copy
import json

from ratings.laboratory.candidates import Candidate, Sweep
from ratings.laboratory.document import digest_inputs, digest_result, result_document, result_text
from ratings.laboratory.study import StudyDefinition, run_study
from tests.laboratory.federations import make_federation

STUDY = StudyDefinition(
    [Candidate("fesa-2016"), Candidate("glicko-2", {"tau": 0.3})],
    Sweep(Candidate("glicko-2"), {"initial_deviation": [100, 300]}),
    resamples=100,
)


def test_document_is_reproduced_to_the_digest():
    history = make_federation(1, "glicko-2", tables=30)
    documents = [result_document(history, STUDY, run_study(history, STUDY)) for _ in range(2)]
    assert documents[0]["digest"] == documents[1]["digest"] == digest_result(json.loads(json.dumps(documents[0])))
    assert documents[0]["inputs"] == digest_inputs(history, STUDY)


def test_digest_depends_on_figures_but_not_on_run_times():
    history = make_federation(1, "glicko-2", tables=30)
    document = result_document(history, STUDY, run_study(history, STUDY))
    slower, other = copy.deepcopy(document), copy.deepcopy(document)
    slower["candidates"][0]["seconds"] = 999
    other["candidates"][0]["brier"]["mean"] += 0.000001
    assert digest_result(slower) == document["digest"] != digest_result(other)


def test_digest_of_inputs_depends_on_history_and_study():
    histories = [make_federation(seed, "glicko-2", tables=2) for seed in (1, 2)]
    digests = {digest_inputs(history, study) for history in histories for study in (STUDY, StudyDefinition())}
    assert len(digests) == 4


def test_document_holds_the_figures_of_every_part():
    history = make_federation(1, "glicko-2", tables=30)
    document = result_document(history, STUDY, run_study(history, STUDY))
    assert list(document) == [
        "format", "study", "games", "events", "all_games", "players_without_birth_year", "candidates", "kinds", "sweep", "failures", "inputs",
        "digest",
    ]  # fmt: skip
    assert document["study"] == {
        "candidates": [
            {"system": "fesa-2016", "options": {}},
            {"system": "glicko-2", "options": {"tau": 0.3}},
        ],
        "sweep": {"system": "glicko-2", "options": {}, "values": {"initial_deviation": [100, 300]}},
        "resamples": 100,
    }
    assert [list(candidate) for candidate in document["candidates"]] == 3 * [
        ["system", "options", "log_loss", "brier", "favourite", "against", "calibration", "lists", "seconds"]
    ]
    assert document["candidates"][0]["against"] is None
    assert list(document["sweep"]) == ["points", "best", "intervals", "against"]


def test_text_names_candidates_kinds_sweep_and_failures():
    history = make_federation(1, "glicko-2", tables=30)
    lines = result_text(run_study(history, STUDY)).splitlines()
    assert lines[0] == "All predictions use ratings from before the game."
    assert [line.rpartition("  ")[2] for line in lines[3:9:2]] == ["glicko-2", "fesa-2016", "glicko-2 tau=0.3"]
    assert lines[-4].startswith("initial_deviation=100: 0.")
    assert lines[-3].startswith("initial_deviation=300: 0.")
    assert lines[-2].startswith("best initial_deviation: ")
    assert lines[-1].startswith("log loss of the best value against the present rules: ")
