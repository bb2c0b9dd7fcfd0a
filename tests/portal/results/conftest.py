"""A list, three players, an event of an organiser, and an officer."""

import pytest

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import (
    Event,
)
from tests.factories import give_ratings, make_event, make_list, make_player

from .way import person


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def players(fesa):
    several = [
        make_player("Adler", "Zoë", public_id="A2"),
        make_player("Bauer", "Max", country="DE", public_id="B2"),
        make_player("Čapek", "Jan", country="CZ", public_id="C2"),
    ]
    give_ratings(fesa, several, 2000)
    return several


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
