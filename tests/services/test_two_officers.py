"""Two officers who correct the same at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from ratings.domain.players.merging import merge_players
from ratings.domain.players.reassign_results import move_results
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.models import Entry, Merge, Submission
from tests.factories import make_event, make_list, make_player, make_table
from tests.portal.results.way import GRID

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def at_once(*changes):
    """Return the error of each of several changes that begin together; empty for a change that was done."""
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


def test_two_officers_cannot_move_the_same_table():
    ada, ben, one, two = (make_player(name) for name in ("Ada", "Ben", "One", "Two"))
    table = make_table(make_list(), [ada, ben], [(1, 1, 2, 1.0)], event_name="Cup")
    said = at_once(*(lambda to=to: move_results([table], ada, to, reason="r") for to in (one, two)))
    record = Merge.objects.get()
    assert (said, Entry.objects.get(number=1).player) == (
        ["Ada is no longer in Cup: open the page again."],
        record.kept,
    )


def test_same_file_given_twice_at_once_is_one_submission():
    event, data = make_event("Cup", "2024-05-04", [make_list()], state="draft"), GRID.encode()
    found = read_results_file(data, Head("Cup", event.start, event.end), event.end)

    def give():
        create_submission_from_file(event, ResultsFile("cup.txt", data, found.format, found.table, found.problems))

    assert (at_once(give, give), Submission.objects.count()) == ([], 1)


def test_results_cannot_be_moved_to_a_player_being_merged():
    ada, ben, one, two = (make_player(name) for name in ("Ada", "Ben", "One", "Two"))
    table = make_table(make_list(), [ada, ben], [(1, 1, 2, 1.0)], event_name="Cup")
    said = at_once(
        lambda: merge_players(one, two, reason="r"),
        lambda: move_results([table], ada, one, reason="r"),
    )
    seated = Entry.objects.get(number=1).player
    assert (seated, said) in [
        (two, []),  # given first, and merged with what he was given
        (ada, ["One was merged into another player: choose that player, or undo the merge first."]),
    ]
