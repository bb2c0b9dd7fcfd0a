"""Giving results by key: into a draft, by the owner's rights, under his name."""

import datetime as dt
import json

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from auditlog.models import LogEntry
from django.contrib.auth.models import Group
from django.utils import timezone

from portal.api.examples import GRID
from ratings.access import OFFICERS
from ratings.domain.site.keys import create_key
from ratings.models import ApiKey, Event, RatingList, Submission, Table, Upload
from tests.factories import make_event, make_list, make_player, make_user
from tests.formats.test_samples import SAMPLES

pytestmark = pytest.mark.django_db
NEW = {"name": "Lyon Open", "start": "2024-05-04", "end": "2024-05-05", "place": "Lyon", "country": "FR",
       "time_control": "30min", "lists": ["fesa"]}  # fmt: skip
UNKNOWN = (
    "[Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n[Time control: 30min]\n1 [Ada][] FR [2+] 1\n2 [Ben][] FR [1-] 0\n"
)


def announce(client, headers, **fields):
    return client.post("/api/v1/events", json.dumps(NEW | fields), "application/json", headers=headers)


def give(client, headers, event, data=UNKNOWN):
    address = f"/api/v1/events/{event.public_id}/results?name=cup.txt"
    return client.post(address, data, "application/octet-stream", headers=headers)


@pytest.fixture
def fesa(db):
    return make_list()


@pytest.fixture
def event(fesa, organiser):
    return make_event("Cup", "2024-05-04", [fesa], state="draft", created_by=organiser)


def test_event_is_announced_as_a_draft_of_the_owner(fesa, client, bearer, organiser):
    response = announce(client, bearer)
    event = Event.objects.get()
    assert (response.status_code, response.headers["Cache-Control"]) == (201, "no-store")
    assert response.json() == {
        "id": event.public_id, "name": "Lyon Open", "state": "draft", "start": "2024-05-04", "end": "2024-05-05",
        "lists": ["fesa"], "sheets": [], "url": f"http://127.0.0.1:8000/organise/events/{event.public_id}/",
    }  # fmt: skip
    assert (event.created_by, event.state, event.announced_at, event.place) == (organiser, "draft", None, "Lyon")
    entry = LogEntry.objects.get_for_object(event).earliest("pk")
    assert entry.actor == organiser


def test_event_has_the_start_time(fesa, client, bearer):
    announce(client, bearer, start_time="19:30")
    assert Event.objects.get().start_time == dt.time(19, 30)
    assert announce(client, bearer, start_time="evening").status_code == 422


def test_event_may_go_into_the_calendar_at_once(fesa, client, bearer):
    announce(client, bearer, announce=True)
    assert Event.objects.get().announced_at == timezone.now()


@pytest.mark.parametrize(
    ("wrong", "where"),
    [({"end": "2024-05-01"}, "end"), ({"lists": ["nope"]}, "lists"), ({"place": "\ud800"}, "place"), ({"lists": []}, "lists"), ({"name": ""}, "name"),
     ({"start": "soon"}, "start"), ({"country": "XX"}, "country"), ({"mode": "x"}, "mode"), ({"link": "x"}, "link"),
     ({"name": "a" * 201}, "name"), ({"name": "a\0"}, "name")],
)  # fmt: skip
def test_faulty_event_is_refused_value_by_value(wrong, where, fesa, client, bearer):
    response = announce(client, bearer, **wrong)
    assert (response.status_code, Event.objects.count()) == (422, 0)
    assert [fault["where"] for fault in response.json()["errors"]] in ([where], ["__all__"])


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '"x"', "{}", "\x00", '{"name": NaN}', "[" * 5000])
def test_body_that_is_no_event_is_refused(body, fesa, client, bearer):
    response = client.post("/api/v1/events", body, "application/json", headers=bearer)
    assert (response.status_code in (400, 422), Event.objects.count()) == (True, 0)
    assert response.headers["Content-Type"] == "application/problem+json"


