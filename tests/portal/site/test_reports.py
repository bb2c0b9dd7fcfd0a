import datetime as dt

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.core import mail
from django.core.cache import cache

from portal.middleware.limits import address_of
from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Report
from tests.factories import make_event, make_list, make_player, make_user
from tests.versions import opened

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def player():
    return make_player("Ada", "Lo")


def send(client, about, wait=10, **more):
    """Open the form, look at it for some seconds, and send it."""
    kind = "players" if hasattr(about, "family_name") else "events"
    address = f"/report/{kind}/{about.public_id}/"
    with time_machine.travel(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), tick=False) as clock:
        opened = client.get(address).context["opened"]
        clock.shift(wait)
        return client.post(address, {"text": "The result of round 3 is wrong", "opened": opened} | more)


def logged_in(client, group):
    user = make_user("user", email="officer@example.org")
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)


def test_visitor_reports_and_the_officer_answers_in_the_same_place(client, player, django_capture_on_commit_callbacks):
    officer = make_user("officer", email="officer@example.org")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    with django_capture_on_commit_callbacks(execute=True):
        response = send(client, player, mail="ada@example.org")
    report = Report.objects.get()
    assert (response.url, report.player, report.state) == (f"/reports/{report.public_id}/", player, "open")
    assert "Not answered yet." in client.get(response.url).content.decode()
    assert client.post(response.url, {"state": "mended", "answer": "x"}).status_code == 403
    client.force_login(officer)
    assert list(client.get("/organise/queue/").context["reports"]) == [report]
    assert client.post(response.url, {"state": "mended", "answer": ""} | opened(report)).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        client.post(response.url, {"state": "mended", "answer": "Thank you: mended."} | opened(report))
    client.logout()
    content = client.get(response.url).content.decode()
    assert ("Thank you: mended." in content, "ada@example.org" in content) == (True, False)
    assert [(sent.to, sent.subject) for sent in mail.outbox] == [
        (["officer@example.org"], f"Reported error {report}: open"),
        (["ada@example.org"], f"Reported error {report}: problem fixed"),
    ]


def test_second_answer_does_not_overwrite_the_first(client, player):
    send(client, player)
    logged_in(client, OFFICERS)
    report = Report.objects.get()
    first, second = opened(report), opened(report)
    client.post(report.get_absolute_url(), {"state": "mended", "answer": "First"} | first)
    response = client.post(report.get_absolute_url(), {"state": "right", "answer": "Second"} | second)
    content = response.content.decode()
    assert (response.status_code, Report.objects.get().answer) == (422, "First")
    assert "has been changed since you opened this form" in content
    assert "Second</textarea>" in content
    again = {"state": "right", "answer": "Second", "opened_version": response.context["opened_version"]}
    assert client.post(report.get_absolute_url(), again).status_code == 302
    assert Report.objects.get().answer == "Second"


def test_event_can_be_reported_too(client):
    event = make_event("Cup", lists=[make_list()])
    assert send(client, event).status_code == 302
    assert Report.objects.get().about == event


@pytest.mark.parametrize(
    ("wait", "more"),
    [(0, {}), (2 * 24 * 3600, {}), (10, {"website": "http://spam"}), (10, {"opened": "forged"}), (10, {"text": ""})],
)
def test_machines_and_empty_reports_are_refused(wait, more, client, player):
    assert (send(client, player, wait, **more).status_code, Report.objects.count()) == (422, 0)


def test_many_reports_in_an_hour_are_stopped(client, player):
    assert [send(client, player).status_code for _ in range(7)] == [302] * 5 + [429] * 2
    assert Report.objects.count() == 5


def test_reports_need_something_to_be_about(client):
    assert client.get("/report/players/NOBODY/").status_code == 404
    assert client.get("/reports/NOTHING/").status_code == 404


def test_organiser_does_not_answer(client, player):
    send(client, player)
    logged_in(client, ORGANISERS)
    report = Report.objects.get()
    assert client.post(report.get_absolute_url(), {"state": "right", "answer": "x"}).status_code == 403
    assert Report.objects.get().state == "open"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "1.1.1.1", "9.9.9.9"),
        (1, "6.6.6.6, 1.1.1.1", "1.1.1.1"),
        (2, "1.1.1.1, 8.8.8.8", "1.1.1.1"),
        (2, "", "9.9.9.9"),
    ],
)
def test_limits_count_by_the_address_before_our_own_proxies(proxies, forwarded, address, settings, rf):
    settings.TRUSTED_PROXIES = proxies
    request = rf.post("/", REMOTE_ADDR="9.9.9.9", HTTP_X_FORWARDED_FOR=forwarded)
    assert address_of("report", request) == address
