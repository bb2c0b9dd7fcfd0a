import logging

import pytest
from django.http import HttpResponseForbidden

from tests.shared import built_once

from .trying import Trials
from .world import World


@pytest.fixture(scope="package")
def world(django_db_setup, django_db_blocker):
    """Build the world once for all modules of this package; each test has a savepoint."""
    with built_once(django_db_blocker):
        yield World()


@pytest.fixture
def trials(world, db, settings, caplog, monkeypatch):
    """Requests of every role, with what each of them changed."""
    settings.SECOND_FACTOR = True
    caplog.set_level(logging.CRITICAL, logger="django.request")  # thousands of refusals
    # the page of a refusal has tests of its own, and here it would be rendered thousands of times
    monkeypatch.setattr("portal.urls.handler403", lambda request, exception: HttpResponseForbidden(), raising=False)
    return Trials(world)