def test_file_becomes_a_submission_with_its_problems(event, client, bearer, organiser):
    make_player("Ada", public_id="AAA22")
    response = give(client, bearer, event)
    submission, actual = Submission.objects.get(), response.json()
    problems = actual.pop("problems")
    assert response.status_code == 201
    assert actual == {"id": submission.pk, "name": "", "state": "working", "first_day": "2024-05-04",
                    "last_day": "2024-05-04", "ready": False,
                    "url": f"http://127.0.0.1:8000/organise/sheets/{submission.pk}/"}  # fmt: skip
    errors = [(one["row"], one["line"], one["round"]) for one in problems if one["level"] == "error"]
    assert errors == [(2, 5, None)]
    upload = Upload.objects.get()
    assert (upload.by, upload.name, bytes(upload.data)) == (organiser, "cup.txt", UNKNOWN.encode())
    assert (submission.made_by, Table.objects.count(), Event.objects.get().state) == (organiser, 0, "draft")


def test_same_file_again_is_the_same_submission(event, client, bearer):
    first, again = give(client, bearer, event), give(client, bearer, event)
    assert (first.status_code, again.status_code, again.json()) == (201, 200, first.json())
    assert (Submission.objects.count(), Upload.objects.count()) == (1, 1)
    other = give(client, bearer, event, UNKNOWN + "\n")
    assert (other.status_code, Submission.objects.count()) == (201, 2)


def test_file_of_a_deleted_draft_is_read_again(event, client, bearer):
    give(client, bearer, event)
    Submission.objects.all().delete()
    assert (give(client, bearer, event).status_code, Submission.objects.count()) == (201, 1)


def test_owner_reads_true_names_in_the_problems(event, client, bearer):
    make_player("Ada", country="DE", public_id="AAA22", shown="initials")
    hints = [one["message"] for one in give(client, bearer, event).json()["problems"] if one["level"] == "hint"]
    assert "Ada is known with the nationality DE" in hints


def test_draft_shows_its_state(event, client, bearer):
    submission = give(client, bearer, event, GRID).json()
    response = client.get(f"/api/v1/events/{event.public_id}/draft", headers=bearer)
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    assert response.json()["sheets"] == [submission]
    assert response.json()["state"] == "draft"
    Submission.objects.update(state="deleted")
    response = client.get(f"/api/v1/events/{event.public_id}/draft", headers=bearer)
    assert response.json()["sheets"] == []


@pytest.mark.parametrize("data", [b"", b"nothing at all", b"\x00\xff\xfe", b"PK\x03\x04 no workbook"])
def test_file_that_cannot_be_read_leaves_nothing(data, event, client, bearer):
    response = give(client, bearer, event, data)
    assert (response.status_code, Submission.objects.count(), Upload.objects.count()) == (422, 0, 0)
    assert response.json()["errors"]


def test_too_large_a_file_is_refused(event, client, bearer):
    response = give(client, bearer, event, b"x" * 2_000_001)
    assert (response.status_code, response.json()["detail"]) == (413, "The file is too large: at most 2 MB.")
    assert Submission.objects.count() == 0


def test_upload_is_refused_while_results_are_submitted(event, client, bearer):
    Event.objects.update(state="submitted")
    assert give(client, bearer, event).status_code == 403
    assert Submission.objects.count() == 0


def calls(client, event, headers):
    return [
        announce(client, headers).status_code,
        give(client, headers, event).status_code,
        client.get(f"/api/v1/events/{event.public_id}/draft", headers=headers).status_code,
    ]


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "Bearer nothing", "Basic b2xnYTpzZWNyZXQ=", "Bearer é", "Bearer " + "x" * 5000],
)
def test_without_a_known_key_nothing_is_given(authorization, event, client, organiser):
    client.force_login(organiser)  # a session is no key
    headers = {"Authorization": authorization} if authorization else {}
    assert calls(client, event, headers) == [401, 401, 401]
    assert (Event.objects.count(), Submission.objects.count()) == (1, 0)


def test_revoked_key_is_no_key(event, client, bearer):
    ApiKey.objects.update(revoked_at=timezone.now())
    assert calls(client, event, bearer) == [401, 401, 401]


def test_key_of_somebody_locked_out_is_no_key(event, client, bearer, organiser):
    organiser.is_active = False
    organiser.save()
    assert calls(client, event, bearer) == [401, 401, 401]


