import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from ratings.formats.check_catalogue import (
    CHECKS,
    OF_EARLIER_RELEASES,
    OF_OTHER_FILES,
    PARTS,
    find_check,
    find_level,
)
from ratings.formats.parsed import FATAL, HINT, WARNING
from ratings.formats.problems import FileProblem, SubmissionProblem

SOURCES = [
    path for folder in ("ratings", "portal") for path in Path(folder).rglob("*.py")
    if "migrations" not in path.parts and path.name not in ("problems.py", "check_catalogue.py")
]  # fmt: skip
USED = {
    name for path in SOURCES for name in re.findall(r"\b(?:FileProblem|SubmissionProblem)\.([A-Z_0-9]+)", path.read_text())
}  # fmt: skip


def make_message(member):
    return member(**dict.fromkeys(re.findall(r"{(\w+)", member.value), "x"))


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


def test_catalogue_lists_exactly_the_codes_that_checks_can_report():
    """Findings are made in one class only, whose methods take no level: it is that of the catalogue."""
    listed = {member.name for check in CHECKS for member in check.messages}
    others = {member.name for member in (*PARTS, *OF_OTHER_FILES)}
    assert USED - others == listed
    for member in (*PARTS, *OF_OTHER_FILES, *OF_EARLIER_RELEASES):
        with pytest.raises(LookupError):
            find_level(make_message(member))


def test_findings_are_made_with_the_level_of_the_catalogue_only():
    calls = [
        (str(path), ast.unparse(node.args[0]))
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding"
    ]
    checks = "ratings/domain/results/submission_checks.py"
    assert calls == [(checks, "level"), (checks, "find_level(message)"), (checks, "level")]
    tree = ast.parse(Path(checks).read_text())
    levels = [
        ast.unparse(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "level"
    ]
    assert levels == [
        "find_level(message, submitted=self.submission.state == Submission.State.SUBMITTED)",
        "find_level(remark.message, in_file=True)",
        "WARNING if remark.level == FATAL else HINT",  # messages of earlier releases
    ]


def test_levels_of_checks_are_stated_once_and_never_rise():
    order = (HINT, WARNING, FATAL)
    for check in CHECKS:
        assert check.level in order, check.code
        for other in filter(None, (check.level_in_file, check.level_submitted)):
            assert order.index(other) < order.index(check.level), check.code


@pytest.mark.parametrize(
    ("message", "levels"),
    [
        (FileProblem.BOTH_WON(name="Lind", other="Brand"), ("error", "warning", "error")),
        (make_message(FileProblem.POINTS_DIFFER), ("warning", "hint", "warning")),
        (SubmissionProblem.MEMBERSHIP_LAPSED(federation="F", names="A"), ("warning", "warning", "hint")),
        (SubmissionProblem.BIG_CHANGE(change="+200"), ("hint", "hint", "hint")),
    ],
)
def test_level_of_a_message_depends_on_where_it_is_found(message, levels):
    found = find_level(message), find_level(message, in_file=True), find_level(message, submitted=True)
    assert found == levels
