"""Results that are corrected, and versions of them."""

import re

import pytest

from ratings.domain.results.step_changes import list_step_changes
from ratings.domain.results.table_versions import build_content_from_table, normalize_content
from ratings.formats.sheet_content import content_from_json
from ratings.models import (
    Correction,
    Event,
    Game,
    RatingList,
    Standing,
)
from tests.factories import make_event, make_table
from tests.markup import markup

from .way import accepted, act, list_findings, paste, posted, save

pytestmark = pytest.mark.django_db(transaction=True)


def test_organiser_proposes_a_correction_that_the_officer_accepts(client, event, players, officer):
    table = accepted(client, event, officer)
    client.force_login(event.created_by)
    response = client.post(f"/organise/tables/{table.pk}/correct/")
    submission = table.submissions.get(state="working")
    assert response.url == f"/organise/sheets/{submission.pk}/"
    assert content_from_json(submission.content).rows[0].cells == ["2+", "0+"]
    save(client, submission, **{"row-1-round-1": "2-", "row-2-round-1": "1+"})
    assert act(client, event, "submit").status_code == 422  # no reason yet
    response = save(client, submission, reason="The submission was read the wrong way")
    for finding in response.context["checked"].warnings:
        save(client, submission, **{f"confirm-{finding.key}": "yes"}, reason="The submission was read the wrong way")
    assert act(client, event, "submit").status_code == 302
    assert (Event.objects.get().state, Game.objects.filter(played=True).count()) == ("accepted", 2)
    assert act(client, event, "accept").status_code == 403
    client.force_login(officer)
    act(client, event, "accept")
    assert Standing.objects.get(player__family_name="Adler").rating == 1991  # 20 × 0.473 against 2019
    assert [s.reason for s in table.submissions.filter(state="accepted").order_by("pk")] == [
        "", "The submission was read the wrong way"
    ]  # fmt: skip
    assert (event.steps.last().what, event.steps.last().note) == ("corrected", "The submission was read the wrong way")
    first = table.submissions.filter(state="accepted").order_by("pk")[0]
    client.post(f"/organise/tables/{table.pk}/correct/", {"version": first.pk})
    assert content_from_json(table.submissions.get(state="working").content).rows[0].cells == ["2+", "0+"]


def test_same_event_twice_is_noticed_whatever_the_format(client, event, players, officer, fesa):
    accepted(client, event, officer)
    client.force_login(event.created_by)
    other = make_event("Other", "2024-05-04", [fesa], state=Event.State.DRAFT, created_by=event.created_by)
    csv = "Nr,Last name,First name,Country,1,2\n1,Bauer,Max,DE,3-,2+\n2,Čapek,Jan,CZ,0-,1-\n3,Adler,Zoë,FR,1+,0+\n"
    response = client.get(paste(client, other, csv).url)
    assert ("error", None, None, "“Autumn Cup” already has exactly these results") in list_findings(response)


def test_correction_of_a_past_result_is_reported_on_the_corrections_page(client, event, players, officer, fesa):
    table = accepted(client, event, officer)
    later = make_event("Later", "2024-06-01", [fesa])
    make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-06-01", event=later)
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = table.submissions.get(state="working")
    reason = "Wrong way round"
    response = save(client, submission, reason=reason, **{"row-2-round-2": "3-", "row-3-round-2": "2+"})
    for finding in response.context["checked"].warnings:
        save(client, submission, reason=reason, **{f"confirm-{finding.key}": "yes"})
    act(client, event, "submit")
    act(client, event, "accept")
    assert Correction.objects.filter(player=players[1]).exists()
    assert "Autumn Cup" in client.get("/lists/fesa/corrections/").content.decode()


