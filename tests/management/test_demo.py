import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from ratings.formats.history import write_history
from ratings.management import demo
from ratings.models import Club, Event, Membership, Player, RatingList, Standing
from ratings.queries.history import export_history
from tests.factories import make_player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small(monkeypatch, settings):
    settings.DEBUG = True
    for name, value in {"PLAYERS": 60, "CLUBS": 8, "EVENTS_A_YEAR": 2}.items():
        monkeypatch.setattr(demo, name, value)


def test_demo_fills_an_empty_database_and_prints_the_logins(capsys):
    call_command("demo")
    assert (Player.objects.count(), Club.objects.count()) == (60, 8)
    assert Event.objects.filter(state="accepted").count() >= 15
    assert Standing.objects.filter(published=True).count() > 40
    assert Membership.objects.exists()
    assert {user.username: user.is_superuser for user in User.objects.all()} == {
        "admin": True,
        "officer": False,
        "organiser": False,
    }
    assert Event.objects.get(state="draft").created_by.username == "organiser"
    assert RatingList.objects.get().out_of_date_from is None
    assert capsys.readouterr().out.endswith(
        "Logins at /admin/: admin, officer, organiser; the password of each is demo.\n"
    )


def test_demo_is_the_same_every_time():
    call_command("demo")
    first = write_history(export_history(RatingList.objects.get()))
    for model in (Event, RatingList, Membership, Player, Club, User):
        model.objects.all().delete()
    call_command("demo")
    assert write_history(export_history(RatingList.objects.get())) == first


def test_demo_leaves_a_database_with_players_alone():
    make_player("Somebody")
    call_command("demo", if_empty=True)
    with pytest.raises(CommandError, match="the database is not empty"):
        call_command("demo")
    assert (Player.objects.count(), User.objects.count()) == (1, 0)


def test_demo_is_for_ones_own_machine_only(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG=1 only"):
        call_command("demo")
    assert not Player.objects.exists()
