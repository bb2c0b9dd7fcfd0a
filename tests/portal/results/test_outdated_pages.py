"""Steps sent from a page that is out of date do nothing, and the page says what happened meanwhile."""

import re

import pytest
from django.contrib.auth.models import Group

from ratings.access import ORGANISERS
from ratings.domain.results.sharing import share_event, unshare_event
from ratings.models import Event, Submission
from tests.factories import make_user
from tests.versions import opened

from .way import CLEAN, accepted, act, enter_confirmed_results, paste, save

pytestmark = pytest.mark.django_db(transaction=True)
CHANGED = "Nothing was done: this event has been changed since you opened the page."


def shown_version(client, address):
    found = set(re.findall(r'name="shown_version" value="([^"]+)"', client.get(address).content.decode()))
    assert len(found) == 1, found
    return found.pop()


@pytest.mark.parametrize("page", ["/organise/queue/", "/organise/events/{}/"])
def test_officer_accepts_only_the_results_that_the_page_shows(page, client, event, players, officer):
    submission, _response = enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    seen = shown_version(client, page.format(event.public_id))
    client.force_login(event.created_by)
    act(client, event, "withdraw")
    save(client, submission, name="Other games")
    act(client, event, "submit")
    client.force_login(officer)
    response = act(client, event, "accept", shown_version=seen)
    assert (response.status_code, Event.objects.get().state) == (422, "submitted")
    text = response.content.decode()
    assert CHANGED in text
    assert "Last step: submitted, organiser, " in text
    now = re.search(r'name="shown_version" value="([^"]+)"', text)[1]
    assert act(client, event, "accept", shown_version=now).status_code == 302
    assert Event.objects.get().state == "accepted"


def test_note_of_a_return_from_an_outdated_page_stays_in_the_form(client, event, players, officer):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    seen = shown_version(client, "/organise/queue/")
    event.refresh_from_db()
    event.place = "Paris"
    event.save()
    response = act(client, event, "return", note="Who was <absent>?", shown_version=seen)
    assert (response.status_code, Event.objects.get().state) == (422, "submitted")
    assert "Who was &lt;absent&gt;?</textarea>" in response.content.decode()


def test_results_saved_in_another_window_are_not_submitted_unseen(client, event, players):
    submission, _response = enter_confirmed_results(client, event)
    seen = shown_version(client, f"/organise/events/{event.public_id}/")
    save(client, submission, name="Other games")
    response = act(client, event, "submit", shown_version=seen)
    assert (response.status_code, Event.objects.get().state) == (422, "draft")
    assert CHANGED in response.content.decode()
    assert "Its data or draft results were changed." in response.content.decode()


@pytest.mark.parametrize("what", ["event", "submission"])
def test_draft_that_was_changed_since_the_question_is_not_deleted(what, client, event, players):
    paste(client, event, CLEAN)
    submission = event.submissions.get()
    address = (
        f"/organise/events/{event.public_id}/delete/"
        if what == "event"
        else f"/organise/sheets/{submission.pk}/delete/"
    )
    seen = shown_version(client, address)
    save(client, submission, name="More games")
    response = client.post(address, {"shown_version": seen})
    assert (response.status_code, CHANGED in response.content.decode()) == (422, True)
    assert (Event.objects.get().state, Submission.objects.get().state) == ("draft", "working")
    assert client.post(address, {"shown_version": response.context["shown_version"]}).status_code == 302
    assert "deleted" in (Event.objects.get().state, Submission.objects.get().state)


def test_table_and_event_that_were_corrected_since_the_question_are_not_deleted_or_void(
    client, event, players, officer
):
    table = accepted(client, event, officer)
    void, delete = f"/organise/events/{event.public_id}/void/", f"/organise/tables/{table.pk}/delete/"
    asked = {address: shown_version(client, address) for address in (void, delete)}
    client.post(f"/organise/tables/{table.pk}/correct/")  # a correction begins
    why = {"reason": "rules", "explanation": "Ten <minutes>", "read": "on"}
    response = client.post(void, why | {"shown_version": asked[void]})
    assert (response.status_code, CHANGED in response.content.decode()) == (422, True)
    assert "Ten &lt;minutes&gt;</textarea>" in response.content.decode()
    response = client.post(delete, {"reason": "Twice", "shown_version": asked[delete]})
    assert (response.status_code, CHANGED in response.content.decode()) == (422, True)
    assert 'value="Twice"' in response.content.decode()
    table.refresh_from_db()
    assert (Event.objects.get().state, table.deleted_at) == ("accepted", None)


