import datetime as dt
from collections import Counter
from io import StringIO

import pytest
from auditlog.models import LogEntry
from django.contrib.admin.models import LogEntry as AdminLogEntry
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from ratings.domain.site.retention import count_expired, delete_expired
from ratings.domain.site.retention_rules import RETENTION_RULES
from ratings.models import (
    ApiKey,
    EventEntry,
    HallLink,
    Notification,
    OutgoingMail,
    Report,
    Run,
    Submission,
    Upload,
)
from tests.domain.results.hall.halls import make_hall
from tests.factories import make_event, make_list, make_player, make_user

pytestmark = pytest.mark.django_db


def days_ago(days):
    return timezone.now() - dt.timedelta(days=days)


@pytest.fixture
def old_and_new(settings):
    """For each new rule, a row that expired a day ago and a row that expires in a day."""
    settings.DRAFT_DAYS, settings.UPLOAD_DAYS, settings.LOG_DAYS = 100, 200, 300
    fesa, user = make_list(), make_user("anna")
    LogEntry.objects.all().delete()
    hall = make_hall()
    hall_days = {"hall": hall, "made_by": user}
    HallLink.objects.all().delete()
    for old in (1, -1):
        day = timezone.now().date()
        ended = make_event("Old", str(day - dt.timedelta(days=100 + old)), [fesa], state="draft")
        draft = ended.submissions.create(first_day=ended.start, last_day=ended.end)
        Submission.objects.filter(pk=draft.pk).update(changed_at=days_ago(100 + old))
        accepted = make_event("Cup", "2020-01-01").submissions.create(
            first_day="2020-01-01", last_day="2020-01-01", state="accepted", accepted_at=days_ago(200 + old)
        )
        Upload.objects.create(submission=accepted, name="anna.txt", format="grid", data=b"1 [Anders]")
        played = make_event("Open", str(day - dt.timedelta(days=365 + old)))
        EventEntry.objects.create(event=played, family_name="Anders", state="asked")
        EventEntry.objects.create(event=played, family_name="Berg", state="confirmed")
        Report.objects.create(player=make_player(), text="x", mail="a@b.example", answered_at=days_ago(30 + old))
        mail = {"sender": "a@b.example", "recipients": ["c@d.example"], "subject": "x", "body": "x"}
        OutgoingMail.objects.create(**mail, given_up_at=days_ago(30 + old))
        Notification.objects.create(kind="step", object_id=1, given_up_at=days_ago(30 + old))
        HallLink.objects.create(**hall_days, key=f"key{old}", label="Helper", expires_at=days_ago(90 + old))
        ApiKey.objects.create(owner=user, label="x", prefix="x", digest=f"{old}", expires_at=days_ago(90 + old))
        Session.objects.create(session_key=f"s{old}", session_data="", expire_date=days_ago(1 + old))
        run = Run.objects.create(list=fesa, preview=True, state="finished")
        Run.objects.filter(pk=run.pk).update(asked_at=days_ago(90 + old))
        entry = AdminLogEntry.objects.create(user=user, action_flag=1, object_repr="x", change_message="")
        AdminLogEntry.objects.filter(pk=entry.pk).update(action_time=days_ago(300 + old))
        LogEntry.objects.log_create(make_player(), force_log=True, action=0)
    first, *_others = LogEntry.objects.order_by("pk")
    LogEntry.objects.filter(pk=first.pk).update(timestamp=days_ago(301))


EXPIRED = {
    "drafts": 1, "uploads": 1, "unanswered_entries": 1, "report_addresses": 1, "mails": 1, "notifications": 1,
    "hall_links": 1, "api_keys": 1, "sessions": 1, "previews": 1, "audit_trail": 1, "admin_log": 1,
}  # fmt: skip


def test_expired_rows_are_deleted(old_and_new):
    assert {key: number for key, number in count_expired().items() if number} == EXPIRED
    entries = LogEntry.objects.count()
    assert {key: number for key, number in delete_expired().items() if number} == EXPIRED
    assert sum(count_expired().values()) == sum(delete_expired().values()) == 0
    assert LogEntry.objects.count() == entries - 1
    assert [model.objects.count() for model in (OutgoingMail, Notification, HallLink, ApiKey, Session)] == [1] * 5
    assert Counter(bytes(upload.data) for upload in Upload.objects.all()) == {b"": 1, b"1 [Anders]": 1}
    assert Counter(Report.objects.values_list("mail", flat=True)) == {"": 1, "a@b.example": 1}
    assert Counter(EventEntry.objects.values_list("family_name", flat=True)) == {"Anders": 1, "Berg": 2}
    assert Run.objects.filter(preview=True).count() == 1


def test_runs_that_failed_are_deleted_but_finished_ones_stay():
    """A list whose last run failed keeps its record, which the next run continues."""
    fesa, chess = make_list(), make_list("chess", system="icu-1989")
    states = [(fesa, "failed"), (fesa, "cancelled"), (fesa, "finished"), (fesa, "failed"), (chess, "failed")]
    runs = [Run.objects.create(list=each, state=state) for each, state in states]
    Run.objects.update(asked_at=days_ago(91))
    assert delete_expired()["unfinished_runs"] == 2
    assert set(Run.objects.filter(pk__in=[run.pk for run in runs])) == set(runs[2:])


def test_data_without_a_period_stays(old_and_new, settings):
    settings.DRAFT_DAYS = settings.UPLOAD_DAYS = settings.LOG_DAYS = None
    assert not {"drafts", "uploads", "audit_trail", "admin_log"} & delete_expired().keys()
    assert Submission.objects.count() == 4


def test_rows_are_deleted_in_batches(monkeypatch, settings):
    monkeypatch.setattr("ratings.domain.site.retention.in_batches", lambda rows: ([row] for row in rows))
    for _ in range(3):
        Notification.objects.create(kind="step", object_id=1, given_up_at=days_ago(31))
    assert delete_expired()["notifications"] == 3


def test_command_shows_what_it_would_delete_and_deletes_with_save(old_and_new):
    out = StringIO()
    call_command("delete_expired", stdout=out)
    lines = out.getvalue().splitlines()
    assert (len(lines), lines[-1]) == (len(RETENTION_RULES) + 1, "Dry run: nothing was deleted. Add --save to delete.")
    assert "       1  Emails that could not be delivered – 30 days (MAIL_DAYS)" in lines
    assert sum(count_expired().values()) == len(EXPIRED)
    call_command("delete_expired", save=True, stdout=out)
    assert sum(count_expired().values()) == 0
    with pytest.raises(CommandError, match="contradict"):
        call_command("delete_expired", save=True, dry_run=True)


def test_keys_of_rules_are_unique():
    keys = [rule.key for rule in RETENTION_RULES]
    assert len(set(keys)) == len(keys)