def test_state_of_an_event_is_explained_in_words(client, event, players, officer):
    def get_status():
        return (
            client.get(f"/organise/events/{event.public_id}/").text.split('class="tag ')[1].split(">")[1].split("<")[0]
        )

    assert get_status() == "Draft"
    table = accepted(client, event, officer)
    assert get_status() == "Rated"
    RatingList.objects.update(out_of_date_from="2024-05-04")
    assert get_status() == "Being rated"
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = table.submissions.get(state="working")
    response = save(client, submission, reason="r", **{"row-2-round-2": "3-", "row-3-round-2": "2+"})
    assert [(c.round, c.names, c.old, c.new) for c in response.context["changes"]] == [
        (2, "Bauer Max – Čapek Jan", "1–0", "0–1")
    ]
    for finding in response.context["checked"].warnings:
        save(client, submission, reason="r", **{f"confirm-{finding.key}": "yes"})
    act(client, event, "submit")
    act(client, event, "accept")
    assert get_status() == "Rated, corrected"


def test_refused_deletion_of_a_table_gives_the_reason_back(client, event, players, officer):
    table = accepted(client, event, officer)
    client.post(f"/organise/tables/{table.pk}/correct/")
    response = client.post(f"/organise/tables/{table.pk}/delete/", {"reason": "entered twice"})
    assert (response.status_code, table.entries.count()) == (422, 3)
    assert 'value="entered twice"' in response.text


def test_versions_of_a_deleted_table_are_not_restored(client, event, players, officer):
    table = accepted(client, event, officer)
    address = f"/organise/tables/{table.pk}"
    assert client.post(f"{address}/delete/", {"reason": "twice"}).status_code == 302
    assert "Restore this version" not in client.get(f"/organise/events/{event.public_id}/").text
    for step in ("correct", "delete"):  # from pages opened before
        response = client.post(f"{address}/{step}/", {"reason": "twice"})
        assert (response.status_code, "This table was already deleted." in response.text) == (422, True)


CSV = """Nr,Last name,First name,Country,MM,1,2,3,Place
1,Adler,Zoë,,3.0,2+,3+,,1.
2,Bauer,Max,de,2,1-,0+,,2.
3,Capek,Jan,CZ,2.0,0-,1-,,3.
"""
"""A file in which the texts of many values differ from those that the table stores."""


def test_history_lists_only_what_a_person_corrected(client, event, players, officer, rate_all):
    def list_changed():
        steps = event.steps.filter(what="corrected").order_by("pk")
        return [[str(line) for line in list_step_changes(step)] for step in steps]

    def get_state():
        page = client.get(f"/organise/events/{event.public_id}/").text
        return page.split('class="tag ')[1].split(">")[1].split("<")[0]

    paste(client, event, CSV)
    first = event.submissions.get()
    page = save(client, first)
    for finding in page.context["checked"].warnings:
        page = save(client, first, **{f"confirm-{finding.key}": "it was so"})
    assert act(client, event, "submit").status_code == 302
    client.force_login(officer)
    act(client, event, "accept")
    table = event.tables.get()
    client.post(f"/organise/tables/{table.pk}/correct/")
    correction = table.submissions.get(state="working")
    changed = {"row-1-round-2": "3-", "row-3-round-2": "1+"}
    page = save(client, correction, reason="Score sheet", **changed)
    for finding in page.context["checked"].warnings:
        save(client, correction, reason="Score sheet", **{f"confirm-{finding.key}": "it was so"})
    act(client, event, "submit")
    act(client, event, "accept")
    rate_all()
    assert list_changed() == [["Round 2: Adler Zoë: 3+ (Čapek Jan) → 3- (Čapek Jan)"]]
    accepted_correction = client.get(f"/organise/sheets/{correction.pk}/").context["changes"]
    assert [(each.round, each.old, each.new) for each in accepted_correction] == [(2, "1–0", "0–1")]
    assert get_state() == "Rated, corrected"
    step = event.steps.get(what="corrected")
    client.post(f"/organise/events/{event.public_id}/history/{step.pk}/undo/")
    rate_all()
    assert list_changed()[1:] == [["Round 2: Adler Zoë: 3- (Capek Jan) → 3+ (Capek Jan)"]]
    assert get_state() == "Rated"
    step = event.steps.filter(what="corrected").last()
    client.post(f"/organise/events/{event.public_id}/history/{step.pk}/undo/")
    rate_all()
    assert list_changed()[2:] == [["Round 2: Adler Zoë: 3+ (Čapek Jan) → 3- (Čapek Jan)"]]
    assert get_state() == "Rated, corrected"


