from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import override_settings

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.site.roles import ensure_roles
from ratings.management.bench.browser import Browser
from ratings.management.bench.staff import Staff
from ratings.management.commands import demo
from tests.factories import give_ratings, make_list, make_player, make_user
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


@pytest.fixture
def staff(live_server):
    """Return the staff of a list with ten players, on a server of the test."""
    ensure_roles()
    browsers = []
    for name, role in (("organiser", ORGANISERS), ("officer", OFFICERS)):
        user = make_user(name, email=f"{name}@example.org")
        user.groups.add(Group.objects.get(name=role))
        browsers.append(Browser(live_server.url.removeprefix("http://")))
        browsers[-1].sign_in(name, "secret")
    fesa = make_list()
    give_ratings(
        fesa, [make_player(f"Family{letter}", f"Given{letter}", country="FR") for letter in "ABCDEFGHIJ"], 2000
    )
    return Staff(*browsers, fesa.slug, fesa.name)
