"""The page of an event for its organisers: the five steps, what happens next, and one filled button."""

import datetime as dt
import re

import pytest
from django.utils import timezone

from ratings.models import Event, Submission

from .way import CLEAN, act, paste, save

pytestmark = pytest.mark.django_db
FILLED = re.compile(r'<(?:button|a\s+class="button)(?![^>]*\b(?:outline|quiet|hidden)\b)[^>]*>\s*([^<]*?)\s*<')
"""The labels of filled buttons."""


def open_page(client, event):
    """Return the page of an event as (steps, keys of what happens next, labels of its filled buttons)."""
    page = client.get(f"/organise/events/{event.public_id}/")
    progress = page.context["progress"]
    main = page.text.partition("<main")[2].partition("</main>")[0]
    steps = [(step.key, step.state, step.note) for step in progress.steps]
    marked = re.findall(r'aria-current="step"', main)
    assert len(marked) == (1 if progress.current else 0)
    return steps, progress.next_steps, FILLED.findall(main)


def test_event_that_is_not_announced_begins_with_the_announcement(client, event, players):
    day = timezone.localdate() + dt.timedelta(20)
    Event.objects.filter(pk=event.pk).update(start=day, end=day, announced_at=None)
    assert open_page(client, event) == (
        [
            ("announce", "here", "not in the calendar"),
            ("results", "todo", "a file, or typed"),
            ("check", "todo", "errors and questions"),
            ("preview", "todo", "what the ratings will do"),
            ("submit", "todo", "an officer accepts it"),
        ],
        ["announce", "results", "check", "submit", "accept", "publish"],
        ["Add to the public calendar"],
    )
    act(client, event, "announce")
    steps, next_steps, filled = open_page(client, event)
    today = timezone.localdate()
    assert steps[:2] == [
        ("announce", "done", f"in the calendar since {today.day} {today:%b %Y}"),
        ("results", "here", "a file, or typed"),
    ]
    assert (next_steps[0], filled) == ("results", ["Read the file"])


def test_event_that_is_played_today_leads_to_the_hall(client, event, players):
    Event.objects.filter(pk=event.pk).update(start=timezone.localdate(), end=timezone.localdate())
    assert open_page(client, event)[2] == ["Start in the hall"]


def test_draft_with_problems_is_checked_first(client, event, players):
    paste(client, event, CLEAN.replace("2 [Bauer][Max] DE [1-", "2 [Bauer][Max] DE [1+"))
    steps, next_steps, filled = open_page(client, event)
    assert [state for _key, state, _note in steps] == ["todo", "done", "here", "todo", "todo"]
    assert steps[1:3] == [("results", "done", "3 players, 2 rounds"), ("check", "here", "1 error, 1 question")]
    assert (next_steps, filled) == (["check", "submit", "accept", "publish"], ["Check"])
    (line,) = client.get(f"/organise/events/{event.public_id}/").context["progress"].drafts
    assert (line.button, line.address) == ("Check", line.submission.get_absolute_url())


def test_draft_with_open_names_leads_to_the_names(client, event):
    paste(client, event, CLEAN)
    (line,) = client.get(f"/organise/events/{event.public_id}/").context["progress"].drafts
    assert (line.tags, line.button) == ([("3 names to check", "warn")], "Check names")


def test_empty_crosstable_is_still_to_be_filled_in(client, event):
    client.post(f"/organise/events/{event.public_id}/results/", {"blank": "1", "players": "2", "rounds": "1"})
    steps, next_steps, _filled = open_page(client, event)
    assert (steps[1], next_steps[0]) == (("results", "here", "entered"), "results")


def test_clean_draft_is_submitted_then_accepted(client, event, players, officer):
    paste(client, event, CLEAN)
    steps, next_steps, filled = open_page(client, event)
    assert [state for _key, state, _note in steps] == ["todo", "done", "done", "todo", "here"]
    assert (next_steps, filled) == (["submit", "accept", "publish"], ["Submit to the rating officers"])
    preview = client.post(f"/organise/events/{event.public_id}/preview/")
    assert [(step.key, step.state) for step in preview.context["progress"].steps[2:]] == [
        ("check", "done"), ("preview", "here"), ("submit", "todo")
    ]  # fmt: skip
    assert FILLED.findall(preview.text.partition("<main")[2].partition("</main>")[0]) == [
        "Submit to the rating officers"
    ]
    act(client, event, "submit")
    steps, next_steps, filled = open_page(client, event)
    assert steps[1:] == [
        ("results", "done", "3 players, 2 rounds"),
        ("check", "done", "no problems found"),
        ("preview", "done", "what the ratings will do"),
        ("submit", "here", "waiting for less than a minute"),
    ]
    assert (next_steps, filled) == (["accept", "publish"], [])
    client.force_login(officer)
    assert open_page(client, event)[2] == ["Accept"]
    act(client, event, "accept")
    steps, next_steps, filled = open_page(client, event)
    assert ([state for _key, state, _note in steps[1:]], filled) == (["done"] * 4, [])


def test_draft_changed_without_a_check_is_not_called_ready(client, event, players):
    paste(client, event, CLEAN)
    Submission.objects.update(checked_version=None)
    steps, _next_steps, _filled = open_page(client, event)
    assert steps[2] == ("check", "here", "not checked yet")


def test_void_event_has_no_steps(client, event, players):
    Event.objects.filter(pk=event.pk).update(state=Event.State.VOID)
    assert open_page(client, event) == ([], [], [])


def test_pasted_text_that_cannot_be_read_stays_in_the_form(client, event):
    text = "1 <b>no results</b>"
    response = paste(client, event, text)
    assert (response.status_code, response.context["upload"]["text"].value()) == (422, text)
    assert '<details class="pasted" open>' in response.text
    assert "1 &lt;b&gt;no results&lt;/b&gt;</textarea>" in response.text


CSV = """Nr,Name,Country,1,2,3
1,Vermenich Zinoviy,UA,2+,3-,4+
2,Lamb Tristan,FR,1+,4x,3+
3,Kott Michael,DE,9-,1+,2-
4,Ono Yuki,JP,0-,0-,1-
"""
"""Four full names in one column, a contradiction, a text that is no result, and an opponent without a row."""


def read_counts(client, event):
    """Return the counts of a draft on the results page, in the steps there and of the event, and on My events."""
    sheet = client.get(event.submissions.get().get_absolute_url())
    own = client.get("/organise/").context["rows"]
    return [
        sheet.context["open_points"],
        next(step.note for step in sheet.context["progress"].steps if step.key == "check"),
        next(note for key, _state, note in open_page(client, event)[0] if key == "check"),
        *(row.standing for row in own if row.line.event == event),
    ]


def count_errors(page):
    return [(section.title, section.count) for section in page.context["sections"] if section.level == "error"]


def test_errors_are_counted_alike_on_all_pages_and_apart_from_names(client, event, players):
    paste(client, event, CSV)
    submission = event.submissions.get()
    page = client.get(submission.get_absolute_url())
    assert count_errors(page) == [("Names", 4), ("Errors", 3)]
    assert read_counts(client, event) == ["4 names to check, 3 errors"] * 4
    page = save(client, submission, **{"row-2-player": "B2"})
    assert count_errors(page) == [("Names", 3), ("Errors", 3)]
    assert read_counts(client, event) == ["3 names to check, 3 errors"] * 4
    assert "3 names to check, 3 errors" in page.text
