"""The way of a result: announced, given, submitted, returned, accepted."""

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.access import ORGANISERS
from ratings.models import (
    Change,
    Event,
    EventStep,
    RatingList,
    Sheet,
    Standing,
    Table,
)
from tests.factories import make_event
from tests.views.organise.way import CLEAN, act, mended, paste, person, posted, save

pytestmark = pytest.mark.django_db(transaction=True)


def test_organiser_announces_an_event(client, fesa, organiser):
    data = {"name": "Autumn Cup", "start": "2024-05-04", "end": "2024-05-04", "mode": "board", "lists": [fesa.pk]}
    response = client.post("/organise/events/new/", data | {"announce": "1"})
    event = Event.objects.get()
    assert (response.status_code, response.url) == (302, f"/organise/events/{event.public_id}/")
    assert (event.created_by, event.state, event.announced_at is not None) == (organiser, "draft", True)
    assert list(event.steps.values_list("what", "by")) == [("announced", organiser.pk)]


def test_results_are_submitted_returned_submitted_again_accepted_and_rated(client, event, players, officer):
    sheet, response = mended(client, event)
    assert response.context["checked"].ready
    assert act(client, event, "submit").status_code == 302
    assert (Event.objects.get().state, Change.objects.filter(games__gt=0).count()) == ("submitted", 0)
    assert client.post(f"/organise/sheets/{sheet.pk}/", posted(sheet)).status_code == 403  # locked
    client.force_login(officer)
    assert client.get("/organise/queue/").context["waiting"] == [(event, [])]
    assert act(client, event, "return", note="").status_code == 422
    act(client, event, "return", note="Who was absent?")
    client.force_login(event.created_by)
    assert save(client, sheet).status_code == 200
    act(client, event, "submit")
    client.force_login(officer)
    assert act(client, event, "accept").status_code == 302
    event.refresh_from_db()
    assert (event.state, RatingList.objects.get().out_of_date_from) == ("accepted", None)
    assert dict(Standing.objects.values_list("player__family_name", "rating")) == {
        "Adler": 2010.0, "Bauer": 2000.0, "Čapek": 1990.0
    }  # fmt: skip
    steps = ["submitted", "returned", "submitted", "accepted"]
    assert list(event.steps.values_list("what", flat=True)) == steps
    assert [(m.to, m.subject) for m in mail.outbox] == [
        (["officer@example.org"], "Autumn Cup: submitted"), (["organiser@example.org"], "Autumn Cup: returned"),
        (["officer@example.org"], "Autumn Cup: submitted"), (["organiser@example.org"], "Autumn Cup: accepted"),
    ]  # fmt: skip
    assert "Who was absent?" in mail.outbox[1].body


def test_preview_shows_what_would_change_and_stores_nothing(client, event, players):
    sheet, _ = mended(client, event)
    response = client.post(f"/organise/events/{event.public_id}/preview/")
    (one,) = response.context["previews"]
    assert {(m.player.family_name, m.before, m.after) for m in one.moved} == {
        ("Adler", 2000, 2010), ("Bauer", 2000, 2000), ("Čapek", 2000, 1990)
    }  # fmt: skip
    sheet.refresh_from_db()
    assert (sheet.state, Event.objects.get().state, Table.objects.count()) == ("working", "draft", 0)
    assert (EventStep.objects.count(), len(mail.outbox)) == (0, 0)


@pytest.mark.parametrize("address", ["events/NOBODY1/", "sheets/99999/", "uploads/99999/", "events/NOBODY1/edit/"])
def test_bad_ids_are_not_there(address, client, organiser):
    assert client.get(f"/organise/{address}").status_code == 404


def test_wrong_methods_are_refused(client, event):
    for address in (f"events/{event.public_id}/results/", f"events/{event.public_id}/accept/", "tables/1/correct/"):
        assert client.get(f"/organise/{address}").status_code == 405


def test_shared_event_can_be_edited_by_the_other_organiser(client, event, players):
    other = person("other", ORGANISERS)
    response = client.post(f"/organise/events/{event.public_id}/share/", {"who": "other@example.org"})
    assert response.status_code == 302
    client.force_login(other)
    assert paste(client, event).status_code == 302
    assert client.post(f"/organise/events/{event.public_id}/share/", {"who": "nobody"}).status_code == 422


