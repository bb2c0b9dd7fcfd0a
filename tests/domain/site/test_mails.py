"""Every mail about an event, an entry, a grade, a report or a claim names list, event, days, players, what happens next, and a link."""

import datetime as dt

import pytest
from django.conf import settings
from django.contrib.auth.models import Group

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.events.entry_mails import SENTENCES
from ratings.domain.grades import approval_mails
from ratings.domain.results.descriptions import describe_event
from ratings.domain.results.edit_lines import save_version
from ratings.domain.site import mails
from ratings.domain.site.outbox import COMPOSERS
from ratings.domain.site.roles import ensure_roles
from ratings.models import (
    Approval,
    ApprovalQuestion,
    Claim,
    EventEntry,
    EventStep,
    NameVisibility,
    OutgoingMail,
    Player,
    Report,
    Submission,
)
from ratings.systems.messages import message_to_json
from tests.approvals import earn_5_dan
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user, rate_every_list
from tests.shared import reused

pytestmark = pytest.mark.django_db

ROWS = [{"player": "A2", "family": "Adler", "given": "Zoë", "cells": []}, {"family": "Bauer", "new": True, "cells": []}]
EVENT_LINES = "Cup, 1 May 2025 – 2 May 2025, Lyon\nLists: FESA\nPlayers: 2, new: 1"
STEP_LINES = f"{EVENT_LINES}\nAdler Zoë, Bauer (new)"


@pytest.fixture
def event():
    ensure_roles()
    organiser = make_user("organiser", email="organiser@example.org")
    officer = make_user("officer", email="officer@example.org")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    event = make_event(
        "Cup", "2025-05-02", [make_list(name="FESA")], start=dt.date(2025, 5, 1), place="Lyon", created_by=organiser
    )
    Submission.objects.create(
        event=event,
        first_day=event.start,
        last_day=event.end,
        state="submitted",
        content={"version": 1, "rounds": 0, "rows": ROWS},
    )
    return event


@pytest.fixture
@reused
def case():
    earn_5_dan(make_list(name="FESA list", approving_person="Hayashi Naoko", approving_mail="grades@nsr.example"))
    approver = make_user("approver", email="approver@example.org")
    ensure_roles()
    approver.groups.add(Group.objects.get(name=APPROVERS))
    return Approval.objects.get()


def bodies():
    """Return the paragraphs of the mails in the outbox, without their signature."""
    return [one.body.partition("\n\n-- \n")[0].split("\n\n") for one in OutgoingMail.objects.order_by("pk")]


@pytest.mark.parametrize("what", [*mails.TO_OFFICERS, *mails.TO_ORGANISERS])
def test_mail_about_a_step_names_list_event_days_players_next_step_and_link(event, what):
    by = make_user("by")
    reminded = what == EventStep.What.OFFICERS_REMINDED
    data = {"days": 9} if reminded else {}
    step = EventStep.objects.create(event=event, what=what, by=by, note="a note", data=data)
    assert mails.send_step_mails(step.pk) == 1
    (sent,) = OutgoingMail.objects.all()
    assert sent.recipients == [f"{'officer' if what in mails.TO_OFFICERS else 'organiser'}@example.org"]
    assert sent.subject == f"Cup: {step.get_what_display()}"
    link = f"{settings.SITE_ADDRESS}/organise/events/{event.public_id}/"
    waited = ["The results have waited for 9 days."] if reminded else []
    done = f"{step.get_what_display().capitalize()} by by"
    assert bodies() == [[STEP_LINES, done, "a note", *waited, str(mails.NEXT_STEPS[what]), link]]


@pytest.mark.parametrize("what", [EventStep.What.SUBMITTED, EventStep.What.RETURNED])
def test_mail_to_officers_has_the_questions_with_the_answers(event, what):
    warnings = [[1, 2, message_to_json("typed text"), "she was ill"], [None, None, message_to_json("whole table"), ""]]
    event.submissions.update(warnings=warnings)
    step = EventStep.objects.create(event=event, what=what, by=make_user("by"))
    assert mails.send_step_mails(step.pk) == 1
    ((_lines, _done, *paragraphs, _link),) = bodies()
    asked = [
        "Questions about the results, with the organiser’s answers:\n"
        "Adler Zoë, round 2: typed text – “she was ill”\nwhole table – not answered yet"
    ]
    assert paragraphs == [*(asked if what in mails.TO_OFFICERS else []), str(mails.NEXT_STEPS[what])]


