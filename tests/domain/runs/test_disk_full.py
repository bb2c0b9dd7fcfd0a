"""SQLite has no room left: the list stays as it was, and the next sweep finishes the work."""

import pytest
from django.db import connection

from ratings.domain.runs import marking
from ratings.domain.runs.rerating import sweep
from ratings.domain.runs.verifying import find_differences
from ratings.models import Change, RatedTable, RatingList, Run, Standing
from tests.factories import make_list, make_player, make_table

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite" not in connection.vendor, reason="PostgreSQL's disk is not ours to fill"),
]


def pages(statement):
    with connection.cursor() as cursor:
        return cursor.execute(f"PRAGMA {statement}").fetchone()[0]


@pytest.mark.parametrize("room", [0, 2, 6], ids=["for nothing", "for the record of the run", "for some of the rows"])
def test_disk_that_is_full_leaves_the_list_as_it_was(room, monkeypatch):
    monkeypatch.setattr(marking, "send_task", lambda *arguments: None)
    fesa, players = make_list(), [make_player() for _ in range(12)]
    for day in range(1, 25):
        games = [(1, seat, seat + 1, 1.0) for seat in range(1, 12, 2)]
        make_table(fesa, players, games, f"2024-01-{day:02}")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # no pages are left free
    pages(f"max_page_count = {pages('page_count') + room}")
    try:
        sweep()
        assert (Change.objects.count(), RatedTable.objects.count(), Standing.objects.count()) == (0, 0, 0)
        assert RatingList.objects.filter(out_of_date_from__isnull=False).exists()
        assert not Run.objects.filter(state="finished").exists()
    finally:
        pages("max_page_count = 1000000000")
    sweep()
    assert (Change.objects.count(), list(find_differences(fesa))) == (24 * 12, [])
    assert set(Run.objects.values_list("state", flat=True)) == {"finished"}
