"""People submit, accept, void, restore, merge and undo while processes and services fail: everything settles, and
nothing that was acknowledged is lost.

FAULT_SEED and FAULT_ROUNDS choose other scripts and more faults by hand.
"""

import os
import random
import time

import pytest

from ratings.models import Event, Merge

from .environment import eventually
from .faulting import LEAST_CUTS, Faults
from .invariants import assert_nothing_lost, find_missing_steps
from .scenes import PUBLIC, people_at_work, settle
from .site import Site

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
SECONDS = 50
"""Nobody waits longer for an answer, on a loaded machine of two cores."""
LEAST_STEPS = {"submitted": 10, "returned": 1, "accepted": 5, "proposed": 1, "corrected": 1, "voided": 3, "unvoided": 1,
               "withdrawn": 1, "read": 10}  # fmt: skip
"""How often each step must have been taken at least, after 30 faults or more."""


@pytest.fixture
def seed():
    return int(os.environ.get("FAULT_SEED", "7"))


@pytest.fixture
def site(tmp_path, broker, scene):
    with Site(tmp_path, broker).running() as running:
        for path in PUBLIC:
            assert running.get(path).status == 200
        yield running


@pytest.fixture
def people(site, journal, users, seed, scene):
    with people_at_work(site, journal, users, seed, scene) as people:
        yield people


def test_failures_of_services_lose_nothing_and_leave_no_partial_changes(site, people, journal, seed, tmp_path):
    chance, rounds = random.Random(seed), int(os.environ.get("FAULT_ROUNDS", "30"))
    began = dict(Event.objects.values_list("pk", "state"))
    faults = Faults(site, journal, chance)
    try:
        for kind in faults.drawn(rounds):
            time.sleep(chance.uniform(1, 3))
            faults.cause(kind)
        if rounds >= 30:
            # chance may cut too few transactions and leave out a step until then, the more so on a busy machine
            faults.cut_more_transactions()
            eventually(lambda: not find_missing_steps(LEAST_STEPS) and has_enough_merges(), 300)
        journal.ended.set()
        for person in people:
            person.join()
        assert [person.error for person in people if person.error] == []
        settle(site)
        assert_nothing_lost(site, journal, began)
        assert_answered(journal, faults)
    finally:
        lines = [f"seed {seed}, {sum(faults.counts.values())} faults", *journal.table(), *journal.done()]
        lines += [f"cut after {statement}: {times} times" for statement, times in faults.cut.items()]
        (tmp_path / "answers.txt").write_text("\n".join([*lines, *map(str, journal.lines)]))
        print("\n".join(["", *lines]))  # noqa: T201 - read with pytest -s, and where the test fails


def has_enough_merges():
    return Merge.objects.count() > 4 and Merge.objects.exclude(undone_at=None).count() > 2


def assert_answered(journal, faults):
    """Nothing answered 500 or hung, forms came back, and all kinds of work were done during all kinds of faults."""
    assert journal.problems == []
    assert [str(line) for line in journal.lines if line.answer.seconds > SECONDS] == []
    cut = [line for line in journal.lines if line.answer.status == 0 and not {*line.faults} & {*faults.ON_WEB}]
    assert [str(line) for line in cut] == []
    rounds = sum(faults.counts.values())
    assert min(faults.counts.values()) >= rounds // len(faults.KINDS)
    if rounds < 30:
        return
    assert sum(faults.cut.values()) >= LEAST_CUTS
    assert find_missing_steps(LEAST_STEPS) == {}
    assert has_enough_merges()
    assert {fault for line in journal.lines for fault in line.faults} >= set(faults.KINDS)
