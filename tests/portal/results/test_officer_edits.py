"""Officers change waiting results on the results page: a version, its step with undo, a mail, and conflicts."""

import datetime as dt
import re

import pytest
import time_machine
from django.utils import timezone

from ratings.domain.results.accepting import find_list_requiring_other_person
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import deliver_outbox
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, EventStep, Submission
from ratings.queries.results.workflow import page_version
from tests.markup import markup

from .way import CLEAN, accepted, act, make_waiting_event, paste, person, save

pytestmark = pytest.mark.django_db
DRAW = {"row-1-round-1": "2=", "row-2-round-1": "1="}
UNSAVED = "Your entries are not saved: these results are {}. You still see your entries below."


@pytest.fixture
def waiting(client, event, players, officer):
    """A waiting submission, and the officer who is logged in."""
    paste(client, event, CLEAN)
    assert act(client, event, "submit").status_code == 302
    client.force_login(officer)
    return event.submissions.get()


def edit(client, submission, **more):
    return save(client, submission, waiting="1", version=str(submission.version), **more)


def cells(submission):
    submission.refresh_from_db()
    return [row.cells for row in content_from_json(submission.content).rows]


def edits_of(response):
    return [(str(step.by), list(map(str, lines))) for step, lines in response.context["edits"]]


def undo(client, step):
    data = {"shown_version": page_version(step.event)}
    return client.post(f"/organise/events/{step.event.public_id}/history/{step.pk}/undo/", data, follow=True)


def test_officer_changes_cells_and_names_of_waiting_results(client, waiting, organiser):
    page = client.get(waiting.get_absolute_url())
    assert (page.context["editable"], page.context["reviewing"]) == (True, True)
    assert '<input type="hidden" name="waiting" value="1">' in markup(page)
    response = edit(client, waiting, **DRAW, **{"row-3-given": "Honza"})
    assert response.status_code == 200
    assert (waiting.state, waiting.changed_by.username) == ("submitted", "officer")
    assert cells(waiting) == [["2=", "0+"], ["1=", "3+"], ["0-", "2-"]]
    changes = ["Capek Honza, name: Capek Jan → Capek Honza",
               "Round 1: Adler Zoë: 2+ (Bauer Max) → 2= (Bauer Max)"]  # fmt: skip
    assert edits_of(response) == [("officer", changes)]
    history = markup(client.get(f"/organise/events/{waiting.event.public_id}/history/"))
    assert "<del>Capek Jan</del> → <ins>Capek Honza</ins>" in history
    client.force_login(organiser)
    page = client.get(waiting.get_absolute_url())
    assert (edits_of(page), page.context["editable"], page.context["undoable"]) == ([("officer", changes)], False, None)


def test_page_shows_the_findings_of_the_changed_results(client, waiting):
    response = edit(client, waiting, **{"row-2-round-1": "1+"})
    assert [(f.row, f.round, str(f.message)) for f in response.context["checked"].errors] == [
        (1, 1, "Adler Zoë and Bauer Max both won")
    ]
    assert act(client, waiting.event, "accept").status_code == 422
    fixed = edit(client, waiting, fix="loss:1:1:2")
    assert fixed.context["checked"].errors == []
    assert cells(waiting)[:2] == [["2-", "0+"], ["1+", "3+"]]


def test_warnings_of_changed_results_are_stored_with_their_answers(client, waiting):
    response = edit(client, waiting, **{"row-2-round-2": "0+", "row-3-round-2": "0-"})
    keys = {f"confirm-{finding.key}": "it was so" for finding in response.context["checked"].warnings}
    assert keys
    assert {warning[3] for warning in waiting.warnings} == {""}
    edit(client, waiting, **keys)
    assert {warning[3] for warning in waiting.warnings} == {"it was so"}


def test_page_without_changes_is_no_version(client, waiting):
    version = waiting.version
    assert edit(client, waiting).context["edits"] == []
    assert (waiting.version, waiting.event.steps.filter(what="edited").count()) == (version, 0)


def test_change_of_an_officer_can_be_undone_and_the_undo_too(client, waiting):
    before = cells(waiting)
    edit(client, waiting, **DRAW)
    step = EventStep.objects.get(what="edited")
    assert client.get(waiting.get_absolute_url()).context["undoable"] == step
    response = undo(client, step)
    assert [str(message) for message in response.context["messages"]] == [
        "Undone: results changed by an officer. You can undo this as well."
    ]
    assert cells(waiting) == before
    assert undo(client, step).context["problems"] == ["These results were changed again since: undo that change first."]
    undo(client, EventStep.objects.filter(what="edited").latest("pk"))
    assert cells(waiting)[:2] == [["2=", "0+"], ["1=", "3+"]]


