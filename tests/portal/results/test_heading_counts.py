"""Counts beside the headings of the pages behind the desk, and how many queries these pages need.

Headings of forms and of steps have no count.
"""

import pytest
from django.utils import timezone

from ratings.domain.grades.proposals import submit
from ratings.domain.players.claims import answer_claim, create_claim
from ratings.domain.site.acting import act_as
from ratings.formats.sheet_content import SheetContent
from ratings.models import (
    Decision,
    EntryList,
    Event,
    EventEntry,
    Proposal,
    RatingList,
    RecordedStep,
    Submission,
    Upload,
)
from tests.factories import give_rating, make_player, make_table, make_user
from tests.markup import markup

from .way import read_headings

pytestmark = pytest.mark.django_db

MANY = pytest.mark.parametrize("count", [1, 3])


@MANY
def test_grades_to_be_announced_are_counted(count, client, officer, fesa, rate_all, django_assert_num_queries):
    RatingList.objects.update(options={"corrections": "kept"})
    fesa.refresh_from_db()
    opponent = make_player("Opponent")
    give_rating(fesa, opponent, 2000, grade="3 Dan")
    for number in range(count):
        player = make_player(f"Riser {number}")
        give_rating(fesa, player, 1799, grade="1 Kyu")
        make_table(fesa, [player, opponent], [(1, 1, 2, 1.0)], "2024-05-04", event_name=f"Cup {number}")
    rate_all()
    client.force_login(officer)
    with django_assert_num_queries(8):
        page = client.get("/organise/grades/")
    assert read_headings(page) == [f"Grades to be announced {count}", f"FESA {count}"]
    label = "Announce the selected grade" if count == 1 else f"Announce the selected grades ({count} waiting)"
    assert f"<span>{label}</span></button>" in markup(page).replace("<span> ", "<span>")


@MANY
def test_proposals_are_counted(count, client, officer, fesa, django_assert_num_queries):
    RatingList.objects.update(four_eyes=True)
    fesa.refresh_from_db()
    with act_as(officer):
        for number in range(count + 1):
            player = make_player(f"Player {number}")
            submit(Decision(list=fesa, player=player, grade="1 Kyu", ruling="given", date="2024-01-01", reason="r"))
    closed = Proposal.objects.latest("pk")
    Proposal.objects.filter(pk=closed.pk).update(state="withdrawn", closed_at=timezone.now(), closed_by=officer)
    client.force_login(officer)
    with django_assert_num_queries(7):
        page = client.get("/organise/proposals/")
    headings = read_headings(page)
    assert (headings[0], headings[-1], len(headings)) == (
        f"Waiting for a second person {count}", "Confirmed or withdrawn 1", count + 2,
    )  # fmt: skip


@MANY
def test_claims_are_counted(count, client, officer, django_assert_num_queries):
    for number in range(count + 1):
        claim = create_claim(make_player(f"Player {number}"), make_user(f"user{number}"), "me")
    with act_as(officer):
        answer_claim(claim, granted=True)
    client.force_login(officer)
    with django_assert_num_queries(13):
        page = client.get("/organise/claims/")
    headings = read_headings(page)
    assert (headings[0], headings[-1], len(headings)) == (f"Claimed pages {count}", "Answered 1", count + 2)


@MANY
def test_requests_for_erasure_are_counted(count, client, officer, django_assert_num_queries):
    for number in range(count):
        RecordedStep.objects.create(what="erasure requested", player=make_player(f"Player {number}"), values={})
    client.force_login(officer)
    with django_assert_num_queries(6):
        page = client.get("/organise/erasures/")
    assert read_headings(page)[0] == f"Requests for erasure {count}"


def test_empty_pages_show_zero(client, officer, fesa):
    client.force_login(officer)
    counts = {
        address: read_headings(client.get(f"/organise/{address}/"))
        for address in ("grades", "proposals", "claims", "erasures")
    }
    assert counts == {
        "grades": ["Grades to be announced 0", "FESA 0"],
        "proposals": ["Waiting for a second person 0"],
        "claims": ["Claimed pages 0"],
        "erasures": ["Requests for erasure 0"],
    }
    assert '<span class="count none">0</span>' in markup(client.get("/organise/claims/"))


@MANY
def test_entries_are_counted(count, client, event, django_assert_num_queries):
    EntryList.objects.create(event=event, limit=count)
    for number, state in enumerate(["asked", "confirmed", "waiting", "refused"] * count):
        EventEntry.objects.create(event=event, player=make_player(f"Player {number}"), state=state)
    with django_assert_num_queries(11):
        page = client.get(f"/organise/events/{event.public_id}/entries/")
    assert read_headings(page) == [
        f"To confirm {count}",
        f"Entered {count} of {count} places",
        f"Waiting list {count}",
        "Add a player",
        f"Withdrawn, refused, removed {count}",
        "Settings",
        "Crosstable to fill in",
    ]


@MANY
def test_lists_on_the_page_of_an_open_event_are_counted(count, client, event, fesa, django_assert_num_queries):
    RatingList.objects.update(results_within=14)
    for number in range(count):
        event.organisers.add(make_user(f"helper{number}"))
        for state in ("working", "deleted"):
            submission = make_submission(event, state)
            Upload.objects.create(submission=submission, name=f"cup{number}.txt", data=b"x")
    with django_assert_num_queries(19):
        page = client.get(f"/organise/events/{event.public_id}/")
    assert read_headings(page) == [
        f"Results {count}",
        "Rules of the lists 1",
        "In the hall",
        f"Deleted {count}",
        "What happens next",
        f"Results from {count}",
        f"Works on this too {count}",
        "Calendar",
    ]


@MANY
def test_lists_on_the_page_of_an_accepted_event_are_counted(count, client, event, officer, django_assert_num_queries):
    Event.objects.update(state="accepted")
    for number in range(count):
        table = make_table(
            None, [make_player(f"Player {number}"), make_player()], [(1, 1, 2, 1.0)], event=event, name=f"{number}"
        )
        make_submission(event, "accepted", table=table, accepted_at=timezone.now())
    client.force_login(officer)
    with django_assert_num_queries(24):
        page = client.get(f"/organise/events/{event.public_id}/")
    assert read_headings(page) == [
        f"Correct {count}",
        "Wrong player",
        f"Versions {count}",
        "What happens next",
        "Add a table",
        "Works on this too 0",
    ]


def make_submission(event, state, **fields):
    return Submission.objects.create(
        event=event, first_day=event.start, last_day=event.end, state=state,
        deleted_at=timezone.now() if state == "deleted" else None, content=SheetContent(1, []).to_json(), **fields
    )  # fmt: skip
