"""Fixtures that are built once give every test the same rows, and objects of its own."""

import pytest
from django.db import transaction

from ratings.models import Player, RatingList
from tests.factories import make_list, make_player
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
