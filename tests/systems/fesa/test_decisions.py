"""Decisions on grades: what each does to a player on his way up, and what a list's rule on corrections changes."""

import datetime as dt

import pytest

from ratings.systems import get_system
from ratings.systems.values import Decision

KEPT, REVISED = get_system("fesa-2016"), get_system("fesa-2016", {"corrections": "revised"})


def decided(system, ruling, named, /, **opening):
    state = system.rating.read({"rating": 2300, "games": 100, "bonus_games": 50} | opening)
    after = system.rating.write(system.grading.decide(state, Decision(dt.date(2026, 6, 1), "P", named, ruling)))
    return {key: after.get(key) for key in ("grade", "waiting", "lb_run", "mp_run")}


WAITS = {"grade": "4 Dan", "waiting": "5 Dan"}
NOTHING = {"waiting": None, "lb_run": None, "mp_run": None}


@pytest.mark.parametrize("system", [KEPT, REVISED])
def test_approval_gives_the_waiting_grade_and_refusal_removes_it(system):
    assert decided(system, "approved", "5 Dan", **WAITS) == NOTHING | {"grade": "5 Dan"}
    assert decided(system, "declined", "5 Dan", **WAITS) == NOTHING | {"grade": "4 Dan"}


def test_approval_whose_earning_was_corrected_stays_where_grades_are_kept():
    assert decided(KEPT, "approved", "5 Dan", grade="4 Dan") == NOTHING | {"grade": "5 Dan"}
    run = {"grade": "4 Dan", "mp_run": 3, "lb_run": [3, True]}
    assert decided(REVISED, "approved", "5 Dan", **run) == run | {"waiting": None}


@pytest.mark.parametrize("system", [KEPT, REVISED])
def test_kept_grade_is_held_without_changing_an_equal_grade(system):
    run = {"grade": "4 Dan", "mp_run": 3, "lb_run": [3, True]}
    assert decided(system, "kept", "4 Dan", **run) == run | {"waiting": None}
    assert decided(system, "kept", "4 Dan", **run | {"grade": "3 Dan"}) == NOTHING | {"grade": "4 Dan"}
