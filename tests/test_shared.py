"""Fixtures that are built once give every test the same rows, and objects of its own."""

import pytest
from django.db import connection, transaction

from ratings.models import Event, Player, RatingList
from tests.factories import make_event, make_list, make_player, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db


def test_reused_fixture_gives_the_same_rows_and_new_objects():
    calls = []

    @reused
    def build():
        calls.append(None)
        return make_list(), make_player("Ana")

    with transaction.atomic():
        fesa, ana = build()
        rows = list(Player.objects.values())
        fesa.name = ana.family_name = "Changed"
        transaction.set_rollback(True)
    again, same = build()
    assert (len(calls), list(Player.objects.values())) == (1, rows)
    assert (again.name, same.family_name, RatingList.objects.get()) == ("FESA", "Ana", again)


def test_reused_fixture_is_built_where_the_database_is_another_one():
    build = reused(lambda: make_player("Ana"))
    ana = build()
    ben = make_player("Ben")
    Player.objects.filter(pk=ana.pk).delete()
    assert build().pk != ana.pk
    assert list(Player.objects.order_by("family_name").values_list("family_name", flat=True)) == ["Ana", "Ben"]
    assert Player.objects.filter(pk=ben.pk).exists()


def test_reused_fixture_leaves_the_users_of_each_test_signed_in(client):
    calls = []

    @reused
    def build():
        calls.append(None)
        return make_event("Cup", lists=[make_list()])

    for _ in range(2):
        with transaction.atomic():
            client.logout()
            client.force_login(make_user("ada"))
            event = build()
            assert client.get("/me/").status_code == 200
            assert Event.objects.get() == event
            transaction.set_rollback(True)
    # PostgreSQL numbers the second user anew, so that the database is another one
    assert len(calls) == (2 if connection.vendor == "postgresql" else 1)


def test_reused_fixture_that_signs_in_is_built_each_time(client):
    user, calls = make_user("ada"), []

    @reused
    def build():
        calls.append(None)
        client.force_login(user)

    for _ in range(2):
        with transaction.atomic():
            client.logout()
            client.force_login(user)
            client.cookies.clear()
            build()
            assert client.get("/me/").status_code == 200
            transaction.set_rollback(True)
    assert len(calls) == 2
