import datetime as dt
import json

import pytest
from django.core.management import call_command
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from ratings.domain.lists import studies
from ratings.domain.lists.studies import cancel_study, make_study, request_late_studies
from ratings.models import Study
from tests.factories import make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db
DEFINITION = {"candidates": [{"system": "glicko-2", "options": {}}], "sweep": None, "resamples": 10}


@pytest.fixture
@reused
def study(rate_all):
    made = make_list()
    make_table(made, [make_player("Ada"), make_player("Ben")], [(1, 1, 2, 1.0)], "2024-02-01", minutes=90)
    rate_all()
    return Study.objects.create(list=made, definition=DEFINITION)


@pytest.fixture
def requested(monkeypatch):
    """Return the primary keys of the studies that are requested."""
    found = []
    monkeypatch.setattr(studies, "send_task", lambda task, pk: found.append((task, pk)))
    return found


def test_command_reproduces_both_digests_from_the_export(study, tmp_path, capsys):
    make_study(study.pk)
    study.refresh_from_db()
    assert (study.state, study.runs, study.runs_done, study.error) == ("done", 2, 2, "")
    call_command("export_history", list=study.list.slug)
    (tmp_path / "list.json").write_text(capsys.readouterr().out)
    (tmp_path / "study.json").write_text(json.dumps(study.result))
    call_command("evaluate", tmp_path / "list.json", study=tmp_path / "study.json", format="json")
    printed = json.loads(capsys.readouterr().out)
    assert (printed["digest"], printed["inputs"]) == (study.result["digest"], study.result["inputs"])


def test_failed_study_keeps_its_error(study):
    Study.objects.update(definition=DEFINITION | {"resamples": 0})
    make_study(study.pk)
    study.refresh_from_db()
    assert (study.state, study.result) == ("failed", None)
    assert study.error == "resamples: Input should be greater than or equal to 1"


def test_study_that_fails_unexpectedly_is_not_tried_again(study, requested, monkeypatch, caplog):
    def fail(*arguments, **options):
        raise ZeroDivisionError

    monkeypatch.setattr(studies, "run_study", fail)
    make_study(study.pk)
    study.refresh_from_db()
    assert (study.state, study.error) == (
        "failed",
        "failed unexpectedly; the administrators find the reason in the log",
    )
    assert [record.getMessage() for record in caplog.records] == [f"study {study.pk} failed"]
    long_ago = timezone.now() - dt.timedelta(days=1)
    Study.objects.update(active_at=long_ago, made_at=long_ago)
    request_late_studies()
    assert requested == []


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_study_is_taken_up_again_after_the_database_was_away(study, requested, monkeypatch, error):
    def fail(*arguments, **options):
        raise error("server closed the connection")

    monkeypatch.setattr(studies, "run_study", fail)
    with pytest.raises(error):
        make_study(study.pk)
    long_ago = timezone.now() - dt.timedelta(days=1)
    Study.objects.update(active_at=long_ago, made_at=long_ago)
    request_late_studies()
    assert requested == [("ratings.evaluate", study.pk)]


@pytest.mark.parametrize("state", ["running", "done", "failed", "cancelled"])
def test_second_message_changes_nothing(study, state):
    Study.objects.update(state=state)
    make_study(study.pk)
    study.refresh_from_db()
    assert (study.state, study.result) == (state, None)


def test_message_of_a_deleted_study_is_ignored(study):
    pk = study.pk
    study.delete()
    make_study(pk)
    assert not Study.objects.exists()


def test_cancelled_study_ends_and_stores_nothing(study, monkeypatch):
    monkeypatch.setattr(studies, "SECONDS_BETWEEN_CHECKS", 0.0)
    ticks = []

    def run(history, definition, *, tick, progress):
        tick()
        ticks.append("before")
        assert cancel_study(study)
        tick()
        ticks.append("after")

    monkeypatch.setattr(studies, "run_study", run)
    make_study(study.pk)
    study.refresh_from_db()
    assert (ticks, study.state, study.result) == (["before"], "cancelled", None)
    assert not cancel_study(study)


def test_study_that_another_worker_took_over_is_left_to_it(study, monkeypatch):
    def run(history, definition, *, tick, progress):
        Study.objects.update(active_at=timezone.now() + dt.timedelta(seconds=5), runs_done=1)
        progress(2, 2)

    monkeypatch.setattr(studies, "run_study", run)
    make_study(study.pk)
    study.refresh_from_db()
    assert (study.state, study.runs_done, study.result) == ("running", 1, None)


def test_lost_messages_and_lost_workers_are_found_again(study, requested):
    now = timezone.now()
    request_late_studies()
    assert requested == []
    Study.objects.update(made_at=now - dt.timedelta(minutes=3))
    request_late_studies()
    Study.objects.update(state="running", active_at=now - dt.timedelta(minutes=9))
    request_late_studies()
    Study.objects.update(active_at=now - dt.timedelta(minutes=11), runs_done=1)
    request_late_studies()
    study.refresh_from_db()
    assert requested == [("ratings.evaluate", study.pk)] * 2
    assert (study.state, study.runs_done) == ("waiting", 0)
