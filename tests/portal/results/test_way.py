"""The way of a result: announced, given, submitted, returned, accepted."""

import datetime as dt
import re
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.access import ORGANISERS
from ratings.domain.runs.rerating import rerate
from ratings.models import (
    Change,
    Event,
    EventStep,
    Player,
    RatingList,
    Standing,
    Submission,
    Table,
)
from tests.factories import give_rating, make_event, make_list, make_table
from tests.markup import markup
from tests.versions import opened

from .way import CLEAN, act, enter_confirmed_results, make_waiting_event, paste, person, posted, save

pytestmark = pytest.mark.django_db(transaction=True)


def test_organiser_announces_an_event(client, fesa, organiser):
    data = {"name": "Autumn Cup", "start": "2024-05-04", "end": "2024-05-04", "mode": "board", "lists": [fesa.pk]}
    response = client.post("/organise/events/new/", data | {"announce": "1"})
    event = Event.objects.get()
    assert (response.status_code, response.url) == (302, f"/organise/events/{event.public_id}/")
    assert (event.created_by, event.state, event.announced_at is not None) == (organiser, "draft", True)
    assert list(event.steps.values_list("what", "by")) == [("announced", organiser.pk)]


@pytest.mark.parametrize(
    ("typed", "days", "wrong"),
    [
        ({"start": "2024-05-04"}, [(dt.date(2024, 5, 4), dt.date(2024, 5, 4))], []),
        ({"start": "2024-05-04", "end": "2024-05-05"}, [(dt.date(2024, 5, 4), dt.date(2024, 5, 5))], []),
        ({"start": ""}, [], ["start"]),
        ({"start": "0001-01-01"}, [], ["start"]),
    ],
)
def test_event_without_a_last_day_ends_on_the_first(typed, days, wrong, client, fesa, organiser):
    data = {"name": "Autumn Cup", "mode": "board", "lists": [fesa.pk]} | typed
    response = client.post("/organise/events/new/", data)
    assert list(Event.objects.values_list("start", "end")) == days
    assert (list(response.context["form"].errors) if response.context else []) == wrong


def test_new_event_is_rated_on_the_only_list_unless_the_organiser_changes_it(client, fesa, organiser):
    ticked = re.compile(r'name="lists"[^>]*checked')
    assert len(ticked.findall(client.get("/organise/events/new/").text)) == 1
    make_list("other")
    assert ticked.findall(client.get("/organise/events/new/").text) == []


def test_same_form_sent_three_times_announces_one_event(client, fesa, organiser):
    token = client.get("/organise/events/new/").context["token"]
    data = {"name": "Autumn Cup", "start": "2024-05-04", "end": "2024-05-04", "mode": "board", "lists": [fesa.pk]}
    answers = [client.post("/organise/events/new/", data | {"token": token, "announce": "1"}) for _ in range(3)]
    event = Event.objects.get()
    assert [(answer.status_code, answer.url) for answer in answers] == [
        (302, f"/organise/events/{event.public_id}/")
    ] * 3
    assert list(event.steps.values_list("what", flat=True)) == ["announced"]


def test_form_with_errors_keeps_its_token(client, fesa, organiser):
    token = client.get("/organise/events/new/").context["token"]
    response = client.post("/organise/events/new/", {"token": token, "name": "Cup", "start": "32 May"})
    assert f'<input type="hidden" name="token" value="{token}">' in markup(response)
    assert not Event.objects.exists()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_event_in_an_impossible_year_is_refused(day, client, fesa, organiser):
    data = {"name": "Cup", "start": day, "end": day, "mode": "board", "lists": [fesa.pk]}
    response = client.post("/organise/events/new/", data)
    message = ["Enter a year from 1800 to 2199."]
    assert (response.status_code, response.context["form"].errors) == (200, {"start": message, "end": message})
    assert not Event.objects.exists()


def test_token_of_another_users_event_makes_an_event_of_its_own(client, fesa, organiser):
    theirs = make_event("Theirs", lists=[fesa], created_by=person("other", ORGANISERS), token=uuid4())
    data = {"name": "Mine", "start": "2024-05-04", "end": "2024-05-04", "mode": "board", "lists": [fesa.pk]}
    assert client.post("/organise/events/new/", data | {"token": theirs.token}).status_code == 302
    made = Event.objects.exclude(pk=theirs.pk).get()
    assert (made.name, made.created_by, made.token == theirs.token) == ("Mine", organiser, False)


