"""Previews of changes, and what others may do meanwhile."""

import datetime as dt

import psycopg
import pytest
from django.db import connection

from ratings.domain.runs import previewing
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.previewing import preview
from ratings.domain.runs.rerating import sweep
from ratings.models import RatingList
from tests.factories import make_list, make_player, make_table

DAY = dt.date(2024, 5, 4)
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")


@pytest.mark.django_db
def test_preview_leaves_out_lists_that_the_change_does_not_mark():
    fesa, other = make_list(), make_list("icu", system="icu-1989")
    sweep()
    mark_lists_out_of_date([other], DAY)
    ada, ben = make_player(), make_player()
    found = preview(lambda: make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)]))
    assert [(each.rating_list, each.tables, len(each.moved)) for each in found] == [(fesa, 1, 2)]
    assert list(RatingList.objects.filter(out_of_date_from__isnull=False)) == [other]


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_preview_locks_lists_that_others_mark_during_the_change(monkeypatch):
    """Otherwise their inputs could change while they are computed."""
    fesa, other = make_list(), make_list("icu", system="icu-1989")
    sweep()
    columns = connection.get_connection_params()
    mark = "UPDATE ratings_ratinglist SET revision = revision + 1, out_of_date_from = %s WHERE id = %s"
    compute, refused = previewing.compute, []
    with psycopg.connect(**columns, autocommit=True) as session:

        def change():
            session.execute(mark, [DAY, other.pk])
            mark_lists_out_of_date([fesa], DAY)

        def compute_locked(rating_list, *arguments):
            with pytest.raises(psycopg.errors.LockNotAvailable):
                session.execute("SELECT 1 FROM ratings_ratinglist WHERE id = %s FOR UPDATE NOWAIT", [rating_list.pk])
            refused.append(rating_list)
            return compute(rating_list, *arguments)

        monkeypatch.setattr(previewing, "compute", compute_locked)
        found = preview(change)
        [free] = session.execute(
            "SELECT count(*) FROM (SELECT 1 FROM ratings_ratinglist FOR UPDATE NOWAIT) AS r"
        ).fetchone()
    assert (refused, [each.rating_list for each in found], free) == ([fesa, other], [fesa, other], 2)
