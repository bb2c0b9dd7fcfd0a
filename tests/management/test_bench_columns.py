"""Insertion of the rows of a benchmark."""

import pytest
from django.db import connection

from ratings.management.bench.columns import insert_columns, without_indexes
from ratings.models import Entry, Event, Game, Player, Table
from tests.factories import make_player

pytestmark = pytest.mark.django_db
MODELS = (Player, Event, Table, Entry, Game)


def read_constraints():
    with connection.cursor() as cursor:
        return [connection.introspection.get_constraints(cursor, model._meta.db_table) for model in MODELS]


def test_indexes_and_foreign_keys_return_after_the_block():
    make_player("Before", "Anna")  # its checks are pending
    before = read_constraints()
    with without_indexes(*MODELS):
        make_player("Within", "Anna")
        within = read_constraints()
    assert read_constraints() == before
    assert (within == before) == (connection.vendor != "postgresql")


@pytest.mark.parametrize("count", [3, 1000])  # PostgreSQL gets a thousand rows by COPY
def test_columns_are_inserted_with_default_values(count):
    ids = [f"C{number:04}" for number in range(count)]
    insert_columns(Player, public_id=ids, family_name="Same", country="FR")
    players = Player.objects.filter(family_name="Same")
    assert list(players.order_by("public_id").values_list("public_id", flat=True)) == ids
    default = Player()
    names = {field.attname for field in Player._meta.concrete_fields} - {"id", "public_id", "family_name", "country"}
    assert list(players.order_by().values(*names).distinct()) == [{name: getattr(default, name) for name in names}]
