"""Whatever is uploaded, through the whole path: never a traceback, never a half-saved table."""

import datetime as dt
import random

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.acting import acting
from ratings.domain.checking import check_sheet
from ratings.domain.rerating import sweep
from ratings.domain.review import accept, submit
from ratings.domain.sheets import content_of_table, correction_of, save_sheet, sheet_of_file
from ratings.domain.verifying import differences
from ratings.formats.entered import content_of
from ratings.formats.head import Head
from ratings.formats.recognise import read
from ratings.models import Entry, Event, Game, Player, RatingList, Table
from tests.factories import make_event, make_list, make_player, make_table, make_user
from tests.formats.test_samples import EXPECTED, NO_RESULTS, SAMPLES
from tests.limits import Costs
from tests.mutations import mutated_bytes

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 6, 1)
SEED, FILES = 5, 300


def test_mutated_files_go_the_whole_way_or_leave_nothing():
    chance = random.Random(SEED)
    files = [SAMPLES / form / file for form, file in EXPECTED if form not in NO_RESULTS]
    rating_list, user = make_list(), make_user("organiser", is_superuser=True)
    accepted = 0
    with acting(user):
        for number in range(FILES):
            event = make_event(f"E{number}", str(DAY), [rating_list], state=Event.State.DRAFT, created_by=user)
            data = mutated_bytes(chance.choice(files).read_bytes(), chance)
            with Costs() as costs:
                accepted += gone_through(event, data)
            assert costs.beyond == "", f"file {number}"
    assert accepted > FILES / 15
    assert Table.objects.count() == accepted
    assert not Event.objects.filter(tables__isnull=False).exclude(state="accepted").exists()
    sweep()
    assert list(differences(RatingList.objects.get())) == []


def gone_through(event, data):
    """Whether a file's results were accepted, with a word for every warning and everybody new where unknown."""
    found = read(data, Head(event.name, event.start, event.end), DAY)
    if found.table is None or not found.table.rows:
        assert found.problems.fatal
        return False
    before = (Table.objects.count(), Entry.objects.count(), Game.objects.count(), Player.objects.count())
    sheet, _ = sheet_of_file(event, found.table, found.problems, file_name="x", form=found.form, data=data)
    content = content_of(sheet.content)
    known = check_sheet(sheet, content, None)
    for number, row in enumerate(content.rows, 1):
        row.new = number not in known.players
    for warning in check_sheet(sheet, content, None).warnings:
        content.confirmed[warning.key] = "yes"
    save_sheet(sheet, content)
    try:
        submit(event)
        accept(event)
    except ValidationError:
        assert (Table.objects.count(), Entry.objects.count(), Game.objects.count(), Player.objects.count()) == before
        return False
    return True


def test_correction_that_changes_nothing_is_the_same_table():
    fesa, players = make_list(), [make_player() for _ in range(4)]
    games = [(1, 1, 2, 1.0, {"handicap": "2p", "giver": "a"}), (1, 3, 4, 0.5), (2, 1, None, 1.0), (2, 4, 3, 0.0)]
    table = make_table(fesa, players, games, "2024-05-04")
    before = content_of_table(table)
    sheet = correction_of(table)
    sheet.reason = "none"
    user = make_user("officer", is_superuser=True)
    with acting(user):
        content = content_of(sheet.content)
        for warning in check_sheet(sheet, content, user).warnings:
            content.confirmed[warning.key] = "yes"
        save_sheet(sheet, content)
        submit(table.event)
        accept(table.event)
    assert content_of_table(table) == before
