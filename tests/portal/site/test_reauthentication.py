"""Deciding wants a recent log-in; a form that is interrupted by it is given back whole, to its sender alone."""

import datetime as dt
import re

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.site.held_forms import FORMS_AT_MOST
from ratings.models import (
    ApiKey,
    Approval,
    Claim,
    Event,
    EventStep,
    HeldFile,
    HeldForm,
    Merge,
    Player,
    Proposal,
    RatingList,
    RecordedStep,
    Report,
    Submission,
    Table,
)
from tests.factories import make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db
KEY = {"label": "Pairing program", "scopes": ["read", "results"], "days": "90"}


@pytest.fixture
def clock(settings):
    settings.SIGN_IN_AGAIN = True
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
    with time_machine.travel(dt.datetime(2024, 6, 1, 12, tzinfo=dt.UTC), tick=False) as clock:
        yield clock


@pytest.fixture
def officer(client, clock):
    """An officer and approver who signed in sixteen minutes ago."""
    user = make_user("olga", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=[OFFICERS, APPROVERS]))
    sign_in(client)
    clock.shift(16 * 60)
    return user


def sign_in(client, name="olga"):
    assert client.post("/accounts/login/", {"login": name, "password": "secret"}).status_code == 302
    assert "_auth_user_id" in client.session


def sign_in_again(client, response):
    """Type the password where the interruption leads, and return the page that gives the form back."""
    assert response.status_code == 302
    address = re.fullmatch(r"/accounts/reauthenticate/\?next=(.*)", response.url)[1].replace("%2F", "/")
    assert re.fullmatch(r"/accounts/continue/\w{32}/", address)
    assert client.get(response.url).status_code == 200
    back = client.post("/accounts/reauthenticate/", {"password": "secret", "next": address})
    assert (back.status_code, back.url) == (302, address)
    return client.get(address)


def go_on(client, page):
    held = page.context["held"]
    return client.post(held.path, {"held": held.key})


def test_form_goes_through_after_a_recent_log_in(client, officer):
    client.logout()
    sign_in(client)
    assert client.post("/organise/keys/", KEY).context["secret"]
    assert HeldForm.objects.count() == 0


def test_interrupted_form_is_given_back_after_signing_in_again(client, officer):
    response = client.post("/organise/keys/", KEY | {"label": "<b>Gò</b>\r\nline"})
    assert (ApiKey.objects.count(), HeldForm.objects.count()) == (0, 1)
    page = sign_in_again(client, response)
    content = page.content.decode()
    for typed in ("&lt;b&gt;Gò&lt;/b&gt;", "results", "90", "/organise/keys/"):
        assert typed in content
    assert "csrfmiddlewaretoken" not in str(HeldForm.objects.get().fields)
    done = go_on(client, page)
    assert done.context["secret"]
    assert (ApiKey.objects.get().scopes, HeldForm.objects.count()) == (["read", "results"], 0)
    assert go_on(client, page).status_code == 404  # not twice
    assert ApiKey.objects.count() == 1


def test_interrupted_file_is_given_back(client, officer):
    case = Approval.objects.create(list=make_list(), player=make_player(), grade="5 Dan", earned_on="2024-05-04")
    letter = SimpleUploadedFile("letter ü.pdf", b"%PDF\x00\xff", "application/pdf")
    data = {"granted": "yes", "on": "2024-05-20", "effective": "2024-05-20", "signed_by": "ISPS", "letter": letter}
    page = sign_in_again(client, client.post(f"/organise/approvals/{case.public_id}/answer/", data))
    assert "letter ü.pdf" in page.content.decode()
    assert go_on(client, page).status_code == 302
    case.refresh_from_db()
    assert (case.state, case.signed_by, case.letter_name, bytes(case.letter)) == (
        "approved", "ISPS", "letter ü.pdf", b"%PDF\x00\xff",
    )  # fmt: skip
    assert HeldFile.objects.count() == 0


def test_interrupted_action_of_the_admin_is_given_back(client, officer, rate_all):
    make_player("Ada", public_id="AAA22")
    make_player("Ben", public_id="BBB33")
    event = make_event("Cup", "2024-05-04", [make_list()], state="submitted", created_by=make_user("other"))
    content = {"rounds": 1, "rows": [
        {"family": "Ada", "player": "AAA22", "cells": ["2+"]}, {"family": "Ben", "player": "BBB33", "cells": ["1-"]},
    ]}  # fmt: skip
    Submission.objects.create(
        event=event, first_day="2024-05-04", last_day="2024-05-04", content=content, state="submitted"
    )
    data = {"action": "accept_submitted", "_selected_action": [event.pk]}
    page = sign_in_again(client, client.post("/admin/ratings/event/?q=cup", data))
    assert Event.objects.get().state == "submitted"
    assert go_on(client, page).url == "/admin/ratings/event/?q=cup"
    assert Event.objects.get().state == "accepted"