def test_same_file_again_leads_to_its_sheet(client, event, players):
    first, again = paste(client, event), paste(client, event)
    assert (again.url, Sheet.objects.count()) == (first.url, 1)
    assert "You gave this very file before" in client.get(again.url).content.decode()


def test_customs_that_are_broken_are_told_and_stop_nothing(client, event, players, fesa):
    RatingList.objects.update(announced_before=14, results_within=14, least_time="30+30 20+40")
    Event.objects.update(time_control="15min + 10sec")
    response = client.get(f"/organise/events/{event.public_id}/")
    assert response.context["customs"] == [
        "FESA: not announced 14 days before",
        "FESA: the results did not come within 14 days",
        "FESA: the time control is below 30+30 and 20+40",
    ]
    mended(client, event)
    assert act(client, event, "submit").status_code == 302


def test_trusted_organisers_clean_event_goes_through_by_itself(client, event, players, fesa, organiser):
    fesa.trusted.add(organiser)
    paste(client, event, CLEAN)
    act(client, event, "submit")
    assert Event.objects.get().state == "accepted"
    assert list(event.steps.values_list("what", flat=True)) == ["submitted", "accepted"]


def test_trusted_organisers_event_with_a_warning_waits(client, event, players, fesa, organiser):
    fesa.trusted.add(organiser)
    paste(client, event, CLEAN.replace("[1- 3+] 1", "[1- 3+] 2"))
    sheet = event.sheets.get()
    (warning,) = client.get(f"/organise/sheets/{sheet.pk}/").context["checked"].warnings
    assert warning.message == "points 2, but MacMahon and results give 1"
    save(client, sheet, **{f"confirm-{warning.key}": "a slip of the pen"})
    act(client, event, "submit")
    assert Event.objects.get().state == "submitted"


def test_page_of_an_event_offers_what_can_be_done_now(client, event, players, officer):
    def offered():
        response = client.get(f"/organise/events/{event.public_id}/")
        return [response.context[name] for name in ("may_give", "may_submit", "waiting")]

    assert offered() == [True, False, False]
    mended(client, event)
    assert offered() == [True, True, False]
    act(client, event, "submit")
    assert offered() == [False, False, True]
    client.force_login(officer)
    assert offered() == [False, False, True]
    act(client, event, "accept")
    assert offered() == [True, False, False]
    assert act(client, event, "accept").status_code == 422  # twice


def test_queue_shows_warnings_with_their_words_and_a_preview(client, event, players, officer):
    paste(client, event, CLEAN.replace("[1- 3+] 1", "[1- 3+] 2"))
    sheet = event.sheets.get()
    (warning,) = client.get(f"/organise/sheets/{sheet.pk}/").context["checked"].warnings
    save(client, sheet, **{f"confirm-{warning.key}": "a slip"})
    act(client, event, "submit")
    client.force_login(officer)
    page = client.get("/organise/queue/", {"preview": event.public_id})
    sheet.refresh_from_db()
    assert sheet.warnings == [[2, None, "points 2, but MacMahon and results give 1", "a slip"]]
    assert "row 2: points 2, but MacMahon and results give 1 – “a slip”" in page.content.decode()
    assert {m.player.family_name for m in page.context["previews"][0].moved} == {"Adler", "Bauer", "Čapek"}
    assert client.get("/organise/queue/?preview=NOBODY").status_code == 200


@pytest.mark.parametrize("count", [1, 50])
def test_queue_takes_as_many_queries_for_many_events_as_for_one(count, client, officer, fesa):
    for _ in range(count):
        waiting = make_event(lists=[fesa], state=Event.State.SUBMITTED)
        Sheet.objects.create(event=waiting, first_day="2024-01-06", last_day="2024-01-06", state="submitted")
        EventStep.objects.create(event=waiting, what="submitted")
    client.force_login(officer)
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get("/organise/queue/").context["waiting"]) == count
    assert len(queries) == 18
