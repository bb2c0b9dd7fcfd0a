"""Whole histories in a batch: long ones, in archives, repeated, wrong ones and ones with too many tables."""

import json

import pytest

from ratings.domain.results import batch_splitting
from ratings.domain.results.batch_reading import read_batch
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.models import Event
from tests.formats.test_archives import make_history, pack
from tests.markup import markup

from .test_batches import drop, get_batch, list_files, press

pytestmark = pytest.mark.django_db
DAYS = ("2022-01-01", "2022-02-01")
TABLES = [("Cup 1 2022-01-01.json", "read", "new"), ("Cup 2 2022-02-01.json", "read", "new")]


def make_long_history(*days):
    """Return a history that is longer than other files may be, by blanks at its end."""
    return make_history(*days) + b" " * BYTES_AT_MOST


def list_sentences(client, batch):
    """Return the sentences of the only file of a batch on its page."""
    (line,) = client.get(batch.get_absolute_url()).context["page"]
    return line.sentences


@pytest.fixture
def only_list(organiser, fesa):
    return fesa


@pytest.mark.parametrize("packed", [False, True])
def test_long_history_becomes_one_event_for_each_table(client, only_list, packed):
    data = make_long_history(*DAYS)
    drop(client, {"years.zip": pack({"years.json": data})} if packed else {"years.json": data})
    assert list_files(get_batch()) == TABLES
    assert sorted(Event.objects.values_list("name", flat=True)) == ["Cup 1", "Cup 2"]


def test_history_in_an_archive_stands_beside_its_other_files(client, only_list):
    data = pack({"years.json": make_history(*DAYS), "more/again.json": make_history("2022-03-01")})
    drop(client, {"years.zip": data})
    assert sorted(list_files(get_batch())) == [*TABLES, ("again.json", "read", "new")]


def test_duplicate_history_is_ignored(client, only_list):
    drop(client, {"years.json": make_history(*DAYS)})
    batch = get_batch()
    drop(client, {"years.json": make_history(*DAYS)}, batch.get_absolute_url(), add="1")
    assert list_files(batch) == TABLES
    read_batch(batch.pk)
    assert list_files(batch) == TABLES


def test_whole_history_is_undone_and_read_again(client, only_list):
    drop(client, {"years.json": make_history(*DAYS)})
    batch = get_batch()
    press(client, batch, "undo_all")
    assert list_files(batch) == [(name, "undone", "") for name, _state, _found in TABLES]
    assert {event.state for event in Event.objects.all()} == {Event.State.DELETED}
    for file in batch.files.all():
        press(client, batch, "again", file.pk)
    assert list_files(batch) == TABLES


def test_history_above_its_limit_is_refused_with_the_limit(client, only_list, settings):
    settings.HISTORY_MB = 1
    drop(client, {"years.json": make_long_history(*DAYS)})
    batch = get_batch()
    assert list_files(batch) == [("years.json", "failed", "")]
    text = "the file has 2,000,471 bytes or more; at most 1,000,000 are read"
    assert list_sentences(client, batch) == [text]


def test_archive_above_its_limit_is_refused_with_the_limit(client, only_list, settings):
    settings.ARCHIVE_MB = 1
    drop(client, {"years.zip": pack({"years.json": make_long_history(*DAYS)})})
    batch = get_batch()
    assert list_files(batch) == [("years.zip", "failed", "")]
    text = "the archive holds too much: at most 500 files and 1 MB"
    assert text in list_sentences(client, batch)


def test_long_file_of_another_kind_is_not_stored_whole(client, only_list):
    drop(client, {"long.txt": b"x" * (BYTES_AT_MOST + 5000)})
    file = get_batch().files.get()
    assert (file.state, len(file.data)) == ("failed", BYTES_AT_MOST + 1)


def test_wrong_history_says_what_is_wrong(client, only_list):
    document = json.loads(make_history(*DAYS))
    document["tables"][1]["players"].append("nobody")
    drop(client, {"years.json": json.dumps(document).encode() + b" " * BYTES_AT_MOST})
    batch = get_batch()
    assert list_files(batch) == [("years.json", "failed", "")]
    assert "tables[1].players: no player has the id nobody" in list_sentences(client, batch)


def test_history_with_too_many_tables_is_refused_and_read_again_later(client, only_list, monkeypatch):
    monkeypatch.setattr(batch_splitting, "MAX_BATCH_FILES", 1)
    drop(client, {"years.json": make_history(*DAYS)})
    batch = get_batch()
    assert list_files(batch) == [("years.json", "failed", "")]
    assert "At most 1 files at once." in list_sentences(client, batch)
    monkeypatch.setattr(batch_splitting, "MAX_BATCH_FILES", 2)
    press(client, batch, "again", batch.files.get().pk)
    assert list_files(batch) == TABLES


def test_history_sent_again_with_its_token_makes_no_second_batch(client, only_list):
    for _time in range(2):
        drop(client, {"years.json": make_history(*DAYS)}, token="t1")
    batch = get_batch()
    assert (list_files(batch), type(batch).objects.count()) == (TABLES, 1)
    assert [file.head["token"] for file in batch.files.all()] == ["t1", "t1"]


def test_page_for_files_says_how_large_a_history_may_be(client, only_list, settings):
    settings.HISTORY_MB = 40
    assert "At most 2 MB per file, 40 MB for a ratings history, and 40 MB per upload" in markup(
        client.get("/organise/files/")
    )