@pytest.fixture
def cases(officer):
    """Every address that decides something, with what is posted to it."""
    fesa, ada, ben = make_list(), make_player("Ada", public_id="AAA22"), make_player("Ben", public_id="BBB33")
    table = make_table(fesa, [ada, make_player()], [(1, 1, 2, 1.0)], "2024-05-04", event_name="Cup")
    claim = Claim.objects.create(player=ben, user=make_user("ben"), note="me")
    merge = Merge.objects.create(gone=make_player(), kept=make_player(), reason="r")
    case = Approval.objects.create(list=fesa, player=ada, grade="5 Dan", earned_on="2024-05-04")
    approvals, event = f"/organise/approvals/{case.public_id}", f"/organise/events/{table.event.public_id}"
    corrected = EventStep.objects.create(event=table.event, what="corrected")
    void = make_event("Void", lists=[fesa], state="void")
    deleted = make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], "2024-05-05")
    Table.objects.filter(pk=deleted.pk).update(deleted_at=timezone.now())
    hidden = RecordedStep.objects.create(what=RecordedStep.What.VISIBILITY_CHANGED, player=ada)
    proposal = Proposal.objects.create(list=fesa, kind="decision", what="add")
    return [
        ("/organise/keys/", KEY),
        ("/organise/people/", {"mail": "new@example.org", "role": "Organisers"}),
        (f"/organise/people/{make_user('x').pk}/dismiss/", {"role": "Organisers"}),
        (f"/organise/claims/{claim.pk}/", {"grant": "1", "answer": "x"}),
        ("/organise/merge/", {"gone": "AAA22", "kept": "BBB33", "reason": "x"}),
        (f"/organise/merges/{merge.pk}/undo/", {}),
        ("/organise/split/", {"player": "AAA22", "tables": [table.pk], "taker": "BBB33", "reason": "x", "give": "1"}),
        (f"/organise/lists/{fesa.slug}/import/", {"store": "1", "upload": "1", "day": "2024-01-01"}),
        (f"{approvals}/answer/", {"granted": "no", "on": "2024-06-01", "reason": "x"}),
        (f"{approvals}/confirm/", {}),
        (f"{approvals}/reopen/", {}),
        (f"{event}/accept/", {}),
        (f"{event}/void/", {"reason": "rules", "explanation": "x", "read": "on"}),
        (f"{event}/history/{corrected.pk}/undo/", {}),
        (f"/organise/events/{void.public_id}/restore/", {}),
        (f"/organise/tables/{table.pk}/delete/", {"reason": "x"}),
        (f"/organise/tables/{deleted.pk}/restore/", {}),
        (f"/organise/steps/{hidden.pk}/undo/", {"reason": "x"}),
        (f"/organise/proposals/{proposal.pk}/confirm/", {}),
        (f"/admin/ratings/ratinglist/{fesa.pk}/change/", {"name": "New"}),
        (f"/admin/ratings/ratinglist/{fesa.pk}/system/", {"option_corrections": "revised", "_confirm": "1"}),
        ("/admin/ratings/listplayer/add/", {"prior_grade": "1 Dan"}),
        ("/admin/ratings/decision/add/", {"grade": "1 Dan"}),
        ("/admin/ratings/adjustment/add/", {"reason": "x"}),
        ("/admin/ratings/event/", {"action": "delete_selected", "_selected_action": [table.event.pk]}),
        ("/admin/ratings/decision/", {"action": "delete_selected", "_selected_action": ["1"]}),
        ("/admin/ratings/player/", {"action": "release_pages", "_selected_action": [ada.pk]}),
        ("/admin/ratings/player/", {"action": "show_anonymously", "_selected_action": [ada.pk]}),
        ("/organise/grades/", {"award": ["1", "2"]}),
    ]


def test_every_deciding_form_wants_a_recent_log_in(client, cases):
    before = [list(model.objects.order_by("pk").values()) for model in (User, RatingList, Player, Merge, Claim, Event)]
    answers = [(address, client.post(address, data)) for address, data in cases]
    wrong = [address for address, response in answers if not response.get("Location", "").startswith("/accounts/rea")]
    assert wrong == []
    assert [list(m.objects.order_by("pk").values()) for m in (User, RatingList, Player, Merge, Claim, Event)] == before
    stored = HeldForm.objects.get(path="/organise/grades/")
    assert stored.fields == [["award", "1"], ["award", "2"]]


