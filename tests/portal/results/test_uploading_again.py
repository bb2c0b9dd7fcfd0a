"""Files that are uploaded again, files of another event, and results submitted twice."""

import pytest

from ratings.domain.results.submissions import create_submission
from ratings.domain.results.submitting import submit
from ratings.domain.site.acting import act_as
from ratings.formats.sheet_content import content_from_json
from ratings.models import EventStep, Submission
from tests.factories import make_event
from tests.markup import markup

from .way import CLEAN, GRID, accepted, act, list_findings, paste, save

pytestmark = pytest.mark.django_db


def test_newer_file_replaces_the_draft_and_keeps_its_choices(client, event, players):
    paste(client, event, GRID.replace("[Capek][Jan] CZ", "[Neu][Eva] CZ"))
    old = event.submissions.get()
    save(client, old, **{"row-3-player": "new"})
    response = paste(client, event, CLEAN.replace("[Capek][Jan] CZ", "[Neu][Eva] CZ"))
    new = event.submissions.exclude(pk=old.pk).get()
    old.refresh_from_db()
    assert response.url == new.get_absolute_url()
    assert (old.state, old.replaced_by, new.state) == ("deleted", new, "working")
    assert [row.new for row in content_from_json(new.content).rows] == [False, False, True]
    assert "Replaced the draft of" in markup(client.get(response.url))
    client.post(f"/organise/sheets/{old.pk}/restore/")
    assert list(Submission.objects.order_by("pk").values_list("state", flat=True)) == ["working", "deleted"]


def test_replacing_is_undone_on_the_time_line(client, event, players):
    paste(client, event, GRID)
    paste(client, event, CLEAN)
    step = EventStep.objects.get(what="replaced")
    assert client.post(f"/organise/events/{event.public_id}/history/{step.pk}/undo/").status_code == 302
    assert list(Submission.objects.order_by("pk").values_list("state", flat=True)) == ["working", "deleted"]


def test_file_of_other_players_is_a_table_of_its_own(client, event, players):
    paste(client, event, GRID)
    paste(client, event, GRID.replace("Adler", "Xx").replace("Bauer", "Yy").replace("Capek", "Zz"))
    assert list(Submission.objects.values_list("state", flat=True)) == ["working", "working"]


def test_corrected_file_of_an_accepted_event_is_a_correction(client, event, players, officer):
    table = accepted(client, event, officer)
    paste(client, event, CLEAN.replace("[2+ 0+] 2", "[2= 0+] 3/2").replace("[1- 3+] 1", "[1= 3+] 3/2"))
    submission = Submission.objects.get(state="working")
    assert submission.table == table
    response = client.get(submission.get_absolute_url())
    assert [(c.round, c.old, c.new) for c in response.context["changes"]] == [(1, "1–0", "½–½")]


def test_file_of_another_day_or_place_raises_a_question(client, event, players):
    event.place = "Paris"
    event.save()
    paste(client, event, CLEAN.replace("2024-05-04", "2024-05-03"))
    submission = event.submissions.get()
    warnings = [
        message
        for level, _, _, message in list_findings(client.get(submission.get_absolute_url()))
        if level == "warning"
    ]
    assert warnings == [
        "these results are from 2024-05-03, but the event is on 2024-05-04: correct one of them",
        "the file is from Lyon, but the event is in Paris: is it the right file?",
    ]
    assert act(client, event, "submit").status_code == 422
    pages = [client.get(submission.get_absolute_url(), headers={"Accept-Language": each}).text for each in ("en", "ja")]
    assert "from 3 May 2024, but the event is on 4 May 2024: correct one of them" in pages[0]
    assert ("2024年5月3日" in pages[1], "2024年5月4日" in pages[1], "～" in pages[1]) == (True, True, False)


def test_file_of_other_players_raises_a_question(client, event, players):
    paste(client, event, CLEAN)
    paste(client, event, CLEAN.replace("Adler", "Aigner").replace("Bauer", "Binder").replace("Capek", "Cek"))
    first, second = event.submissions.order_by("pk")
    message = "no player of this file is in the other results of this event: is it the right file?"
    raised = [
        ("warning", None, None, message) in list_findings(client.get(submission.get_absolute_url()))
        for submission in (first, second)
    ]
    assert raised == [False, True]
    assert act(client, event, "submit").status_code == 422


def test_file_with_a_player_of_the_event_raises_no_question(client, event, players):
    paste(client, event, CLEAN)
    paste(client, event, CLEAN.replace("Bauer", "Binder").replace("Capek", "Cek"))
    codes = [
        remark["message"]["code"] for submission in event.submissions.all() for remark in submission.content["remarks"]
    ]
    assert "submission.players_differ" not in codes


def test_same_games_submitted_twice_are_reported_at_the_check(client, event, players, fesa, organiser):
    other = make_event("Other Cup", "2024-05-04", [fesa], state="draft", created_by=organiser)
    paste(client, event, CLEAN)
    submit(event)
    paste(client, other, CLEAN)
    submission = other.submissions.get()
    message = "“Autumn Cup” (submitted) has the same games already: withdraw or delete one of the two"
    assert ("error", None, None, message) in list_findings(client.get(submission.get_absolute_url()))
    assert act(client, other, "submit").status_code == 422
    assert [f for f in list_findings(client.get(event.submissions.get().get_absolute_url())) if f[0] == "error"] == []


def test_stored_results_are_reported_beside_other_errors(client, event, players, fesa, organiser, officer):
    accepted(client, event, officer)
    client.force_login(organiser)
    other = make_event("Other Cup", "2024-05-04", [fesa], state="draft", created_by=organiser)
    first, days = event.submissions.get(), (other.start, other.end)
    with act_as(organiser):
        submission = create_submission(other, content_from_json(first.content), days=days)
    errors = [f for f in list_findings(save(client, submission, first_day="4 May")) if f[0] == "error"]
    assert errors == [
        ("error", None, None, "“4 May” is not a date; write year, month and day, for example 2026-03-07"),
        ("error", None, None, "“Autumn Cup” already has exactly these results"),
    ]
