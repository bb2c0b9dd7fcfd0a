"""Rounding of the stored changes in the last event to the displayed ones."""

from importlib import import_module

import pytest
from django.apps import apps

from ratings.models import Change, Standing
from tests.factories import make_list, make_player, make_table

migration = import_module("ratings.migrations.0077_displayed_last_changes")


@pytest.mark.parametrize(
    ("system", "row", "displayed"),
    [
        ("rif-2021", (2018.4, 2060.6, 60.6 - 18.4), 43),
        ("bgf", (100.14, 120.26, 20.12), 20.2),
        ("fide-2024", (1926, 1926, -30.2), -30),
        ("fesa-2016", (1000, 1012, 12), 12),
    ],
)
def test_migration_rounds_the_last_change_as_it_is_displayed(system, row, displayed, db, rate_all):
    rating_list = make_list(system, system=system)
    a, b = make_player("Ada"), make_player("Ben")
    make_table(rating_list, [a, b], [(1, 1, 2, 1.0)], "2024-01-01")
    rate_all()
    before, after, change = row
    Change.objects.filter(player=a).update(before=before, after=after, change=change, games=1)
    Standing.objects.filter(player=a).update(last_change=change)
    migration.round_last_changes(apps, None)
    assert Standing.objects.get(player=a).last_change == displayed