def test_change_cannot_be_undone_when_the_results_no_longer_wait(client, waiting):
    edit(client, waiting, **DRAW)
    act(client, waiting.event, "return", note="Round 2?")
    response = undo(client, EventStep.objects.get(what="edited"))
    assert response.context["problems"] == ["These results no longer wait for an officer."]


def test_outdated_change_is_refused_and_stays_in_the_form(client, waiting):
    version = waiting.version
    edit(client, waiting, **DRAW)
    client.force_login(person("second", "Rating officers"))
    other = {"row-1-round-1": "2-", "row-2-round-1": "1+", "version": str(version), "waiting": "1"}
    response = save(client, waiting, **other, **{"comment-row": "1", "comment-text": "Really?"})
    assert response.status_code == 409
    assert response.context["problems"] == [
        "These results were changed meanwhile by officer; your entries are not saved."
    ]
    assert [(each.old, each.new) for each in response.context["conflicts"]] == [("½–½", "0–1")]
    assert 'name="row-1-round-1" value="2-"' in markup(response)
    assert (response.context["comment"].text, waiting.comments.count()) == ("Really?", 0)
    assert cells(waiting)[0] == ["2=", "0+"]


@pytest.mark.parametrize(
    ("what", "state"), [("withdraw", "being entered"), ("return", "returned"), ("accept", "accepted")]
)
def test_change_is_refused_when_the_results_no_longer_wait(what, state, client, waiting):
    before = cells(waiting)
    act(client, waiting.event, what, note="Round 1?")
    response = edit(client, waiting, **DRAW)
    assert (response.status_code, response.context["problems"]) == (409, [UNSAVED.format(state)])
    assert 'name="row-1-round-1" value="2="' in markup(response)
    assert cells(waiting) == before


def test_organisers_page_that_was_submitted_meanwhile_is_refused(client, waiting):
    before = cells(waiting)
    response = save(client, waiting, **DRAW)
    assert (response.status_code, response.context["problems"]) == (403, [UNSAVED.format("submitted")])
    assert cells(waiting) == before


def test_organiser_cannot_change_waiting_results(client, waiting, organiser):
    client.force_login(organiser)
    assert edit(client, waiting, **DRAW).status_code == 403
    assert EventStep.objects.filter(what="edited").count() == 0


def test_changes_in_five_minutes_are_one_mail(client, waiting, mailoutbox):
    deliver_outbox()
    mailoutbox.clear()
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        edit(client, waiting, **{"row-2-round-1": "1+"})
    with time_machine.travel(start + dt.timedelta(minutes=2), tick=False):
        edit(client, waiting, fix="loss:1:1:2")
        deliver_outbox()
    assert mailoutbox == []
    with time_machine.travel(start + dt.timedelta(minutes=8)):
        deliver_outbox()
        edit(client, waiting, **{"row-3-country": "SK"})
    with time_machine.travel(start + dt.timedelta(minutes=20)):
        deliver_outbox()
    first, second = mailoutbox
    assert (first.to, first.subject) == (["organiser@example.org"], "Autumn Cup: results changed by an officer")
    for text in ("Autumn Cup, 4 May 2024", "Lists: FESA", "Results changed by an officer by officer",
                 "Round 1: Adler Zoë: 2+ (Bauer Max) → 2- (Bauer Max)\n\nYou need not do anything.",
                 f"/organise/sheets/{waiting.pk}/"):  # fmt: skip
        assert text in first.body
    assert "Capek Jan, nationality: CZ → SK\n" in second.body
    assert "Round 1" not in second.body


def test_change_that_is_undone_at_once_is_not_mailed(client, waiting, mailoutbox):
    deliver_outbox()
    mailoutbox.clear()
    edit(client, waiting, **DRAW)
    undo(client, EventStep.objects.get(what="edited"))
    with time_machine.travel(timezone.now() + dt.timedelta(minutes=6)):
        deliver_outbox()
    assert mailoutbox == []


def test_summary_is_computed_again_after_a_change(client, waiting):
    step = waiting.event.steps.get(what="submitted")
    EventStep.objects.filter(pk=step.pk).update(data={"summary": {"players": 99}})
    edit(client, waiting, **DRAW)
    step.refresh_from_db()
    assert step.data.get("summary", {}).get("players") != 99


