"""When the command `demo` refuses; each test has an empty database."""

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from ratings.management.commands import demo
from ratings.models import Player
from tests.factories import make_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small")]


def test_demo_says_which_packages_it_lacks(monkeypatch):
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match=r"pip install --no-deps --require-hashes -r requirements-demo\.txt"):
        call_command("demo")
    assert not Player.objects.exists()


def test_demo_leaves_a_database_with_players_alone():
    make_player("Somebody")
    call_command("demo", if_empty=True)
    with pytest.raises(CommandError, match="the database is not empty"):
        call_command("demo")
    assert (Player.objects.count(), User.objects.count()) == (1, 0)


def test_demo_is_for_ones_own_machine_only(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="needs DEBUG=1"):
        call_command("demo")
    assert not Player.objects.exists()
