from io import StringIO

import pytest
from django.core.management import call_command
from django.test import override_settings

from ratings.management.commands import demo
from tests.shared import built_once, reused

SIZE = 0.15


@pytest.fixture
def small(monkeypatch, settings):
    """Let the command `demo` make a small demo."""
    settings.DEBUG = True
    monkeypatch.setattr(demo, "SIZE", SIZE)


@pytest.fixture(scope="module")
def printed(django_db_setup, django_db_blocker):
    """Put the demo there for all tests of a module, each of which has a savepoint; gives what the command printed."""
    with built_once(django_db_blocker):
        yield make_demo()


@reused
def make_demo():
    """Make the demo once in a process; for later modules its rows are written."""
    out = StringIO()
    with pytest.MonkeyPatch.context() as patch, override_settings(DEBUG=True):
        patch.setattr(demo, "SIZE", SIZE)
        call_command("demo", stdout=out)
    return out.getvalue()
