"""Officers comment on cells and rows of results; organisers see the comments and settle them."""

import pytest

from ratings.domain.players.erasing import erase_person
from ratings.domain.site.outbox import deliver_outbox
from ratings.models import Submission, SubmissionComment
from ratings.queries.results.workflow import returned_note
from tests.markup import markup

from .way import CLEAN, act, paste, person, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(client, event, players, officer):
    """A waiting submission, and the officer who is logged in."""
    paste(client, event, CLEAN)
    act(client, event, "submit")
    client.force_login(officer)
    return event.submissions.get()


def comment_on(client, submission, row, round_, text, **more):
    data = {"comment-row": str(row), "comment-round": str(round_), "comment-text": text}
    return save(client, submission, waiting="1", version=str(submission.version), **data, **more)


def press(client, submission, step, comment):
    data = {"comment-do": f"{step}:{comment.pk}", "version": str(submission.version)}
    return client.post(submission.get_absolute_url(), data)


def placed(comments):
    return [(shown.place, shown.comment.text, [label for _, label in shown.buttons]) for shown in comments]


def test_organiser_sees_comments_beside_cell_and_row_and_settles_them(client, waiting, organiser):
    version = waiting.version
    assert comment_on(client, waiting, 1, 2, "Who was ill?").status_code == 200
    page = comment_on(client, waiting, 3, "", "Capek or Čapek?")
    assert waiting.version == version
    assert placed(page.context["comments"]) == [
        ("Adler Zoë, round 2", "Who was ill?", ["Settled", "Withdraw the comment"]),
        ("Capek Jan", "Capek or Čapek?", ["Settled", "Withdraw the comment"]),
    ]
    cell, row = waiting.comments.all()
    act(client, waiting.event, "return")
    client.force_login(organiser)
    page = client.get(waiting.get_absolute_url())
    assert [labels for _, _, labels in placed(page.context["comments"])] == [["Settled"], ["Settled"]]
    assert [[shown.comment.text for shown in line["comments"]] for line in page.context["lines"]] == [
        ["Who was ill?"], [], ["Capek or Čapek?"],
    ]  # fmt: skip
    text = markup(page)
    assert f'aria-label="Row 1, round 2" aria-describedby="comment-{cell.pk}"' in text
    assert f'aria-label="Last name, row 3" maxlength="100" aria-describedby="comment-{row.pk}"' in text
    assert 'name="comment-text"' not in text
    waiting.refresh_from_db()
    page = save(
        client, waiting, version=str(waiting.version), **{"comment-do": f"settle:{cell.pk}", "row-1-country": "BE"}
    )
    cell.refresh_from_db()
    assert (cell.settled_by, waiting.content["rows"][0]["country"]) == (organiser, "BE")
    assert [shown.comment for shown in page.context["closed_comments"]] == [cell]
    press(client, waiting, "reopen", cell)
    cell.refresh_from_db()
    assert (cell.settled_at, cell.settled_by) == (None, None)


def test_comment_is_withdrawn_and_restored_by_its_author_only(client, waiting):
    comment_on(client, waiting, 1, 1, "Who won?")
    comment = waiting.comments.get()
    page = press(client, waiting, "withdraw", comment)
    assert placed(page.context["closed_comments"]) == [("Adler Zoë, round 1", "Who won?", ["Restore the comment"])]
    assert "withdrawn" in markup(page)
    press(client, waiting, "restore", comment)
    client.force_login(person("second", "Rating officers"))
    response = press(client, waiting, "withdraw", comment)
    assert (response.status_code, response.context["problems"]) == (
        422,
        ["Only the author can withdraw or restore a comment: mark it as settled instead."],
    )
    comment.refresh_from_db()
    assert comment.withdrawn_at is None


def test_organiser_settles_a_comment_while_the_results_wait(client, waiting, organiser):
    comment_on(client, waiting, 1, 1, "Who won?")
    client.force_login(organiser)
    assert press(client, waiting, "settle", waiting.comments.get()).status_code == 200
    assert waiting.comments.get().settled_by == organiser


