"""A list, three players, an event of an organiser, and an officer."""

import pytest

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import (
    Event,
)
from tests.factories import make_event, make_list

from .way import make_players, person


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def players(fesa):
    return make_players(fesa)


@pytest.fixture
def organiser(client):
    user = person("organiser", ORGANISERS)
    client.force_login(user)
    return user


@pytest.fixture
def officer():
    return person("officer", OFFICERS)


@pytest.fixture
def event(fesa, organiser):
    return make_event("Autumn Cup", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=organiser)