def test_accepted_results_are_compared_as_their_table_stores_them(client, event, players, officer):
    paste(client, event, CSV.replace("Capek", "Čapek"))
    first = event.submissions.get()
    page = save(client, first)
    for finding in page.context["checked"].warnings:
        page = save(client, first, **{f"confirm-{finding.key}": "it was so"})
    act(client, event, "submit")
    client.force_login(officer)
    act(client, event, "accept")
    first.refresh_from_db()
    stored = normalize_content(build_content_from_table(event.tables.get()))
    written = normalize_content(content_from_json(first.content))
    figures = [
        [(row.name, row.country, row.player, row.macmahon, row.place, row.cells) for row in content.rows]
        for content in (written, stored)
    ]
    assert figures[0] == figures[1]
    assert figures[0][0] == ("Adler Zoë", "", "A2", "3", "1", ["2+", "3+"])


def start_correction(client, event, officer):
    """Start a correction of accepted results as the officer, and return it."""
    table = accepted(client, event, officer)
    client.post(f"/organise/tables/{table.pk}/correct/")
    return table.submissions.get(state="working")


def list_errors(page):
    return [(each.field_id, str(each.message)) for each in page.context["checked"].errors]


NOT_CHANGED = ("sheet", "nothing differs from the accepted results yet: change what is wrong")
NO_REASON = ("id_reason", "enter the reason for the correction")


def test_correction_is_ready_only_with_a_change_and_a_reason(client, event, players, officer):
    correction = start_correction(client, event, officer)
    page = client.get(f"/organise/sheets/{correction.pk}/")
    assert (list_errors(page), "Ready to submit" in page.text) == ([NO_REASON, NOT_CHANGED], False)
    field = re.search(r'<label for="id_reason">(.*?)</label><input id="id_reason"(.*?)>', page.text, re.DOTALL)
    assert "(required)" in field[1]
    assert 'aria-required="true"' in field[2]
    assert 'aria-invalid="true"' in field[2]
    step = next(step for step in page.context["progress"].steps if step.key == "check")
    assert step.note == "2 errors"
    changed = {"row-2-round-2": "3-", "row-3-round-2": "2+"}
    page = save(client, correction, **changed)
    assert list_errors(page) == [NO_REASON]
    assert list_errors(save(client, correction, reason="Score sheet")) == []


def test_untouched_correction_with_a_reason_is_not_ready(client, event, players, officer):
    page = save(client, start_correction(client, event, officer), reason="Score sheet")
    assert list_errors(page) == [NOT_CHANGED]


def test_ratings_of_a_correction_are_previewed_without_a_reason(client, event, players, officer):
    correction = start_correction(client, event, officer)
    data = posted(correction, **{"row-2-round-2": "3-", "row-3-round-2": "2+"}) | {"preview": "1"}
    page = client.post(f"/organise/sheets/{correction.pk}/", data)
    assert [preview.problem for preview in page.context["previews"]] == [""]


def test_refused_submission_of_a_correction_leads_to_the_field_of_its_reason(client, event, players, officer):
    correction = start_correction(client, event, officer)
    page = save(client, correction, **{"row-2-round-2": "3-", "row-3-round-2": "2+"})
    for finding in page.context["checked"].warnings:
        save(client, correction, **{f"confirm-{finding.key}": "yes"})
    page = act(client, event, "submit")
    assert (page.status_code, f'href="/organise/sheets/{correction.pk}/#id_reason"' in page.text) == (422, True)
    assert "enter the reason for the correction" in page.text


def test_history_says_that_an_open_correction_prevents_the_undo(client, event, players, officer):
    correction = start_correction(client, event, officer)
    address = f"/organise/events/{event.public_id}/history/"
    text = "A correction of this event is open: withdraw or delete it first."
    assert text in markup(client.get(address))
    client.post(f"/organise/sheets/{correction.pk}/delete/")
    page, step = markup(client.get(address)), event.steps.get(what="accepted")
    assert (text in page, f"{address}{step.pk}/undo/" in page) == (False, True)
