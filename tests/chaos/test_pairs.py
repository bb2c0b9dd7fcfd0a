"""Every two steps that can meet, forced through every boundary of each other and left to chance."""

import os

import pytest

from .meetings import meetings
from .steps import pairs
from .world import STATES

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True)]
RUNS = int(os.environ.get("CHAOS_RUNS", "50"))
SEED = os.environ.get("CHAOS_SEED", "2016")
MEETINGS = [(*pair, state, states) for pair, states in pairs(list(STATES)).items() for state in states]
IDS = ["-".join(meeting[:3]).replace(" ", "_") for meeting in MEETINGS]


@pytest.mark.parametrize(("one", "other", "state", "states"), MEETINGS, ids=IDS)
def test_two_steps_at_once_leave_a_serial_state(one, other, state, states, record_property):
    """Each state in which the pair can meet gets all boundaries, and its part of the random runs."""
    with meetings(one, other, state) as met:
        met.force()
        met.run_at_random(range(states.index(state), RUNS, len(states)), SEED)
    record_property("chaos", {"pair": f"{one} × {other}", **met.counts})
    assert met.problems == [], "\n\n".join(met.problems)