def test_form_of_an_event_refuses_to_overwrite_a_later_change(client, event, organiser):
    fields = {
        "start": "2024-05-04",
        "end": "2024-05-04",
        "mode": "board",
        "lists": event.lists.values_list("pk", flat=True),
    }
    address = f"/organise/events/{event.public_id}/edit/"
    first, second = (fields | {"name": name} | opened(event) for name in ("Spring Cup", "Summer Cup"))
    assert client.post(address, first).status_code == 302
    response = client.post(address, second)
    assert response.status_code == 422
    assert "has been changed since you opened this form" in markup(response)
    assert 'value="Summer Cup"' in markup(response)
    assert Event.objects.get().name == "Spring Cup"
    again = second | {"opened_version": response.context["form"].data["opened_version"]}
    assert (client.post(address, again).status_code, Event.objects.get().name) == (302, "Summer Cup")


def test_results_are_submitted_returned_submitted_again_accepted_and_rated(client, event, players, officer):
    submission, response = enter_confirmed_results(client, event)
    assert response.context["checked"].ready
    assert act(client, event, "submit").status_code == 302
    assert (Event.objects.get().state, Change.objects.filter(games__gt=0).count()) == ("submitted", 0)
    assert client.post(f"/organise/sheets/{submission.pk}/", posted(submission)).status_code == 403  # locked
    client.force_login(officer)
    assert client.get("/organise/queue/").context["waiting"][0][:2] == (event, [])
    assert act(client, event, "return", note="").status_code == 422
    act(client, event, "return", note="Who was absent?")
    client.force_login(event.created_by)
    assert save(client, submission).status_code == 200
    act(client, event, "submit")
    client.force_login(officer)
    assert act(client, event, "accept").status_code == 302
    event.refresh_from_db()
    assert (event.state, RatingList.objects.get().out_of_date_from) == ("accepted", None)
    assert dict(Standing.objects.values_list("player__family_name", "rating")) == {
        "Adler": 2010.0, "Bauer": 2000.0, "Čapek": 1990.0
    }  # fmt: skip
    steps = ["read", "submitted", "returned", "submitted", "accepted"]
    assert list(event.steps.values_list("what", flat=True)) == steps
    assert [(m.to, m.subject) for m in mail.outbox] == [
        (["officer@example.org"], "Autumn Cup: submitted"), (["organiser@example.org"], "Autumn Cup: returned"),
        (["officer@example.org"], "Autumn Cup: submitted"), (["organiser@example.org"], "Autumn Cup: accepted"),
    ]  # fmt: skip
    assert "Who was absent?" in mail.outbox[1].body


def test_preview_shows_what_would_change_and_stores_nothing(client, event, players):
    submission, _ = enter_confirmed_results(client, event)
    response = client.post(f"/organise/events/{event.public_id}/preview/")
    (one,) = response.context["previews"]
    assert {(m.player.family_name, m.before, m.after) for m in one.moved} == {
        ("Adler", 2000, 2010), ("Bauer", 2000, 2000), ("Čapek", 2000, 1990)
    }  # fmt: skip
    submission.refresh_from_db()
    assert (submission.state, Event.objects.get().state, Table.objects.count()) == ("working", "draft", 0)
    assert (list(EventStep.objects.values_list("what", flat=True)), len(mail.outbox)) == (["read"], 0)


def test_preview_names_the_grade_in_force_beside_the_grade_that_waits(client, event, players, fesa):
    give_rating(fesa, Player.objects.get(public_id="A2"), 2439, day="2020-01-02", grade="4 Dan")
    rerate(fesa.pk)
    enter_confirmed_results(client, event)
    response = client.post(f"/organise/events/{event.public_id}/preview/")
    texts = " ".join(re.sub(r"<[^>]*>", " ", markup(response)).split())
    assert re.findall(r"Waiting for approval: [^.]*", texts) == ["Waiting for approval: Adler Zoë 4 Dan → 5 Dan"]


