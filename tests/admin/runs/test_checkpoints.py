"""Administrators read the public log in the admin, and change nothing there."""

import datetime as dt

import pytest

from ratings.domain.runs.log_keys import create_key
from ratings.models import Checkpoint, LogKey, WitnessedLog
from tests.factories import make_list, make_player, make_table, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator(client):
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    return client


def test_checkpoints_are_read_also_without_their_run(administrator, rate_all):
    fesa = make_list()
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)])
    rate_all()
    made = Checkpoint.objects.get()
    Checkpoint.objects.create(list=fesa, number=made.number + 1, made_at=made.made_at, text="about a list")
    page = markup(administrator.get("/admin/ratings/checkpoint/"))
    assert [f"/admin/ratings/checkpoint/{pk}/change/" in page for pk in Checkpoint.objects.values_list("pk", flat=True)] == [
        True, True,
    ]  # fmt: skip
    own = administrator.get(f"/admin/ratings/checkpoint/{made.pk}/change/").content.decode()
    assert made.text.splitlines()[0] in own
    assert 'name="text"' not in own


def test_private_part_of_a_key_is_not_shown(administrator):
    key = create_key("example.org")
    WitnessedLog.objects.create(
        log="example.net/fesa", key="k", number=3, seen_at=dt.datetime(2024, 1, 6, tzinfo=dt.UTC), note="the note"
    )
    pages = [
        administrator.get(address).content.decode()
        for address in ("/admin/ratings/logkey/", f"/admin/ratings/logkey/{key.pk}/change/")
    ]
    assert [key.public in page for page in pages] == [True, True]
    assert [LogKey.objects.get().private in page for page in pages] == [False, False]
    log = WitnessedLog.objects.get()
    assert "the note" in administrator.get(f"/admin/ratings/witnessedlog/{log.pk}/change/").content.decode()


@pytest.mark.parametrize("model", ["checkpoint", "logkey", "witnessedlog"])
def test_nothing_of_the_log_is_added_or_deleted(administrator, model):
    assert administrator.get(f"/admin/ratings/{model}/add/").status_code == 403
