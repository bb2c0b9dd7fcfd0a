"""A list, three players, an event of an organiser, and an officer."""

from types import SimpleNamespace

import pytest

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Event
from tests.factories import make_event, make_list
from tests.shared import reused

from .way import make_players, person

TOGETHER = ("fesa", "players", "organiser", "event")


@pytest.fixture
def together(request):
    """The objects of the fixtures below, whose rows are shared by all tests with an event and players; else None."""
    has_own = any(hasattr(request.module, name) for name in TOGETHER)
    return None if has_own or not {"players", "event"} <= set(request.fixturenames) else make_together()


@reused
def make_together():
    fesa = make_list()
    players = make_players(fesa)
    organiser = person("organiser", ORGANISERS)
    return SimpleNamespace(fesa=fesa, players=players, organiser=organiser, event=make_own_event(fesa, organiser))


def make_own_event(fesa, organiser):
    return make_event("Autumn Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)


@pytest.fixture
def fesa(together):
    return together.fesa if together else make_list()


@pytest.fixture
def players(together, fesa):
    return together.players if together else make_players(fesa)


@pytest.fixture
def organiser(client, together):
    user = together.organiser if together else person("organiser", ORGANISERS)
    client.force_login(user)
    return user


@pytest.fixture
def officer(together):
    return person("officer", OFFICERS)


@pytest.fixture
def event(together, fesa, organiser):
    return together.event if together else make_own_event(fesa, organiser)