@pytest.mark.parametrize("address", ["events/NOBODY1/", "submissions/99999/", "uploads/99999/", "events/NOBODY1/edit/"])
def test_bad_ids_are_404(address, client, organiser):
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


def test_step_that_was_already_done_is_explained(client, event, players):
    enter_confirmed_results(client, event)
    (version,) = set(
        re.findall(r'name="shown_version" value="([^"]+)"', client.get(f"/organise/events/{event.public_id}/").text)
    )
    assert act(client, event, "submit", shown_version=version).status_code == 302
    response = act(client, event, "submit", shown_version=version)
    assert (response.status_code, "Last step: submitted, organiser" in response.text) == (422, True)


def test_shared_event_is_no_longer_shared(client, event, organiser):
    other, third = person("other", ORGANISERS), person("third", ORGANISERS)
    event.organisers.add(other, third)
    address = f"/organise/events/{event.public_id}/share/"
    page = client.post(address, {"remove": str(third.pk)}, follow=True)
    assert [str(message) for message in page.context["messages"]] == ["No longer shared with third."]
    assert client.post(address, {"remove": "x"}).status_code == 302  # an outdated page
    assert list(event.organisers.all()) == [other]
    client.force_login(third)
    assert client.post(address, {"remove": str(other.pk)}).status_code == 403
    client.force_login(other)
    assert client.post(address, {"remove": str(other.pk)}).url == "/organise/"
    assert not event.organisers.exists()


def test_same_file_again_leads_to_its_submission(client, event, players):
    first, again = paste(client, event), paste(client, event)
    assert (again.url, Submission.objects.count()) == (first.url, 1)
    assert "You uploaded this file before" in markup(client.get(again.url))


def test_unmet_event_requirements_are_reported_without_blocking(client, event, players, fesa):
    RatingList.objects.update(announced_before=14, results_within=14, least_time="30+30 20+40")
    Event.objects.update(time_control="15min + 10sec")
    response = client.get(f"/organise/events/{event.public_id}/")
    assert response.context["customs"] == [
        "FESA: the event was not announced 14 days in advance",
        "FESA: the results were not submitted within 14 days",
        "FESA: the time control is shorter than 30+30, 20+40",
    ]
    page = markup(response)
    assert '<a href="/rules/checks/#results-late">Results in time</a>' in page
    enter_confirmed_results(client, event)
    assert act(client, event, "submit").status_code == 302


def test_clean_event_of_a_trusted_organiser_is_accepted_automatically(client, event, players, fesa, organiser):
    fesa.trusted.add(organiser)
    paste(client, event, CLEAN)
    act(client, event, "submit")
    assert Event.objects.get().state == "accepted"
    assert list(event.steps.values_list("what", flat=True)) == ["read", "submitted", "accepted"]


def test_trusted_organisers_event_with_a_warning_waits(client, event, players, fesa, organiser):
    fesa.trusted.add(organiser)
    paste(client, event, CLEAN.replace("[1- 3+] 1", "[1- 3+] 2"))
    submission = event.submissions.get()
    (warning,) = client.get(f"/organise/sheets/{submission.pk}/").context["checked"].warnings
    assert warning.message == "points 2, but MacMahon and results give 1"
    save(client, submission, **{f"confirm-{warning.key}": "a slip of the pen"})
    act(client, event, "submit")
    assert Event.objects.get().state == "submitted"


def test_page_of_an_event_offers_what_can_be_done_now(client, event, players, officer):
    def offered():
        response = client.get(f"/organise/events/{event.public_id}/")
        return [response.context[name] for name in ("may_give", "may_submit", "waiting")]

    assert offered() == [True, False, False]
    enter_confirmed_results(client, event)
    assert offered() == [True, True, False]
    act(client, event, "submit")
    assert offered() == [False, False, True]
    client.force_login(officer)
    assert offered() == [False, False, True]
    act(client, event, "accept")
    assert offered() == [True, False, False]
    assert act(client, event, "accept").status_code == 422  # twice


