"""Every cell of the table of rights, at every door."""

import pytest
from django.urls import reverse

from tests.thorough import take_share_of

from .doors import API_DOORS, EVENT_DOORS, OTHER_DOORS
from .table import COLUMNS, KEYS, PERSONS, STATES, allows
from .trying import undone

pytestmark = pytest.mark.django_db


def requested(door, world):
    """Return the arguments of a request at a door."""
    name, *more = door.address.split()
    address = reverse(name, args=[*(world.ids[arg] for arg in door.args.split()), *more])
    return door.method, address, door.data(world) if callable(door.data) else door.data


def allowed_at(door, column, state):
    """Return what the table says of a role at a door: keys open the API only, and are no more than visitors elsewhere."""
    if door in API_DOORS:
        return column in KEYS and allows(door.row, column, state)
    return allows(door.row, column if column in PERSONS else "vis", state)


def wrong_with(door, answer, state, *, allowed):
    """Return what is wrong with an answer, in words; empty if it is right."""
    changes = set(door.changes.split())
    if not allowed:
        refused = answer.refused or answer.status in door.refuses
        return "" if refused and not answer.changed else "not refused"
    if answer.refused:
        return "refused"
    if state in door.works:
        return "" if answer.status < 400 and changes <= answer.changed else "not done"
    return "" if answer.status in (200, 302, 409, 422) and not answer.changed else "not told why"


def tried(door, number, trials, states):
    """Try a door as every role, in some states of the event; return the cells that are wrong."""
    wrong = {}
    for turn, state in enumerate(states, number):
        with undone():
            trials.world.put(STATES[state])
            door.before(trials.world)
            trials.remember()
            for column in take_share_of(COLUMNS, turn, 6):
                answer = trials.send(column, *requested(door, trials.world), **door.more)
                problem = wrong_with(door, answer, state, allowed=allowed_at(door, column, state))
                if problem:
                    wrong[STATES[state], column] = f"{problem}: {answer}"
    return wrong


def ids(doors):
    return [f"{number} {door.name}" for number, door in enumerate(doors)]


@pytest.mark.parametrize("door", EVENT_DOORS, ids=ids(EVENT_DOORS))
def test_door_of_an_event_keeps_to_the_table_in_every_state(door, trials):
    number = EVENT_DOORS.index(door)
    assert tried(door, number, trials, take_share_of(door.states or STATES, number, 9)) == {}


@pytest.mark.parametrize("door", OTHER_DOORS, ids=ids(OTHER_DOORS))
def test_door_keeps_to_the_table(door, trials):
    assert tried(door, OTHER_DOORS.index(door), trials, "a") == {}


@pytest.mark.parametrize("door", API_DOORS, ids=ids(API_DOORS))
def test_api_keeps_to_the_table_in_every_state(door, trials):
    number = API_DOORS.index(door)
    assert tried(door, number, trials, take_share_of(door.states or STATES, number, 9)) == {}