def test_key_of_a_former_organiser_is_refused(event, client, bearer, organiser):
    organiser.groups.clear()
    assert calls(client, event, bearer) == [401, 401, 401]
    assert (Event.objects.count(), Submission.objects.count()) == (1, 0)


def test_other_organiser_has_events_of_their_own_alone(event, client, organiser):
    other = make_user("other")
    other.groups.set(organiser.groups.all())
    _, secret = create_key(other, "his")
    assert calls(client, event, {"Authorization": f"Bearer {secret}"}) == [201, 403, 403]
    assert Submission.objects.count() == 0


def test_officer_uploads_results_of_any_event_of_their_lists(event, client):
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    everything = ("read", "events", "results", "all")
    _, secret = create_key(officer, "theirs", scopes=everything)
    assert calls(client, event, {"Authorization": f"Bearer {secret}"}) == [201, 201, 200]


def test_key_of_an_organiser_gains_nothing_by_promotion(event, client, organiser):
    other = make_user("other")
    other.groups.set(organiser.groups.all())
    _, secret = create_key(other, "made as organiser")
    other.groups.add(Group.objects.get(name=OFFICERS))
    assert calls(client, event, {"Authorization": f"Bearer {secret}"}) == [201, 403, 403]


def test_key_of_an_officer_does_not_get_around_the_second_factor(event, client, settings):
    officer = make_user("officer")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    _, secret = create_key(officer, "theirs", scopes=("read", "events", "results", "all"))
    settings.SECOND_FACTOR = True
    bearer = {"Authorization": f"Bearer {secret}"}
    assert calls(client, event, bearer) == [201, 403, 403]
    Authenticator.objects.create(user=officer, type="totp", data={"secret": "x"})
    assert calls(client, event, bearer)[1:] == [201, 200]


@pytest.mark.parametrize(
    ("scope", "replies"), [("events", [201, 403, 403]), ("results", [403, 201, 403]), ("read", [403, 403, 200])]
)
def test_key_does_only_what_its_scopes_allow(scope, replies, event, client, organiser):
    _, secret = create_key(organiser, "narrow", scopes=[scope])
    assert calls(client, event, {"Authorization": f"Bearer {secret}"}) == replies


def test_key_that_expired_is_refused(event, client, organiser):
    _, secret = create_key(organiser, "short", days=30)
    bearer = {"Authorization": f"Bearer {secret}"}
    with time_machine.travel(dt.datetime(2024, 6, 30, 23, tzinfo=dt.UTC), tick=False):
        assert calls(client, event, bearer)[2] == 200
    with time_machine.travel(dt.datetime(2024, 7, 1, tzinfo=dt.UTC), tick=False):
        assert calls(client, event, bearer) == [401, 401, 401]


def test_list_with_a_nul_is_refused(fesa, client, bearer):
    assert announce(client, bearer, lists=["a\0"]).status_code == 422


def test_missing_event_is_reported(fesa, client, bearer):
    response = client.post("/api/v1/events/nope/results", b"x", "application/octet-stream", headers=bearer)
    assert response.status_code == 404


def test_use_of_a_key_is_noted(event, client, bearer):
    client.get(f"/api/v1/events/{event.public_id}/draft", headers=bearer)
    key = ApiKey.objects.get()
    assert key.last_used_at == timezone.now()
    assert bearer["Authorization"].removeprefix("Bearer ").startswith(key.prefix)
    assert bearer["Authorization"].removeprefix("Bearer ") not in str(vars(key))


def test_upload_rates_nothing(event, client, bearer):
    RatingList.objects.update(out_of_date_from=None)
    give(client, bearer, event, GRID)
    assert RatingList.objects.get().out_of_date_from is None


def test_ip_address_of_the_organiser_is_not_stored(event, client, bearer):
    data = (SAMPLES / "opengotha" / "good.xml").read_bytes()
    assert b"192.0.2.77" in data
    assert [give(client, bearer, event, data).status_code for _ in range(2)] == [201, 200]
    stored = bytes(Upload.objects.get().data)
    assert (b"192.0.2.77" in stored, stored.replace(b'IPAddress=""', b'IPAddress="192.0.2.77"') == data) == (
        False,
        True,
    )
