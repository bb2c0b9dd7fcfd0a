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


@pytest.mark.django_db
def test_preview_leaves_out_lists_that_the_change_does_not_mark():
    fesa, other = make_list(), make_list("icu", system="icu-1989")
    sweep()
    mark_lists_out_of_date([other], DAY)
    ada, ben = make_player(), make_player()
    found = preview(lambda: make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)]))
    assert [(each.rating_list, each.tables, len(each.moved)) for each in found] == [(fesa, 1, 2)]
    assert list(RatingList.objects.filter(out_of_date_from__isnull=False)) == [other]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
@pytest.mark.django_db(transaction=True)
def test_preview_locks_the_lists_that_the_change_marks_and_no_others(monkeypatch):
    """So nobody changes the inputs of a list while it is computed, and rows that refer to it can be inserted."""
    fesa, other = make_list(), make_list("icu", system="icu-1989")
    sweep()
    compute, refused = previewing.compute, []
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as session:
        mark = "UPDATE ratings_ratinglist SET revision = revision + 1, out_of_date_from = %s WHERE id = %s"
        lock = "SELECT id FROM ratings_ratinglist WHERE id = %s FOR {} NOWAIT"

        def change():
            session.execute(mark, [DAY, other.pk])
            mark_lists_out_of_date([fesa], DAY)

        def compute_locked(rating_list, *arguments):
            with pytest.raises(psycopg.errors.LockNotAvailable):
                session.execute(lock.format("NO KEY UPDATE"), [rating_list.pk])
            refused.append(rating_list)
            assert session.execute(lock.format("KEY SHARE"), [rating_list.pk]).fetchall() == [(rating_list.pk,)]
            assert session.execute(lock.format("UPDATE"), [other.pk]).fetchall() == [(other.pk,)]
            return compute(rating_list, *arguments)

        monkeypatch.setattr(previewing, "compute", compute_locked)
        found = preview(change)
        assert session.execute(lock.format("UPDATE"), [fesa.pk]).fetchall() == [(fesa.pk,)]
    assert (refused, [each.rating_list for each in found]) == ([fesa], [fesa])
