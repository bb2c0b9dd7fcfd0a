"""Approvals of grades: who decides a case, and who is too close to it; a second approver is another person."""

import datetime as dt

import pytest
from django.urls import reverse

from ratings.domain.grades.approvals import Answer, answer
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.acting import act_as
from ratings.models import (
    Adjustment,
    Approval,
    Claim,
    Event,
    EventStep,
    Merge,
    Player,
    RatingList,
    Submission,
)
from tests.factories import make_player
from tests.thorough import take_share_of

from .doors import ANSWER

pytestmark = pytest.mark.django_db
DAY = dt.date(2025, 6, 1)


def is_the_player(case, user):
    Player.objects.filter(pk=case.player_id).update(account=user)


def is_a_merged_player(case, user):
    make_player(merged_into=case.player, account=user)


def claimed_the_page(case, user):
    Claim.objects.create(player=case.player, user=user, note="me")


def had_a_claim_declined(case, user):
    Claim.objects.create(player=case.player, user=user, note="me", state="declined")


def made_the_event(case, user):
    Event.objects.filter(pk=case.table.event_id).update(created_by=user)


def entered_the_results(case, user):
    event = case.table.event
    Submission.objects.create(
        event=event, table=case.table, first_day=DAY, last_day=DAY, made_by=user, state="accepted"
    )


def submitted_the_results(case, user):
    EventStep.objects.create(event=case.table.event, what="submitted", by=user)


def moved_the_results(case, user):
    moved = {"table": [case.table_id]}
    Merge.objects.create(gone=make_player(), kept=case.player, by=user, reason="r", whole=False, moved=moved)


def adjusted_the_player(case, user):
    Adjustment.objects.create(list=case.list, player=case.player, date=DAY, made_by=user, set={"rating": 1}, reason="r")


def requested_it(case, user):
    Approval.objects.filter(pk=case.pk).update(requested_by=user)


def did_nothing(case, user):
    """Is a third person."""


OWN_CASE = {
    is_the_player: False,
    is_a_merged_player: False,
    claimed_the_page: False,
    had_a_claim_declined: True,
    made_the_event: False,
    entered_the_results: False,
    submitted_the_results: False,
    moved_the_results: False,
    adjusted_the_player: False,
    requested_it: False,
    did_nothing: True,
}
"""What an approver is to a case, and whether they may then decide it."""


def answered(world, *, second):
    """Let a third person answer the case, which settles it unless a second approver is wanted."""
    RatingList.objects.update(second_approver=second)
    with act_as(world.helper):
        answer(Approval.objects.get(public_id=world.ids["case"]), Answer(True, DAY, DAY, signed_by="x"))
    rerate(world.list.pk)


STEPS = {"answer": ANSWER, "confirm": {}, "reopen": {"reason": "x"}, "take back": {"reason": "x"}}


CASES = [(person, step) for number, person in enumerate(OWN_CASE) for step in take_share_of(STEPS, number, 2)]


@pytest.mark.parametrize("column", ["ap1", "adm"])
@pytest.mark.parametrize(("person", "step"), CASES, ids=[f"{person.__name__} {step}" for person, step in CASES])
def test_own_case_is_for_others(person, step, column, trials):
    world = trials.world
    if step != "answer":
        answered(world, second=step != "reopen")
    case = Approval.objects.select_related("table__event", "player").get(public_id=world.ids["case"])
    person(case, world.users[column])
    trials.remember()
    address = reverse("approval_act", args=[case.public_id, {"take back": "reopen"}.get(step, step)])
    got = trials.send(column, "post", address, STEPS[step])
    assert (got.status, "approval" in got.changed) == ((302, True) if OWN_CASE[person] else (422, False)), got


@pytest.mark.parametrize("second", [False, True])
def test_second_approver_is_another_person(second, trials):
    world = trials.world
    RatingList.objects.update(second_approver=second)
    client = trials.client("ap1")
    address = f"/organise/approvals/{world.ids['case']}"
    assert client.post(f"{address}/answer/", ANSWER).status_code == 302
    case = Approval.objects.get(public_id=world.ids["case"])
    assert (case.state, case.decision is not None) == (("proposed", False) if second else ("approved", True))
    trials.remember()
    expected = {
        "ap1": set(),
        "ap2": set(),
        "of1": set(),
        "no2": set(),
        "adm": {"approval", "decision"} if second else set(),
    }
    for column, tables in expected.items():
        got = trials.send(column, "post", f"{address}/confirm/")
        assert got.changed & {"approval", "decision"} == tables, (column, got)