def test_other_forms_and_pages_ask_for_nothing(client, officer):
    make_list()
    player = make_player("Ada")
    report = Report.objects.create(player=player, text="wrong")
    for address in ("/organise/", "/organise/queue/", "/organise/keys/", "/organise/merge/", "/admin/ratings/event/"):
        assert client.get(address).status_code == 200
    answer = {"state": "right", "answer": "x", "opened_version": "1 0"}
    assert client.post(report.get_absolute_url(), answer).url == report.get_absolute_url()
    assert client.post("/organise/split/", {"player": player.public_id, "search": "1"}).status_code == 200
    assert HeldForm.objects.count() == 0


def test_administrators_pages_of_accounts_ask_before_they_open(client, clock):
    make_user("olga", is_staff=True, is_superuser=True)
    other = make_user("other")
    sign_in(client)
    address = f"/admin/auth/user/{other.pk}/password/"
    assert client.get(address).status_code == 200
    clock.shift(16 * 60)
    for page in (address, f"/admin/auth/user/{other.pk}/change/", "/admin/auth/user/add/"):
        assert client.get(page).url == f"/accounts/reauthenticate/?next={page.replace('/', '%2F')}"
    new = {"username": "new", "password1": "a long word 9", "password2": "a long word 9"}
    assert client.post("/admin/auth/user/add/", new).status_code == 302
    assert HeldForm.objects.get().fields == [["username", "new"]]  # passwords are not stored


def test_held_form_is_shown_only_to_its_sender(client, officer):
    response = client.post("/organise/keys/", KEY)
    page = sign_in_again(client, response)
    held = page.context["held"]
    other = make_user("other")
    other.groups.add(Group.objects.get(name=OFFICERS))
    client.logout()
    assert client.get(f"/accounts/continue/{held.key}/").url.startswith("/accounts/login/")
    sign_in(client, "other")
    assert client.get(f"/accounts/continue/{held.key}/").status_code == 404
    assert client.post(f"/accounts/continue/{held.key}/").status_code == 404
    assert go_on(client, page).status_code == 404
    assert (ApiKey.objects.count(), HeldForm.objects.count()) == (0, 1)


def test_held_form_is_for_its_own_address(client, officer):
    page = sign_in_again(client, client.post("/organise/keys/", KEY))
    assert client.post("/organise/people/", {"held": page.context["held"].key}).status_code == 404
    assert HeldForm.objects.count() == 1


def test_held_form_is_not_processed_before_signing_in_again(client, officer, clock):
    response = client.post("/organise/keys/", KEY)
    held = HeldForm.objects.get()
    assert client.post("/organise/keys/", {"held": held.key}).url == response.url
    assert (ApiKey.objects.count(), HeldForm.objects.count()) == (0, 1)
    page = sign_in_again(client, response)
    clock.shift(16 * 60)
    assert go_on(client, page).url == response.url
    assert ApiKey.objects.count() == 0


def test_held_form_is_discarded(client, officer):
    page = sign_in_again(client, client.post("/organise/keys/", KEY))
    address = f"/accounts/continue/{page.context['held'].key}/"
    assert client.post(address).url == "/"
    assert (HeldForm.objects.count(), client.get(address).status_code) == (0, 404)


def test_held_forms_are_limited_and_old_ones_deleted(client, officer, clock):
    for number in range(FORMS_AT_MOST + 3):
        client.post("/organise/keys/", KEY | {"label": str(number)})
    assert HeldForm.objects.count() == FORMS_AT_MOST
    clock.shift(25 * 3600)
    address = f"/accounts/continue/{HeldForm.objects.latest('pk').key}/"
    assert client.get(address).status_code == 404
    client.post("/organise/keys/", KEY)
    assert HeldForm.objects.count() == 1


def test_large_file_is_reported_instead_of_being_stored(client, officer):
    case = Approval.objects.create(list=make_list(), player=make_player(), grade="5 Dan", earned_on="2024-05-04")
    letter = SimpleUploadedFile("letter.pdf", b"x" * 5_000_001)
    response = client.post(f"/organise/approvals/{case.public_id}/answer/", {"letter": letter})
    assert (response.status_code, HeldForm.objects.count()) == (413, 0)  # the first middleware refuses it


def test_forms_of_users_without_the_right_are_not_held(client, clock):
    make_user("olga")
    sign_in(client)
    clock.shift(16 * 60)
    assert client.post("/organise/keys/", KEY).status_code == 403
    assert HeldForm.objects.count() == 0
