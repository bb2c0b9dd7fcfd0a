import pytest

from ratings.laboratory.candidates import Candidate, Sweep
from ratings.laboratory.document import study_document
from ratings.laboratory.study import StudyDefinition
from ratings.laboratory.study_file import parse_study

STUDY = StudyDefinition([Candidate("glicko-2", {"tau": 0.4})], Sweep(Candidate("rif-2021"), {"w2": [1, 10]}), 300)


def test_study_comes_back_from_its_document():
    assert parse_study(study_document(STUDY)) == STUDY
    assert parse_study({"study": study_document(STUDY), "games": 3}) == STUDY


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (3, "study: Input should be a valid dictionary"),
        ({"candidate": []}, "candidate: Extra inputs are not permitted"),
        ({"candidates": [{}]}, "candidates.0.system: Field required"),
        ({"candidates": [{"system": "elo"}]}, "“elo” is not one of the systems"),
        ({"candidates": [{"system": "glicko-2", "options": {"tau": 9}}]}, "tau: 9 cannot be"),
        ({"sweep": {"system": "glicko-2", "values": {}}}, "sweep.values: Dictionary should have at least 1 item"),
        ({"sweep": {"system": "glicko-2", "values": {"tau": [0.3]}}}, "tau: a sweep needs at least two"),
        ({"resamples": 0}, "resamples: Input should be greater than or equal to 1"),
    ],
)
def test_invalid_study_is_refused_with_the_place(document, problem):
    with pytest.raises(ValueError, match=f"^{problem}"):
        parse_study(document)
