from io import StringIO

import pytest
from django.core.management import call_command
from django.test import override_settings

from ratings.management.commands import demo
from tests.shared import built_once

SIZE = 0.15


@pytest.fixture
def small(monkeypatch, settings):
    """Let the command `demo` make a small demo."""
    settings.DEBUG = True
    monkeypatch.setattr(demo, "SIZE", SIZE)


@pytest.fixture(scope="module")
def printed(django_db_setup, django_db_blocker):
    """Make the demo once for all tests of a module, each of which has a savepoint; gives what the command printed."""
    out = StringIO()
    with built_once(django_db_blocker):
        with pytest.MonkeyPatch.context() as patch, override_settings(DEBUG=True):
            patch.setattr(demo, "SIZE", SIZE)
            call_command("demo", stdout=out)
        yield out.getvalue()
