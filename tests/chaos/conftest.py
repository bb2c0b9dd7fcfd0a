"""Races on PostgreSQL; `make chaos` runs them."""

import os
from collections import Counter

import pytest

from ratings.domain.runs import task_queue

COLUMNS = ("states", "forced", "blocked", "random", "both done", "one refused", "both refused")


@pytest.fixture(autouse=True)
def checked_joins():
    """Leave out the check of every query's joins: the other tests make the same queries."""


@pytest.fixture(autouse=True)
def tasks_are_lost(monkeypatch):
    """Send no task: the checks sweep, as a site does whose queue was away."""
    monkeypatch.setattr(task_queue.circuit, "is_open", lambda: True)


def pytest_terminal_summary(terminalreporter):
    """Print a line for each pair: boundaries forced, random runs, and what came of them.

    “blocked” counts the forced runs in which the second request waited for a lock of the first.
    """
    found = {}
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    for report in reports:
        for name, properties in getattr(report, "user_properties", ()):
            if name == "chaos" and report.when == "call":
                line = found.setdefault(properties["pair"], Counter())
                line.update({column: properties.get(column, 0) for column in COLUMNS} | {"states": 1})
    if not found:
        return
    terminalreporter.section(f"chaos, seed {os.environ.get('CHAOS_SEED', '2016')}")
    found["all"] = sum(found.values(), Counter())
    terminalreporter.write_line(f"{'pair':50}" + "".join(f"{column:>14}" for column in COLUMNS))
    for pair, line in found.items():
        terminalreporter.write_line(f"{pair:50}" + "".join(f"{line[column]:>14}" for column in COLUMNS))
