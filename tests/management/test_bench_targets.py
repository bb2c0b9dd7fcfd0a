"""Targets of the benchmark of rating runs."""

from __future__ import annotations

import pytest

from ratings.management.bench.concurrency import BOTH, BUSY, ONE_BY_ONE, QUIET
from ratings.management.bench.measure import ENGINE, ENGINE_LATE, FROM_NOTHING, LATE, ROWS_IN, Figure
from ratings.management.bench.targets import check_targets, read_seconds


def make_figures(**seconds: float) -> dict[str, Figure]:
    names = {"rows": ROWS_IN, "all": FROM_NOTHING, "late": LATE, "one": ONE_BY_ONE, "both": BOTH, "quiet": QUIET}
    names |= {"engine": ENGINE, "engine_late": ENGINE_LATE}
    named = {names.get(key, BUSY): value for key, value in seconds.items()}
    return {
        what: Figure(what, value, megabytes=3_200 if what == FROM_NOTHING else None) for what, value in named.items()
    }


USUAL = {"rows": 2.0, "all": 4.0, "late": 1.0, "one": 10.0, "both": 7.0, "quiet": 0.1, "busy": 0.12}
USUAL |= {"engine": 5.0, "engine_late": 2.0}


def test_targets_reached_at_their_limits():
    assert list(check_targets("S", "fesa-2016", make_figures(**USUAL))) == [
        "reached: two lists by two workers at once takes 0.70 times “two lists, one after the other”, at most 0.7",
        "reached: the same while the list is rated again takes 1.20 times “reading the list's page (median)”, at most 1.2",
        "reached: from nothing takes 2.00 times “games out, all rows of a run in”, at most 2",
        "reached: one late table a year back takes 0.50 times “games out, all rows of a run in”, at most 0.5",
    ]


@pytest.mark.parametrize(
    ("size", "system", "changed", "missed"),
    [
        ("S", "fesa-2016", {"all": 4.1}, "from nothing takes 2.05 times “games out, all rows of a run in”, at most 2"),
        ("S", "rif-2021", {"all": 6.1}, "from nothing takes 3.05 times “games out, all rows of a run in”, at most 3"),
        ("S", "rif-2021", {"engine": 5.1}, "the engine alone, from nothing takes 5.1 s, at most 5"),
        ("S", "rif-2021", {"engine_late": 2.1}, "the engine alone, from the late table on takes 2.1 s, at most 2"),
        ("M", "fesa-2016", {"late": 0.2}, "one late table a year back takes 0.05 times “from nothing”, at most 0.03"),
        ("L", "fesa-2016", {"late": 0.1}, "3,200 MB of memory, less than 3,000"),
    ],
)
def test_targets_missed_are_named(size, system, changed, missed):
    lines = check_targets(size, system, make_figures(**USUAL | {"late": 0.1} | changed), medium=1.0)
    assert [line for line in lines if not line.startswith("reached")] == [f"MISSED: {missed}"]


def test_targets_of_size_l_compare_with_size_m():
    lines = list(check_targets("L", "fesa-2016", make_figures(**USUAL | {"all": 37.0}), medium=3.0))
    assert lines[-1] == "MISSED: from nothing takes 12.33 times “the same for size M”, at most 12"


def test_targets_of_size_l_are_those_of_a_list_rated_once():
    seconds = {"all": 37.0, "late": 1.0}
    assert list(check_targets("L", "fesa-2016", make_figures(**seconds))) == [
        "reached: one late table a year back takes 0.03 times “from nothing”, at most 0.03",
        "MISSED: 3,200 MB of memory, less than 3,000",
        "unknown: from nothing compared with “the same for size M”, whose table is missing",
    ]


def test_read_seconds_finds_a_line_of_the_table():
    table = "floor                  0.200\nfrom nothing         28.900   19.0\nfrom nothing at all   3.000\n"
    assert read_seconds(table, FROM_NOTHING) == 28.9
    assert read_seconds("", FROM_NOTHING) is None
