"""Whatever is uploaded, through the whole path: never a traceback, never a half-saved table."""

import datetime as dt
import random

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.results.accepting import accept
from ratings.domain.results.corrections import get_or_create_correction
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.results.submission_checks import check_submission
from ratings.domain.results.submissions import save_submission
from ratings.domain.results.submitting import submit
from ratings.domain.results.table_versions import build_content_from_table
from ratings.domain.runs.rerating import sweep
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_json
from ratings.models import Entry, Event, Game, Player, RatingList, Table
from tests.factories import make_event, make_list, make_player, make_table, make_user
from tests.formats.test_samples import EXPECTED, NO_RESULTS, SAMPLES
from tests.limits import Costs
from tests.mutations import mutated_bytes
from tests.thorough import share

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 6, 1)
SEED, FILES = 5, share(300, 12)


def test_mutated_files_go_the_whole_way_or_leave_nothing():
    chance = random.Random(SEED)
    files = [SAMPLES / form / file for form, file in EXPECTED if form not in NO_RESULTS]
    rating_list, user = make_list(), make_user("organiser", is_superuser=True)
    make_table(rating_list, [make_player(), make_player()], [(1, 1, 2, 1.0)])
    sweep()  # the first rating of a process compiles the rules, which is not part of the costs of a file
    accepted = 0
    with act_as(user):
        for number in range(FILES):
            event = make_event(f"E{number}", str(DAY), [rating_list], state=Event.State.DRAFT, created_by=user)
            data = mutated_bytes(chance.choice(files).read_bytes(), chance)
            with Costs() as costs:
                accepted += gone_through(event, data)
            assert costs.beyond == "", f"file {number}"
    assert accepted >= FILES / 30
    assert Table.objects.count() == 1 + accepted
    assert not Event.objects.filter(tables__isnull=False).exclude(state="accepted").exists()
    sweep()
    assert list(find_differences(RatingList.objects.get())) == []


def gone_through(event, data):
    """Return True if a file's results were accepted after confirming all warnings and marking unknown players as new."""
    found = read_results_file(data, Head(event.name, event.start, event.end), DAY)
    if found.table is None or not found.table.rows:
        assert found.problems.fatal
        return False
    before = (Table.objects.count(), Entry.objects.count(), Game.objects.count(), Player.objects.count())
    submission, _ = create_submission_from_file(
        event, ResultsFile("x", data, found.format, found.table, found.problems)
    )
    content = content_from_json(submission.content)
    known = check_submission(submission, content, None)
    for number, row in enumerate(content.rows, 1):
        row.new = number not in known.players
    for warning in check_submission(submission, content, None).warnings:
        content.confirmed[warning.key] = "yes"
    save_submission(submission, content)
    try:
        submit(event)
        accept(event)
    except ValidationError:
        assert (Table.objects.count(), Entry.objects.count(), Game.objects.count(), Player.objects.count()) == before
        return False
    return True


def test_correction_of_the_name_keeps_the_results():
    fesa, players = make_list(), [make_player() for _ in range(4)]
    games = [(1, 1, 2, 1.0, {"handicap": "2p", "giver": "a"}), (1, 3, 4, 0.5), (2, 1, None, 1.0), (2, 4, 3, 0.0)]
    table = make_table(fesa, players, games, "2024-05-04")
    before = build_content_from_table(table)
    submission = get_or_create_correction(table)
    submission.reason, submission.name = "none", "Main"
    user = make_user("officer", is_superuser=True)
    with act_as(user):
        content = content_from_json(submission.content)
        for warning in check_submission(submission, content, user).warnings:
            content.confirmed[warning.key] = "yes"
        save_submission(submission, content)
        submit(table.event)
        accept(table.event)
    assert build_content_from_table(table) == before
    table.refresh_from_db()
    assert table.name == "Main"
