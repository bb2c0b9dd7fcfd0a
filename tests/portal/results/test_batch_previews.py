"""Previews of the ratings beside the files of a batch: computed by the worker task, shown when ready, made again."""

import datetime as dt

import pytest
from django.test import Client, TestCase, override_settings
from django.utils import timezone

from ratings.access import ORGANISERS
from ratings.domain.results import batch_previews
from ratings.domain.results.batch_previews import (
    list_previewable,
    request_late_previews,
    request_previews,
    save_previews,
)
from ratings.domain.results.submissions import save_submission
from ratings.formats.sheet_content import content_from_json
from ratings.models import BatchFile, Change, Player, RatingList, Table
from ratings.queries.results.batches import files_of
from tests.factories import make_list, rate_every_list
from tests.shared import reused

from .test_batches import drop, get_batch, press
from .way import CLEAN, make_players, person

pytestmark = pytest.mark.django_db
SPRING = CLEAN.replace("Autumn Cup", "Spring Cup").replace("2024-05-04", "2024-03-02")


@pytest.fixture
@reused
def dropped(db):
    """A batch of two clean files; its previews are computed."""
    make_players(make_list())
    rate_every_list()
    browser = Client()
    browser.force_login(person("organiser", ORGANISERS))
    drop(browser, {"cup.txt": CLEAN, "spring.txt": SPRING})
    return get_batch()


@pytest.fixture
def batch(client, dropped):
    client.force_login(dropped.made_by)
    return dropped


def shown(client, batch):
    """Return for each file the changes that its preview shows; None while it is not ready."""
    page = client.get(batch.get_absolute_url())
    lines = sorted(page.context["page"], key=lambda line: line.file.name)
    return [
        line.preview and [(str(who), f"{change:+.0f}") for _, who, change in line.preview["biggest"]] for line in lines
    ]


def test_files_that_are_ready_show_who_gains_most(client, batch):
    assert shown(client, batch) == [[("Adler Zoë", "+10"), ("Čapek Jan", "-10")]] * 2
    page = client.get(batch.get_absolute_url())
    assert page.context["previews"] == {"all": 2, "ready": 2}
    assert "2 of 2 ready" in page.text
    assert "Refresh" not in page
    assert (Table.objects.exists(), Change.objects.filter(table__isnull=False).exists()) == (False, False)


def test_previews_are_computed_by_the_task_and_not_by_the_page(client, batch, monkeypatch):
    sent = []
    monkeypatch.setattr(batch_previews, "send_task", lambda *task: sent.append(task))
    RatingList.objects.update(revision=99)
    monkeypatch.setattr(batch_previews, "summarise", None)  # the page would fail if it called it
    page = client.get(batch.get_absolute_url())
    assert (page["Refresh"], page.context["previews"]) == ("5", {"all": 2, "ready": 0})
    assert "The ratings are being previewed." in page.text
    assert sent == [("ratings.preview_batch", batch.pk)]
    client.get(batch.get_absolute_url())
    assert len(sent) == 1
    request_late_previews()
    assert len(sent) == 1
    BatchFile.objects.update(preview_requested_at=timezone.now() - dt.timedelta(minutes=3))
    request_late_previews()
    assert len(sent) == 2


def test_changed_draft_is_previewed_again(client, batch):
    before = shown(client, batch)
    draft = batch.files.get(name="cup.txt").submission
    content = content_from_json(draft.content)
    content.rows[0].cells[0], content.rows[1].cells[0] = "2-", "1+"
    save_submission(draft, content)
    assert shown(client, batch) == [None, before[1]]
    save_previews(batch.pk)
    after = shown(client, batch)
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_new_players_and_promotions_are_named(client, batch):
    file = batch.files.get(name="cup.txt")
    BatchFile.objects.filter(pk=file.pk).update(
        preview=file.preview
        | {"new": ["Neu Ina"], "promotions": [["A2", "3 Dan", "4 Dan"]], "waiting": [["B2", "", "5 Dan"]]}
    )
    page = " ".join(client.get(batch.get_absolute_url()).text.split())
    assert "<dd> Adler Zoë 3 Dan → 4 Dan</dd>" in page
    assert "<dd> Bauer Max 5 Dan </dd>" in page
    assert "<dd>1: Neu Ina </dd>" in page


def test_file_with_open_names_is_previewed_when_they_are_chosen(client, players, organiser):
    drop(client, {"new.txt": CLEAN.replace("Adler", "Unknown")})
    batch = get_batch()
    assert client.get(batch.get_absolute_url()).context["previews"] == {"all": 0, "ready": 0}
    press(client, batch, "new")
    page = client.get(batch.get_absolute_url())
    assert page.context["previews"] == {"all": 1, "ready": 0}
    save_previews(batch.pk)
    (line,) = client.get(batch.get_absolute_url()).context["page"]
    assert line.preview["new"] == ["Unknown Zoë"]
    assert not Player.objects.filter(family_name="Unknown").exists()


def test_failed_preview_is_explained_and_does_not_stop_the_others(client, batch, monkeypatch, caplog):
    right = batch_previews.summarise

    def summarise(event, submissions, **more):
        if event.name == "Autumn Cup":
            raise RuntimeError("broken")
        return right(event, submissions, **more)

    monkeypatch.setattr(batch_previews, "summarise", summarise)
    RatingList.objects.update(revision=99)
    with TestCase.captureOnCommitCallbacks(execute=True):
        client.get(batch.get_absolute_url())
    page = client.get(batch.get_absolute_url())
    assert "No preview of the ratings: the portal failed to read" in " ".join(page.text.split())
    assert page.context["previews"] == {"all": 2, "ready": 2}
    assert "cannot be previewed" in caplog.text


def test_previews_are_limited_to_the_latest_files_and_to_few_later_tables(client, batch, monkeypatch):
    monkeypatch.setattr(batch_previews, "MAX_PREVIEWS_AT_ONCE", 1)
    assert shown(client, batch)[1] is None
    with override_settings(CELERY_TASK_ALWAYS_EAGER=False):
        assert len(list_previewable(files_of(batch))) == 2
        monkeypatch.setattr(batch_previews, "MAX_PREVIEWS", 0)
        assert list_previewable(files_of(batch)) == []
    monkeypatch.setattr(batch_previews, "TABLES_AT_MOST", 0)
    RatingList.objects.update(revision=99)
    request_previews(files_of(batch))
    save_previews(batch.pk)
    assert "There are too many later results to preview them here." in client.get(batch.get_absolute_url()).text


def test_preview_of_a_deleted_batch_is_ignored(batch):
    pk = batch.pk
    batch.delete()
    save_previews(pk)
    assert not BatchFile.objects.exists()
