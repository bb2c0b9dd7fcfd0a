"""Migration 0072 stores lists, system and number of the records that histories hold beside results."""

import json
from importlib import import_module

import pytest
from django.apps import apps

from ratings.formats.problems import FileProblem
from ratings.models import Adjustment, BatchFile, FileBatch
from ratings.systems.messages import message_to_json
from tests.factories import give_rating, make_list, make_player, make_user

migration = import_module("ratings.migrations.0072_uploaded_records")

pytestmark = pytest.mark.django_db


def test_lists_and_numbers_of_records_are_stored_once_and_unreadable_files_stay():
    fesa = make_list()
    row = give_rating(fesa, make_player(), 1500)
    gone = Adjustment.objects.order_by("pk").last().pk + 1
    problem = message_to_json(FileProblem.HISTORY_HAS_MORE(openings=1, adjustments=1, decisions=0))
    document = {"system": "fesa-2016", "adjustments": [{}, {}], "decisions": [{}]}
    heads = [{"token": "t", "accepted_records": [[0, "adjustment", row.pk], [1, "adjustment", gone]]}, {}]
    batch = FileBatch.objects.create(made_by=make_user("ada"))
    for head, data in zip(heads, (json.dumps(document).encode(), b"{"), strict=True):
        BatchFile.objects.create(
            batch=batch,
            name="h",
            digest=data[:9],
            data=data,
            state="failed",
            problems=[["error", None, problem]],
            head=head,
        )
    for _attempt in range(2):
        migration.store_lists(apps, None)
        migration.store_numbers(apps, None)
        assert list(BatchFile.objects.values_list("head", flat=True)) == [
            {
                "token": "t",
                "accepted_records": [[0, "adjustment", row.pk, fesa.pk]],
                "records": {"system": "fesa-2016", "number": 3},
            },
            {},
        ]