def test_refused_acceptance_lists_warnings_that_came_after_the_submission(client, event, players, officer, fesa):
    paste(client, event, CLEAN)
    submission = event.submissions.get()
    act(client, event, "submit")
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-06-01")  # a later event was accepted first
    client.force_login(officer)
    response = act(client, event, "accept")
    assert (response.status_code, response.context["problems"]) == (422, [
        "Autumn Cup: fix the errors, and confirm each warning.",
        "not after the last rated event of Adler Zoë, Bauer Max; later tables are rated again",
        "An officer can fix them on the results page, or the organisers withdraw the submission.",
    ])  # fmt: skip
    act(client, event, "withdraw")
    (warning,) = client.get(f"/organise/sheets/{submission.pk}/").context["checked"].warnings
    submission.refresh_from_db()
    save(client, submission, **{f"confirm-{warning.key}": "it came late"})
    act(client, event, "submit")
    assert act(client, event, "accept").status_code == 302
    event.refresh_from_db()
    assert event.state == Event.State.ACCEPTED


def test_queue_shows_warnings_with_their_words_and_a_preview(client, event, players, officer):
    paste(client, event, CLEAN.replace("[1- 3+] 1", "[1- 3+] 2"))
    submission = event.submissions.get()
    (warning,) = client.get(f"/organise/sheets/{submission.pk}/").context["checked"].warnings
    save(client, submission, **{f"confirm-{warning.key}": "a slip"})
    act(client, event, "submit")
    client.force_login(officer)
    page = client.get("/organise/queue/", {"preview": event.public_id})
    submission.refresh_from_db()
    assert submission.confirmed_warnings == [(2, None, "points 2, but MacMahon and results give 1", "a slip")]
    assert submission.warnings[0][2]["code"] == "file.points_differ"
    assert "Bauer Max: points 2, but MacMahon and results give 1 – “a slip”" in markup(page)
    assert {m.player.family_name for m in page.context["previews"][0].moved} == {"Adler", "Bauer", "Čapek"}
    assert client.get("/organise/queue/?preview=NOBODY").status_code == 200


@pytest.mark.parametrize("count", [1, 50])
def test_queue_takes_as_many_queries_for_many_events_as_for_one(count, client, officer, fesa):
    for number in range(count):
        make_waiting_event(f"Cup {number}", fesa, [[None, None, "typed", "a slip"]])
    client.force_login(officer)
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get("/organise/queue/").context["waiting"]) == count
    assert len(queries) == 28  # two count possible duplicates, once in ten minutes


def test_note_of_a_late_return_stays_in_the_form(client, event, players, officer):
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    response = act(client, event, "return", note="Who was absent?")
    assert (response.status_code, Event.objects.get().state) == (422, "accepted")
    assert "Who was absent?" in response.text


def test_note_of_a_return_stands_above_the_results(client, event, players, officer):
    """Organisers' finding 26: the note stood at the foot of the page."""
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "return", note="Who was absent?")
    client.force_login(event.created_by)
    main = client.get(f"/organise/events/{event.public_id}/").text.partition("<main")[2]
    assert -1 < main.find("Who was absent?") < main.find('id="results"')


def test_event_that_was_just_submitted_waits_for_less_than_a_minute(client, event, players, officer):
    """Organisers' finding 25: “waiting for 0 minutes”."""
    enter_confirmed_results(client, event)
    act(client, event, "submit")
    client.force_login(officer)
    text = client.get("/organise/queue/").text
    assert ("waiting for less than a minute" in text, "0\xa0minutes" in text) == (True, False)


def test_upload_that_cannot_be_read_is_named(client, event):
    """Organisers' finding 25: “Nothing was read from –:”."""
    assert "No results could be read from pasted text:" in markup(paste(client, event, "Dear officers"))
    assert "Choose a file, or paste the text." in markup(paste(client, event, " "))


def test_link_to_change_an_event_is_a_verb_in_german(client, event):
    """Organisers' finding 20: the link said “Änderung”."""
    text = client.get(f"/organise/events/{event.public_id}/", headers={"accept-language": "de"}).text
    assert re.findall(rf'/organise/events/{event.public_id}/edit/"\s*>\s*([^<]*?)\s*<', text) == ["Angaben ändern"]
