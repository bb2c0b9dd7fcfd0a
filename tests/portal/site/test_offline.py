"""Pages that the browser may keep for their reader, and the service worker that keeps them."""

import time

import pytest
from django.contrib.auth.models import Group

from portal.site.offline import LONGEST
from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Submission
from tests.factories import make_event, make_list, make_player, make_user
from tests.portal.results.way import CLEAN, paste

pytestmark = pytest.mark.django_db
DAY = 24 * 3600


@pytest.fixture
def submission(client):
    """Draft results of an organiser, who is signed in and is an officer too."""
    user = make_user("karin")
    user.groups.add(*Group.objects.filter(name__in=[OFFICERS, ORGANISERS]))
    for family, given in (("Adler", "Zoë"), ("Bauer", "Max"), ("Čapek", "Jan")):
        make_player(family, given)
    event = make_event("Cup", "2024-05-04", [make_list()], state="draft", created_by=user)
    client.force_login(user)
    paste(client, event, CLEAN)
    return Submission.objects.get()


def remember(client, seconds):
    session = client.session
    session.set_expiry(seconds)
    session.save()


def addresses(submission):
    return ["/organise/desk/", "/organise/", "/organise/files/", f"/organise/sheets/{submission.pk}/people/"]


def test_desks_may_be_kept_for_their_reader_until_the_session_ends(client, submission):
    remember(client, DAY)
    answers = [client.get(address) for address in addresses(submission)]
    assert [answer.status_code for answer in answers] == [200] * 4
    owners = {answer["X-Offline-Owner"] for answer in answers}
    assert len(owners) == 1
    assert [abs(int(answer["X-Offline-Until"]) - time.time() - DAY) < 60 for answer in answers] == [True] * 4
    assert ['data-worker="/organise/sw.js"' in answer.text for answer in answers] == [True] * 4
    other = make_user("paul")
    other.groups.add(Group.objects.get(name=ORGANISERS))
    client.force_login(other)
    remember(client, DAY)
    assert client.get("/organise/")["X-Offline-Owner"] not in owners


def test_page_is_kept_for_a_week_at_most(client, submission):
    remember(client, 30 * DAY)
    assert abs(int(client.get("/organise/")["X-Offline-Until"]) - time.time() - LONGEST) < 60


def test_session_that_ends_with_the_browser_keeps_nothing(client, submission):
    remember(client, 0)
    for address in addresses(submission):
        answer = client.get(address)
        assert (answer.status_code, "X-Offline-Owner" in answer, 'data-worker="' in answer.text) == (200, False, False)


def test_other_pages_and_refused_ones_are_not_kept(client, submission):
    remember(client, DAY)
    event = submission.event.public_id
    others = ["/", f"/organise/events/{event}/", f"/organise/sheets/{submission.pk}/", "/organise/queue/"]
    assert ["X-Offline-Owner" in client.get(address) for address in others] == [False] * 4
    assert "X-Offline-Owner" not in client.post("/organise/files/", {})
    client.force_login(make_user("nobody"))
    remember(client, DAY)
    answers = [client.get(address) for address in addresses(submission)]
    assert [(answer.status_code, "X-Offline-Owner" in answer) for answer in answers] == [(403, False)] * 4
    client.logout()
    assert "X-Offline-Owner" not in client.get("/organise/")


def test_worker_of_the_desks_is_the_script_of_the_hall_with_other_pages(client):
    desks, hall = (client.get(address) for address in ("/organise/sw.js", "/hall/sw.js"))
    for response in (desks, hall):
        assert response["Content-Type"] == "text/javascript; charset=utf-8"
        assert "Service-Worker-Allowed" not in response
        assert "worker-src 'self'" in response["Content-Security-Policy"]
    (first, script), (other_first, other_script) = (answer.text.split("\n", 1) for answer in (desks, hall))
    assert script == other_script
    assert first.startswith("const RELEASE = ")
    assert first.endswith(
        'PAGES = new RegExp("^(desk/|files/|files/\\\\d+/people/|sheets/\\\\d+/people/)?$"), PATIENCE = 10000,'
        " OWNED = true;"
    )
    assert other_first.endswith('PAGES = new RegExp("^[0-9A-Za-z]+/$"), PATIENCE = 4000, OWNED = false;')
    assert client.post("/organise/sw.js").status_code == 405


def test_every_button_that_signs_out_removes_the_kept_pages(client, submission):
    addresses = ["/organise/", "/accounts/logout/", "/accounts/sessions/"]
    for address in addresses:
        page = client.get(address).text
        forms = page.count('action="/accounts/logout/"')
        assert (page.count("data-signs-out"), "portal/sign_out" in page) == (forms, True), address
        assert forms > 0
    client.logout()
    assert "portal/sign_out" not in client.get("/").text