def test_mail_names_forty_players_and_the_number_of_the_others(event):
    rows = [{"family": f"Player {number}", "player": f"A{number}", "cells": []} for number in range(1, 43)]
    event.submissions.update(content={"version": 1, "rounds": 0, "rows": rows})
    named = ", ".join([*(f"Player {number}" for number in range(1, 41)), "and 2 more"])
    assert describe_event(event, names_players=True).splitlines()[-1] == named


def test_mail_about_an_edit_names_list_event_days_players_next_step_and_link(event):
    submission = event.submissions.get()
    before = save_version(submission)
    submission.content["rows"][0]["country"] = "FR"
    after = save_version(submission)
    step = EventStep.objects.create(
        event=event,
        what="edited",
        by=make_user("by"),
        data={"sheet": submission.pk, "before": before, "after": after},
    )
    assert mails.send_edit_mails(step.pk) == 1
    ((lines, _done, changes, next_step, link),) = bodies()
    assert (lines, changes.partition("\n")[0]) == (STEP_LINES, "Changed, with the entry before and after:")
    assert next_step == "You need not do anything. If a change is wrong, withdraw the submission and correct it."
    assert link == f"{settings.SITE_ADDRESS}/organise/sheets/{submission.pk}/"


@pytest.mark.parametrize("state", EventEntry.State.values)
def test_mail_about_an_entry_names_list_event_days_players_next_step_and_link(event, state):
    entry = EventEntry.objects.create(
        event=event, family_name="Adler", given_name="Ina", email="ina@example.org", state=state
    )
    COMPOSERS["entry"](entry.pk)
    link = f"{settings.SITE_ADDRESS}/events/{event.public_id}/entries/{entry.key}/"
    expected = [[EVENT_LINES, "Player: Adler Ina", *map(str, SENTENCES[state]), link]] if state in SENTENCES else []
    assert bodies() == expected
    assert set(EventEntry.State.values) - set(SENTENCES) == {EventEntry.State.WITHDRAWN}


def test_mail_about_an_entry_to_confirm_names_the_player(event):
    entry = EventEntry.objects.create(event=event, family_name="Adler", given_name="Ina", state="asked")
    COMPOSERS["entry asked"](entry.pk)
    asked = "Adler Ina wants to play. Confirm or refuse the entry on the event’s page."
    link = f"{settings.SITE_ADDRESS}/organise/events/{event.public_id}/entries/"
    assert bodies() == [[EVENT_LINES, asked, link]]


@pytest.mark.parametrize("state", [Report.State.OPEN, *Report.ANSWERS])
def test_mail_about_a_report_on_an_event_names_list_event_days_players_next_step_and_link(event, state):
    """The author may be anybody, so that mail has the number of the players only."""
    report = Report.objects.create(event=event, text="wrong", answer="thanks", mail="ada@example.org", state=state)
    COMPOSERS["report"](report.pk)
    link = f"{settings.SITE_ADDRESS}{report.get_absolute_url()}"
    assert bodies() == [
        [STEP_LINES, "wrong", "Answer the report on this page:", link]
        if state == Report.State.OPEN
        else [EVENT_LINES, "thanks", "No action is needed. Report and answer:", link]
    ]


@pytest.fixture
def player(event):
    """A player on two lists, one of which is not public, who has played last on 3 May 2025."""
    ada, ben = make_player("Adler", "Zoë"), make_player("Bauer")
    hidden = make_list("hidden", name="Hidden", public=False)
    for rating_list in (*event.lists.all(), hidden):
        give_rating(rating_list, ada, 1500)
    for day in ("2025-04-01", "2025-05-03"):
        make_table(event.lists.get(), [ada, ben], [(1, 1, 2, 1.0)], day, event_name=f"Open of {day}")
    make_table(None, [ada, ben], [(1, 1, 2, 1.0)], event=make_event("Draft", "2025-06-01", state="draft"))
    rate_every_list()
    return ada