def test_step_of_a_draft_that_was_submitted_meanwhile_is_explained(client, event, players):
    submission, _response = enter_confirmed_results(client, event)
    delete, edit = f"/organise/sheets/{submission.pk}/delete/", f"/organise/events/{event.public_id}/edit/"
    seen, form = shown_version(client, delete), opened(event)
    act(client, event, "submit")
    response = client.post(delete, {"shown_version": seen})
    assert (response.status_code, "Last step: submitted, organiser, " in response.text) == (422, True)
    fields = {"name": "Winter <Cup>", "start": "2024-05-04", "end": "2024-05-04", "mode": "board",
              "lists": event.lists.values_list("pk", flat=True)}  # fmt: skip
    event.refresh_from_db()
    event.save()
    response = client.post(edit, fields | form)
    assert (response.status_code, 'value="Winter &lt;Cup&gt;"' in response.text) == (422, True)
    assert "The event is submitted now: you cannot change it." in response.text
    assert client.post(edit, fields | opened(event)).status_code == 403


def test_restoring_from_an_outdated_page_does_nothing(client, event, players):
    paste(client, event, CLEAN)
    submission = event.submissions.get()
    client.post(f"/organise/sheets/{submission.pk}/delete/")
    seen = shown_version(client, f"/organise/events/{event.public_id}/")
    act(client, event, "announce")
    restore = f"/organise/sheets/{submission.pk}/restore/"
    response = client.post(restore, {"shown_version": seen})
    assert (response.status_code, CHANGED in response.text, Submission.objects.get().state) == (422, True, "deleted")
    now = shown_version(client, f"/organise/events/{event.public_id}/")
    assert (client.post(restore, {"shown_version": now}).status_code, Submission.objects.get().state) == (
        302,
        "working",
    )


def test_event_is_not_restored_from_an_outdated_page(client, event, players):
    address = f"/organise/events/{event.public_id}"
    client.post(f"{address}/delete/")
    seen = shown_version(client, "/organise/")
    client.post(f"{address}/restore/")
    client.post(f"{address}/delete/")
    response = client.post(f"{address}/restore/", {"shown_version": seen})
    assert (response.status_code, Event.objects.get().state) == (422, "deleted")


def test_event_is_not_shared_from_an_outdated_page(client, event):
    friend = make_user("friend")
    friend.groups.add(Group.objects.get(name=ORGANISERS))
    address = f"/organise/events/{event.public_id}/"
    seen = shown_version(client, address)
    share_event(event, friend)
    unshare_event(event, friend)
    response = client.post(f"{address}share/", {"who": "friend", "shown_version": seen})
    assert (response.status_code, CHANGED in response.text, 'value="friend"' in response.text) == (422, True, True)
    assert list(event.organisers.all()) == []
    now = shown_version(client, address)
    assert client.post(f"{address}share/", {"who": "friend", "shown_version": now}).status_code == 302
    assert list(event.organisers.all()) == [friend]


def test_undo_on_an_outdated_history_submits_no_unseen_results(client, event, players):
    submission, _response = enter_confirmed_results(client, event)
    act(client, event, "submit")
    act(client, event, "withdraw")
    history = f"/organise/events/{event.public_id}/history/"
    seen, step = shown_version(client, history), event.steps.get(what="withdrawn")
    save(client, submission, name="Other games")
    response = client.post(f"{history}{step.pk}/undo/", {"shown_version": seen})
    assert (response.status_code, CHANGED in response.text, Event.objects.get().state) == (422, True, "draft")
    now = shown_version(client, history)
    assert client.post(f"{history}{step.pk}/undo/", {"shown_version": now}, follow=True).status_code == 200
    assert Event.objects.get().state == "submitted"
