"""Migration 0060 copies the figures of the drafts that were made from files."""

from importlib import import_module

import pytest
from django.apps import apps

from ratings.models import BatchFile, FileBatch, Submission
from tests.factories import make_event, make_list, make_user

migration = import_module("ratings.migrations.0060_reports_of_drafts")

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("state", "checked", "copied"),
    [("working", 3, ({"errors": 1}, 3)), ("working", 2, (None, None)), ("accepted", 3, (None, None))],
)
def test_reports_of_files_are_copied_to_current_open_drafts(state, checked, copied):
    event = make_event("Cup", "2024-01-06", [make_list()])
    draft = Submission.objects.create(event=event, first_day=event.start, last_day=event.end, state=state, version=3)
    batch = FileBatch.objects.create(made_by=make_user("ada"))
    BatchFile.objects.create(batch=batch, name="x", submission=draft, checked_version=checked, report={"errors": 1})
    migration.copy_reports_of_files(apps, None)
    draft.refresh_from_db()
    assert (draft.report, draft.checked_version) == copied