LAST = "Last event: Open of 2025-05-03, 3 May 2025"


@pytest.mark.parametrize(
    ("shown", "state", "lines"),
    [
        (NameVisibility.FULL, Report.State.OPEN, f"Player: Adler Zoë\nLists: FESA, Hidden\n{LAST}"),
        (NameVisibility.FULL, Report.State.MENDED, f"Player: Adler Zoë\nLists: FESA\n{LAST}"),
        (NameVisibility.INITIALS, Report.State.OPEN, f"Player: Adler Zoë\nLists: FESA, Hidden\n{LAST}"),
        (NameVisibility.INITIALS, Report.State.RIGHT, "Player: A. Z."),
    ],
)
def test_mail_about_a_report_on_a_player_names_lists_event_and_days(player, shown, state, lines):
    Player.objects.filter(pk=player.pk).update(shown=shown)
    report = Report.objects.create(player=player, text="wrong", answer="thanks", mail="ada@example.org", state=state)
    COMPOSERS["report"](report.pk)
    assert [paragraphs[0] for paragraphs in bodies()] == [lines]


@pytest.mark.parametrize(
    ("state", "paragraphs"),
    [
        (Claim.State.OPEN, ["I play in Lyon", "Grant or decline the claim on this page:", "/organise/claims/"]),
        (Claim.State.GRANTED, ["welcome", "Your page, and what you can do with it:", "/me/"]),
    ],
)
def test_mail_about_a_claim_names_player_lists_event_days_next_step_and_link(player, state, paragraphs):
    user = make_user("zoe", email="zoe@example.org")
    claim = Claim.objects.create(player=player, user=user, note="I play in Lyon", answer="welcome", state=state)
    COMPOSERS["claim"](claim.pk)
    lists = "FESA, Hidden" if state == Claim.State.OPEN else "FESA"
    text, next_step, path = paragraphs
    facts = f"Player: Adler Zoë\nLists: {lists}\n{LAST}\nUser: zoe"
    assert bodies() == [[facts, text, next_step, f"{settings.SITE_ADDRESS}{path}"]]


CASE = ["Player: Sato Ken, Japan", "Grade: 5 Dan", "List: FESA list, FESA", "Event: Cup, 1 Feb 2025",
        "Earned on 1 Feb 2025"]  # fmt: skip


@pytest.mark.parametrize("state", Approval.State.values)
def test_mail_about_a_grade_names_list_event_day_player_next_step_and_link(case, state):
    Approval.objects.filter(pk=case.pk).update(state=state, effective=dt.date(2025, 2, 2))
    COMPOSERS["approval"](case.pk)
    ((facts, *_reason, next_step, link),) = bodies()
    assert facts.split("\n")[:5] == CASE
    assert next_step == str(approval_mails.NEXT_STEPS[state])
    assert link == f"{settings.SITE_ADDRESS}{case.get_absolute_url()}"


def test_mail_about_a_question_names_list_event_day_player_next_step_and_link(case):
    approver = make_user("asker", email="asker@example.org")
    make_user("administrator", is_superuser=True, email="administrator@example.org")
    question = ApprovalQuestion.objects.create(case=case, asked_by=approver, text="Why?")
    COMPOSERS["approval_question"](question.pk)
    ((facts, _question, next_step, link),) = bodies()
    assert facts.split("\n")[:5] == CASE
    assert next_step == "Answer the question on the approval’s page. The case waits for you."
    assert link == f"{settings.SITE_ADDRESS}{case.get_absolute_url()}"


def test_every_kind_of_mail_is_known_here():
    """The last eight are about an account, an erasure, a key, a page, a webhook or followed pages, not about an event, an entry or a grade."""
    about_events = {"step", "edit", "entry", "entry asked", "approval", "approval_question"}
    assert set(COMPOSERS) == about_events | {
        "claim",
        "erasure",
        "invitation",
        "report",
        "key",
        "webhook disabled",
        "followed",
        "followed weekly",
    }
