import datetime as dt
from types import SimpleNamespace

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.core.cache import cache

from ratings.access import ORGANISERS
from ratings.domain.site.keys import create_key
from ratings.models import Club, Membership
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused


@pytest.fixture(autouse=True)
def today():
    cache.clear()
    with time_machine.travel(dt.datetime(2024, 6, 1, tzinfo=dt.UTC), tick=False):
        yield
    cache.clear()


@pytest.fixture
@reused
def site(db, rate_all):
    """Two players of 2000 points on a list; the first, of a club, won their only game."""
    fesa = make_list()
    ada = make_player("Łukasz", "Zoë", country="PL", public_id="AAA22")
    ben = make_player("<script>alert(1)</script>", "\"'&", country="FR", public_id="BBB33")
    for player in (ada, ben):
        give_rating(fesa, player, 2000, grade="3 Dan")
    club = Club.objects.create(name="Shogi Lyon")
    Membership.objects.create(player=ada, club=club)
    table = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-03-01", event_name="Lyon Open")
    rate_all()
    return SimpleNamespace(list=fesa, ada=ada, ben=ben, club=club, table=table, event=table.event)


@pytest.fixture
def get(client):
    """A reply of the API, read."""

    def ask(path, status=200, **headers):
        response = client.get(f"/api/v1{path}", headers=headers)
        assert response.status_code == status, response.content
        return response.json()

    return ask


@pytest.fixture
def organiser(db):
    user = make_user("olga")
    user.groups.add(Group.objects.get(name=ORGANISERS))
    return user


@pytest.fixture
def bearer(organiser):
    _, secret = create_key(organiser, "Pairing program")
    return {"Authorization": f"Bearer {secret}"}