def test_officer_who_changed_a_correction_does_not_count_as_the_second_person(client, event, players, officer, fesa):
    table = accepted(client, event, officer)
    client.force_login(event.created_by)
    client.post(f"/organise/tables/{table.pk}/correct/")
    correction = Submission.objects.get(table=table, state="working")
    save(client, correction, reason="one result was swapped", **{"row-1-round-1": "2-", "row-2-round-1": "1+"})
    act(client, event, "submit")
    client.force_login(officer)
    correction.refresh_from_db()
    edit(client, correction, **DRAW)
    second, third = person("second", "Rating officers"), person("third", "Rating officers")
    client.force_login(second)
    correction.refresh_from_db()
    edit(client, correction, **{"row-1-round-1": "2+", "row-2-round-1": "1-"})
    type(fesa).objects.filter(pk=fesa.pk).update(four_eyes=True)
    stored = Event.objects.get(pk=event.pk)
    waiting = stored.submissions.filter(state="submitted")
    refused = {}
    for user in (officer, second, third):
        with act_as(user):
            refused[user.username] = find_list_requiring_other_person(stored, waiting) is not None
    assert refused == {"officer": True, "second": True, "third": False}


def test_returning_opens_the_next_event_with_the_undo(client, waiting, fesa):
    following = make_waiting_event("Winter Cup", fesa)
    response = act(client, waiting.event, "return", note="Round 1?")
    step = EventStep.objects.get(what="returned")
    assert response.url == f"/organise/events/{following.public_id}/?done={step.pk}"
    page = client.get(response.url)
    assert (page.context["event"], page.context["done"]["step"]) == (following, step)
    address = f"/organise/events/{waiting.event.public_id}/history/{step.pk}/undo/"
    assert f'action="{address}"' in markup(page)
    assert "Autumn Cup: Returned. The organisers receive an email." in markup(page)
    client.post(address, {"shown_version": page.context["done"]["version"]})
    waiting.refresh_from_db()
    assert waiting.state == "submitted"
    assert client.get(response.url).context["done"]["undo"] is False


@pytest.mark.parametrize("done", ["", "x", "0", "99999999999999999999"])
def test_address_without_an_own_step_shows_no_notice(done, client, waiting, organiser):
    page = client.get(f"/organise/events/{waiting.event.public_id}/?done={done}")
    assert (page.status_code, page.context["done"]) == (200, None)


def test_officer_changes_the_size_of_waiting_results(client, waiting, mailoutbox):
    deliver_outbox()
    mailoutbox.clear()
    page = edit(client, waiting, resize="1", rows="4", rounds="3")
    assert cells(waiting) == [["2+", "0+", ""], ["1-", "3+", ""], ["0-", "2-", ""], ["", "", ""]]
    assert edits_of(page) == [("officer", ["Rounds: 2 → 3", "Rows: 3 → 4"])]
    assert (waiting.state, page.context["undoable"]) == ("submitted", EventStep.objects.get(what="edited"))
    with time_machine.travel(timezone.now() + dt.timedelta(minutes=6)):
        deliver_outbox()
    assert [mail.to for mail in mailoutbox] == [["organiser@example.org"]]
    assert "Rounds: 2 → 3\nRows: 3 → 4\n" in mailoutbox[0].body
    undo(client, EventStep.objects.get(what="edited"))
    assert cells(waiting) == [["2+", "0+"], ["1-", "3+"], ["0-", "2-"]]


def test_officer_cannot_remove_rows_and_rounds_with_entries(client, waiting):
    before = cells(waiting)
    page = edit(client, waiting, resize="1", rows="2", rounds="1")
    assert (page.status_code, page.context["problems"]) == (422, [
        "Row 3 and round 2 still hold entries: clear them before you make the table smaller."])  # fmt: skip
    assert cells(waiting) == before


@pytest.mark.parametrize("path", ["", "people/"])
def test_page_of_waiting_results_belongs_to_the_queue(path, client, waiting, organiser):
    address = f"{waiting.get_absolute_url()}{path}"
    assert current_sections(client.get(address)) == ["Queue"]
    client.force_login(organiser)
    assert current_sections(client.get(address)) == ["My events"]


def test_page_of_a_waiting_event_belongs_to_the_queue(client, waiting, organiser):
    address = f"/organise/events/{waiting.event.public_id}/"
    assert current_sections(client.get(address)) == ["Queue"]
    act(client, waiting.event, "accept")
    assert current_sections(client.get(address)) == ["My events"]


def current_sections(page):
    """Return the marked link of the second row of the head, which is the first one of the page."""
    return re.findall(r'<a href="[^"]*"\s+aria-current="page">([^<]*)</a>', markup(page))[:1]
