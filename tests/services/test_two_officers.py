"""Two officers who correct the same at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from ratings.domain.giving import give_tables
from ratings.domain.merging import merge
from ratings.domain.sheets import sheet_of_file
from ratings.formats.head import Head
from ratings.formats.recognise import read
from ratings.models import Entry, Merge, Sheet
from tests.factories import make_event, make_list, make_player, make_table
from tests.views.organise.way import GRID

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def at_once(*changes):
    """What each of several changes says when all begin together; nothing if it was done."""
    start = Barrier(len(changes))

    def run(change):
        try:
            start.wait()
            change()
        except ValidationError as error:
            return error.messages[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(len(changes)) as threads:
        return [said for said in threads.map(run, changes) if said]


def test_one_table_is_given_once():
    ada, ben, one, two = (make_player(name) for name in ("Ada", "Ben", "One", "Two"))
    table = make_table(make_list(), [ada, ben], [(1, 1, 2, 1.0)], event_name="Cup")
    said = at_once(*(lambda to=to: give_tables([table], ada, to, reason="r") for to in (one, two)))
    record = Merge.objects.get()
    assert (said, Entry.objects.get(number=1).player) == (
        ["Ada does not sit in Cup any more: look again."],
        record.kept,
    )


def test_same_file_given_twice_at_once_is_one_sheet():
    event, data = make_event("Cup", "2024-05-04", [make_list()], state="draft"), GRID.encode()
    found = read(data, Head("Cup", event.start, event.end), event.end)

    def give():
        sheet_of_file(event, found.table, found.problems, file_name="cup.txt", form=found.form, data=data)

    assert (at_once(give, give), Sheet.objects.count()) == ([], 1)


def test_nobody_who_is_being_merged_away_is_given_results():
    ada, ben, one, two = (make_player(name) for name in ("Ada", "Ben", "One", "Two"))
    table = make_table(make_list(), [ada, ben], [(1, 1, 2, 1.0)], event_name="Cup")
    said = at_once(
        lambda: merge(one, two, reason="r"),
        lambda: give_tables([table], ada, one, reason="r"),
    )
    seated = Entry.objects.get(number=1).player
    assert (seated, said) in [
        (two, []),  # given first, and merged with what he was given
        (ada, ["One is merged with somebody already: take the one he was merged into, or undo that first."]),
    ]
