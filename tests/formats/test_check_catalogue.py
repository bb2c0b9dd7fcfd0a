import re
from collections import Counter
from pathlib import Path

from ratings.formats.check_catalogue import CHECKS, OF_EARLIER_RELEASES, OF_OTHER_FILES, PARTS, find_check
from ratings.formats.problems import FileProblem, SubmissionProblem

SOURCES = [
    path for folder in ("ratings", "portal") for path in Path(folder).rglob("*.py")
    if "migrations" not in path.parts and path.name not in ("problems.py", "check_catalogue.py")
]  # fmt: skip
USED = {
    name for path in SOURCES for name in re.findall(r"\b(?:FileProblem|SubmissionProblem)\.([A-Z_0-9]+)", path.read_text())
}  # fmt: skip


def test_every_message_has_one_entry():
    entries = [member for check in CHECKS for member in check.messages]
    others = [*PARTS, *OF_OTHER_FILES, *OF_EARLIER_RELEASES]
    assert Counter([*entries, *others]) == Counter([*FileProblem, *SubmissionProblem])


def test_every_entry_is_used_by_the_code():
    assert {m.name for check in CHECKS for m in check.messages} - USED == set()
    assert {m.name for m in OF_EARLIER_RELEASES} & USED == set()


def test_checks_have_different_codes_names_and_a_description():
    assert len({check.code for check in CHECKS}) == len({check.name for check in CHECKS}) == len(CHECKS)
    assert [check.code for check in CHECKS if not re.fullmatch(r"[a-z]+(-[a-z]+)*", check.code)] == []
    assert [check.code for check in CHECKS if not check.description.endswith(".")] == []


def test_check_of_a_message_is_found():
    assert find_check(FileProblem.BOTH_WON(name="Lind", other="Brand")).code == "contradiction"
    assert find_check("typed by a person") is None