@pytest.mark.parametrize(
    ("row", "round_", "text", "problem"),
    [
        ("", "", "Who?", "Choose a row from 1 to 3, and a round from 1 to 2 or none."),
        ("4", "", "Who?", "Choose a row from 1 to 3, and a round from 1 to 2 or none."),
        ("1", "3", "Who?", "Choose a row from 1 to 3, and a round from 1 to 2 or none."),
        ("1", "x", "Who?", "Choose a row from 1 to 3, and a round from 1 to 2 or none."),
        ("1", "1", "x" * 1001, "Enter a comment of at most 1000 characters."),
    ],
)
def test_invalid_comment_stays_in_the_form(row, round_, text, problem, client, waiting):
    response = comment_on(client, waiting, row, round_, text, **{"row-1-country": "BE"})
    assert (response.status_code, response.context["problems"]) == (422, [problem])
    entry = response.context["comment"]
    assert (entry.row, entry.round, entry.text) == (row, round_, text)
    assert waiting.content["rows"][0]["country"] == "BE"  # the other entries are saved
    assert waiting.comments.count() == 0


def test_accepted_results_take_no_comment(client, waiting):
    Submission.objects.filter(pk=waiting.pk).update(state="accepted")
    page = client.get(waiting.get_absolute_url())
    assert (page.context["may_comment"], 'name="comment-text"' in markup(page)) == (False, False)
    assert comment_on(client, waiting, 1, 1, "Who won?").status_code == 409
    assert SubmissionComment.objects.count() == 0


@pytest.mark.parametrize("button", ["settle", "x:1", "settle:x"])
def test_unknown_button_of_a_comment_is_refused(button, client, waiting):
    response = client.post(waiting.get_absolute_url(), {"comment-do": button})
    assert (response.status_code, response.context["problems"]) == (422, ["Unknown button: reload the page."])


def test_missing_comments_and_those_of_other_results_are_not_found(client, waiting, event):
    other = Submission.objects.create(event=event, first_day=event.start, last_day=event.end)
    comment = SubmissionComment.objects.create(submission=other, row=1, text="x")
    assert press(client, waiting, "settle", comment).status_code == 404
    assert client.post(waiting.get_absolute_url(), {"comment-do": "settle:999999"}).status_code == 404


def test_organiser_and_stranger_cannot_comment(client, waiting, organiser):
    client.force_login(organiser)
    assert comment_on(client, waiting, 1, 1, "I won").status_code == 403
    act(client, waiting.event, "withdraw")
    data = {"comment-row": "1", "comment-text": "I won"}
    assert save(client, waiting, **data).status_code == 403
    client.force_login(person("stranger", ""))
    assert comment_on(client, waiting, 1, 1, "I won").status_code == 403
    assert SubmissionComment.objects.count() == 0


def test_return_needs_no_note_with_comments_and_its_mail_lists_them(client, waiting, organiser, mailoutbox):
    event = waiting.event
    assert act(client, event, "return").context["problems"] == ["Enter the changes that the organisers should make."]
    comment_on(client, waiting, 1, 2, "Who was ill?")
    comment_on(client, waiting, 2, 1, "Withdrawn")
    press(client, waiting, "withdraw", waiting.comments.get(row=2))
    assert client.get(f"/organise/events/{event.public_id}/").context["comments"] == 1
    deliver_outbox()
    mailoutbox.clear()
    assert act(client, event, "return").status_code == 302
    deliver_outbox()
    mail = mailoutbox[0]
    assert (
        "see the comments on the results\n\nComments on the results:\nAdler Zoë, round 2: Who was ill?\n" in mail.body
    )
    assert "Withdrawn" not in mail.body
    assert returned_note(event) == "see the comments on the results"
    client.force_login(organiser)
    assert "see the comments on the results" in markup(client.get(f"/organise/events/{event.public_id}/"))


def test_comments_stay_with_the_draft_of_a_newer_file(client, waiting, organiser):
    comment_on(client, waiting, 1, 2, "Who was ill?")
    act(client, waiting.event, "return")
    client.force_login(organiser)
    paste(client, waiting.event, CLEAN.replace("[2+ 0+] 2", "[2- 0+] 1").replace("[1- 3+] 1", "[1+ 3+] 2"))
    newer = waiting.event.submissions.get(state="working")
    page = client.get(newer.get_absolute_url())
    assert [(shown.place, shown.field_id) for shown in page.context["comments"]] == [("Adler Zoë, round 2", "")]
    assert "in the replaced draft" in markup(page)
    press(client, newer, "settle", waiting.comments.get())
    assert waiting.comments.get().settled_by == organiser


def test_erasing_a_person_removes_the_name_from_comments_and_changes(client, waiting, players):
    comment_on(client, waiting, 1, 2, "Was Zoë Adler ill?", **{"row-1-family": "Adlar", "row-1-player": "A2"})
    erase_person(players[0], reason="letter")
    assert waiting.comments.get().text == "Was Player A2 ill?"
    edits = client.get(waiting.get_absolute_url()).context["edits"]
    assert edits
    assert "Adl" not in str([str(line) for _, lines in edits for line in lines])
