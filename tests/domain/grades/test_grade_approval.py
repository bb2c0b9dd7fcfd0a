"""Grades that need approval: what the start of a list allows, requests, reopening, merging, and a second person."""

import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from ratings.access import APPROVERS, OFFICERS
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.approval_mails import send_approval
from ratings.domain.grades.approval_opening import request_approval, update_approvals, withdraw
from ratings.domain.grades.approvals import Answer, answer, confirm, reopen
from ratings.domain.grades.grade_approval import get_list_start, needs_approval, needs_other_person
from ratings.domain.grades.proposals import confirm as confirm_proposal
from ratings.domain.grades.proposals import submit, submit_removal
from ratings.domain.grades.proposals import withdraw as withdraw_proposal
from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment, save_list_player
from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import deliver_mails
from ratings.formats.list_import import read_list_import
from ratings.models import (
    Adjustment,
    Approval,
    ApprovalStep,
    Award,
    Claim,
    Decision,
    ListPlayer,
    Merge,
    Player,
    Proposal,
    RatingList,
    Standing,
)
from ratings.models.messages import ApprovalNote
from tests.approvals import correct, earn_5_dan
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db

START = dt.date(2025, 1, 1)
LIST = b"last_name,first_name,country,rating,games,grade,prior_grade\nSato,Ken,JP,2450,90,5 Dan,5 Dan\n"


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def administrator():
    return make_user("administrator", is_superuser=True, email="administrator@example.org")


@pytest.fixture
def approver():
    return member("approver", APPROVERS)


@pytest.fixture
def officer():
    return member("officer", OFFICERS)


def member(name, group):
    user = make_user(name, email=f"{name}@example.org")
    user.groups.add(Group.objects.get(name=group))
    return user


def rated(rating_list):
    rerate(rating_list.pk)
    update_approvals(rating_list.pk)


def grade_of(player):
    return Standing.objects.filter(player=player).values_list("grade", flat=True).first()


def opening(fesa, player, **more):
    values = {"list": fesa, "player": player, "date": START, "reason": "opening", "source": "list of 2024"}
    return Adjustment(**values | {"set": {"rating": 2450, "games": 90, "grade": "5 Dan"}} | more)


def granted(effective="2025-03-01"):
    return Answer(
        True, dt.date(2025, 6, 1), dt.date.fromisoformat(effective), signed_by="A. Yonenaga", reference="NSR 12"
    )


def refused(match):
    return pytest.raises(ValidationError, match=match)


# the start of a list


@pytest.mark.parametrize("kind", ["adjustment", "decision", "prior grade"])
@pytest.mark.parametrize(
    ("role", "source", "problem"),
    [("administrator", "list of 2024", ""), ("administrator", " ", "name the source"),
     ("officer", "list of 2024", "only an administrator"), (None, "list of 2024", "name the administrator")],
)  # fmt: skip
def test_grade_held_at_the_start_is_recorded_by_an_administrator(kind, role, source, problem, request, fesa):
    player = make_player("Sato")
    records = {
        "adjustment": lambda: save_adjustment(opening(fesa, player, source=source)),
        "decision": lambda: save_adjustment(
            Decision(list=fesa, player=player, grade="5 Dan", ruling="given", date=START, reason="r", source=source)
        ),
        "prior grade": lambda: save_list_player(
            ListPlayer(list=fesa, player=player, prior_grade="5 Dan", prior_evidence=source)
        ),
    }
    user = request.getfixturevalue(role) if role else None
    with act_as(user) if user else act_as(None):
        if problem:
            with refused(problem):
                records[kind]()
        else:
            records[kind]()
    stored = Adjustment.objects.count() + Decision.objects.count() + ListPlayer.objects.count()
    assert stored == (0 if problem else 1)
    if not problem and kind != "prior grade":
        rated(fesa)
        assert grade_of(player) == "5 Dan"


def test_start_ends_with_the_first_rated_table(fesa, administrator):
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1)], "2025-02-01")
    with act_as(administrator), refused("has rated tables, so request an approval"):
        save_adjustment(opening(fesa, make_player("Sato")))
    with act_as(administrator):
        assert "request an approval" in get_list_start(fesa).problem("5 Dan", None, "diploma")
    assert (needs_approval(fesa, "5 Dan"), needs_approval(fesa, "4 Dan")) == (True, False)


def test_users_cannot_record_their_own_grade_at_the_start(fesa, administrator):
    player, other = make_player("Sato", account=administrator), make_player("Sato-Ruiz")
    with act_as(administrator), refused("of their own"):
        save_adjustment(opening(fesa, player))
    Player.objects.filter(pk=player.pk).update(merged_into=other)
    with act_as(administrator), refused("of their own"):
        save_adjustment(opening(fesa, other))


def test_second_person_confirms_a_grade_held_at_the_start(fesa, administrator, officer):
    RatingList.objects.update(second_approver=True)
    fesa.refresh_from_db()
    player, second = make_player("Sato"), make_user("second", is_superuser=True)
    with act_as(administrator):
        with refused("two people record it"):
            save_adjustment(opening(fesa, player))
        proposal = submit(opening(fesa, player))
        assert (Adjustment.objects.count(), proposal.state) == (0, "waiting")
        with refused("Another officer must confirm it"):
            confirm_proposal(proposal)
    with act_as(officer), refused("two people record it"):  # no approver
        confirm_proposal(proposal)
    with act_as(second):
        confirm_proposal(proposal)
    rated(fesa)
    assert grade_of(player) == "5 Dan"
    assert Adjustment.objects.get().made_by == administrator
    proposal.refresh_from_db()
    assert (proposal.state, proposal.closed_by) == ("confirmed", second)


def test_proposed_start_grade_is_refused_after_the_first_table(fesa, administrator):
    RatingList.objects.update(second_approver=True)
    fesa.refresh_from_db()
    with act_as(administrator):
        proposal = submit(opening(fesa, make_player("Sato")))
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1)], "2025-02-01")
    with act_as(make_user("second", is_superuser=True)), refused("has rated tables"):
        confirm_proposal(proposal)
    assert Adjustment.objects.count() == 0


@pytest.mark.parametrize(
    ("second_approver", "options", "problem"),
    [
        (False, {"as_user": "administrator"}, ""),
        (False, {}, "nothing was stored"),
        (False, {"as_user": "officer"}, "nothing was stored"),
        (False, {"as_user": "nobody"}, "no active account 'nobody'"),
        (False, {"second": "administrator"}, "--second needs --as"),
        (True, {"as_user": "administrator"}, "nothing was stored"),
        (True, {"as_user": "administrator", "second": "administrator"}, "nothing was stored"),
        (True, {"as_user": "administrator", "second": "officer"}, "nothing was stored"),
        (True, {"as_user": "administrator", "second": "approver"}, ""),
    ],
)
@pytest.mark.usefixtures("approver", "officer")
def test_commands_name_who_records_grades(second_approver, options, problem, tmp_path, fesa, administrator):
    RatingList.objects.update(second_approver=second_approver)
    path = tmp_path / "list.csv"
    path.write_bytes(LIST)
    if problem:
        with pytest.raises(CommandError, match=problem):
            call_command("import_list", path, list="fesa", day=START, save=True, **options)
        assert Player.objects.count() == 0
    else:
        call_command("import_list", path, list="fesa", day=START, save=True, **options)
        assert grade_of(Player.objects.get()) == "5 Dan"
        adjustment, known = Adjustment.objects.get(), ListPlayer.objects.get()
        assert (adjustment.source, adjustment.made_by) == ("list.csv", administrator)
        assert (known.prior_grade, known.prior_evidence) == ("5 Dan", "list.csv")


def test_opening_list_names_every_refused_grade(fesa, officer):
    parsed, problems = read_list_import(LIST)
    with act_as(officer):
        import_rating_list(parsed, fesa, problems, day=START, source="list.csv")
    (problem,) = problems.sorted_by_position()
    assert "Sato Ken: 5 Dan needs approval on FESA: only an administrator records it" in str(problem)
    assert Player.objects.count() == 0


PUBLISHED = (
    "Open {year} : {year}-04-19\n"
    "Nr Name                Nat  Grade  ELO    1  Pts   +/-\n"
    " 1 Sato Ken            JP   5 Dan  2446   2+  1     +8\n"
    " 2 Rival Max           FR   4 Dan  2430   1-  0     -8\n"
)


def test_published_grades_are_taken_over_when_the_list_starts_and_left_out_later(tmp_path, capsys, fesa, administrator):
    first, later = tmp_path / "first.txt", tmp_path / "later.txt"
    first.write_text(PUBLISHED.format(year=2024))
    later.write_text(PUBLISHED.format(year=2025).replace("Sato Ken ", "Mori Aya "))
    with pytest.raises(CommandError):
        call_command("import_results", first, list="fesa", save=True)
    assert Player.objects.count() == 0
    call_command("import_results", first, list="fesa", save=True, as_user="administrator")
    assert grade_of(Player.objects.get(family_name="Sato")) == "5 Dan"
    capsys.readouterr()
    call_command("import_results", later, list="fesa", save=True, as_user="administrator")
    assert "Mori Aya: 5 Dan is printed, but needs approval on FESA and is not taken over" in capsys.readouterr().err
    rated(fesa)
    assert grade_of(Player.objects.get(family_name="Mori")) == "4 Dan"
    assert not Award.objects.filter(player__family_name="Mori", needs_approval=False, grade="5 Dan").exists()


# requests


@pytest.fixture
@reused
def newcomer(fesa):
    earn_5_dan(fesa)
    return make_player("Mori", "Aya")


def test_requested_grade_waits_for_the_approvers_and_then_counts(fesa, newcomer, officer, approver):
    with act_as(officer):
        case = request_approval(fesa, newcomer, "5 Dan", held_since=START, evidence="diploma 7 of NSR")
        with refused("You requested this approval"):
            answer(case, granted())
    update_approvals(fesa.pk)
    case.refresh_from_db()
    assert (case.state, case.requested_by, case.evidence) == ("waiting", officer, "diploma 7 of NSR")
    make_table(fesa, [newcomer, Player.objects.get(family_name="Rival")], [(1, 1, 2, 1)], "2025-02-20")
    rated(fesa)
    assert (grade_of(newcomer), Approval.objects.get(pk=case.pk).state) == ("", "waiting")
    with act_as(approver):
        answer(case, granted())
    rated(fesa)
    decision = Decision.objects.get(player=newcomer)
    assert (decision.ruling, decision.source, str(decision.date)) == ("given", "diploma 7 of NSR", "2025-03-01")
    assert (grade_of(newcomer), list(find_differences(fesa))) == ("5 Dan", [])
    with act_as(approver):
        reopen(case, "wrong person")
    rated(fesa)
    assert grade_of(newcomer) == ""


def test_requested_grade_counts_where_grades_follow_corrections(fesa, newcomer, officer, approver):
    RatingList.objects.update(options={"corrections": "revised"})
    with act_as(officer):
        case = request_approval(fesa, newcomer, "5 Dan", held_since=START, evidence="diploma")
    rated(RatingList.objects.get())
    with act_as(approver):
        answer(case, granted())
    rated(RatingList.objects.get())
    assert grade_of(newcomer) == "5 Dan"


def test_declined_request_ends_no_other_waiting(fesa, newcomer, officer, approver):
    sato = Player.objects.get(family_name="Sato")
    with act_as(officer):
        case = request_approval(fesa, sato, "6 Dan", held_since=START, evidence="diploma")
    with act_as(approver):
        answer(case, Answer(False, dt.date(2025, 6, 1), reason="not known to them"))
    rated(fesa)
    case.refresh_from_db()
    assert (case.state, case.decision) == ("declined", None)
    assert list(Approval.objects.filter(player=sato, grade="5 Dan").values_list("state", flat=True)) == ["waiting"]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"grade": "4 Dan"}, "needs no approval"),
        ({"evidence": " "}, "Enter the evidence"),
        ({"held_since": dt.date(2206, 1, 1)}, "in the future"),
        ({"player": "Sato"}, "is open already"),
        ({"player": "Rival"}, "holds 6 Dan already"),
    ],
)
def test_requests_without_sense_are_refused(more, problem, fesa, newcomer, officer):
    values = {"player": "Mori", "grade": "5 Dan", "held_since": START, "evidence": "diploma"} | more
    player = Player.objects.get(family_name=values.pop("player"))
    with act_as(officer), refused(problem):
        request_approval(fesa, player, values.pop("grade"), **values)


def test_request_is_withdrawn_with_a_reason(fesa, newcomer, officer):
    with act_as(officer):
        case = request_approval(fesa, newcomer, "5 Dan", held_since=START, evidence="diploma")
        with refused("Enter the reason"):
            withdraw(case, " ")
        withdraw(case, "another person")
        with refused("Results earned this grade"):
            withdraw(Approval.objects.get(player__family_name="Sato"), "x")
    assert list(case.steps.values_list("what", "note", "by__username")) == [
        ("requested", ("diploma",), "officer"), ("withdrawn", ("another person",), "officer")
    ]  # fmt: skip
    assert Approval.objects.get(pk=case.pk).state == "withdrawn"


# reopening


@pytest.fixture
@reused
def approved(fesa, approver):
    earn_5_dan(fesa)
    with act_as(approver):
        answer(Approval.objects.get(), Answer(True, dt.date(2025, 6, 1), dt.date(2025, 2, 2), signed_by="A. Yonenaga",
                                              letter=("nsr.pdf", b"x")))  # fmt: skip
    rated(fesa)
    return Approval.objects.get()


def test_reopened_approval_takes_the_grade_back_and_keeps_the_answer_as_a_step(fesa, approved, approver):
    assert grade_of(approved.player) == "5 Dan"
    with act_as(approver):
        with refused("Enter the reason"):
            reopen(approved)
        reopen(approved, "letter was for another person")
    rated(fesa)
    case = Approval.objects.get()
    standing = Standing.objects.get(player=case.player)
    assert (case.state, case.decision, case.granted, case.letter) == ("waiting", None, None, None)
    assert (standing.grade, standing.waiting, Decision.objects.count()) == ("4 Dan", "5 Dan", 0)
    step = ApprovalStep.objects.last()
    assert (step.what, step.by, str(step.counted_from), bytes(step.letter)) == (
        "reopened",
        approver,
        "2025-02-02",
        b"x",
    )
    answered = (ApprovalNote.APPROVED(day="2025-02-02"), ApprovalNote.ANSWERED(day="2025-06-01"), "A. Yonenaga")
    assert step.note == ("letter was for another person", *answered)
    with act_as(approver):
        answer(case, Answer(False, dt.date(2025, 6, 2), reason="no"))
    rated(fesa)
    assert (grade_of(case.player), Approval.objects.get().state) == ("4 Dan", "declined")
    assert list(find_differences(fesa)) == []


def test_declined_approval_is_reopened_and_approved(fesa, approver):
    sato, _ = earn_5_dan(fesa)
    with act_as(approver):
        answer(Approval.objects.get(), Answer(False, dt.date(2025, 6, 1), effective=START, reason="no"))
        assert Approval.objects.get().effective is None
        rated(fesa)
        reopen(Approval.objects.get(), "answered by mistake")
        rated(fesa)
        answer(Approval.objects.get(), granted())
    rated(fesa)
    assert grade_of(sato) == "5 Dan"


def test_reopened_approval_needs_both_people_again(fesa, approver):
    earn_5_dan(fesa)
    RatingList.objects.update(second_approver=True)
    second = member("second", APPROVERS)
    for _time in range(2):
        with act_as(approver):
            answer(Approval.objects.get(), granted())
            with refused("Another approver"):
                confirm(Approval.objects.get())
        with act_as(second):
            confirm(Approval.objects.get())
        rated(fesa)
        assert Approval.objects.get().state == "approved"
        with act_as(second):
            reopen(Approval.objects.get(), "once more")
        rated(fesa)
        assert grade_of(Approval.objects.get().player) == "4 Dan"


def test_users_cannot_reopen_their_own_approval(fesa, approved, approver):
    Claim.objects.create(player=approved.player, user=approver, note="me", state="open")
    with act_as(approver), refused("your own grade"):
        reopen(approved, "x")
    assert grade_of(approved.player) == "5 Dan"


def test_approval_below_an_approved_one_is_not_reopened(fesa, approved, approver):
    strong = make_player("Strong")
    give_rating(fesa, strong, 2700, "2025-01-01", grade="6 Dan")
    make_table(fesa, [approved.player, strong], [(n, 1, 2, 1) for n in range(1, 61)], "2025-04-01")
    rated(fesa)
    with act_as(approver):
        answer(Approval.objects.get(grade="6 Dan"), granted("2025-04-02"))
        with refused("6 Dan was approved as well"):
            reopen(approved, "x")
    rated(fesa)
    assert grade_of(approved.player) == "6 Dan"


def test_reopened_approval_whose_results_are_gone_falls_away(fesa, approved, approver):
    correct(fesa, approved.table, 0, 0)
    assert grade_of(approved.player) == "5 Dan"
    with act_as(approver):
        reopen(approved, "results were wrong")
    rated(fesa)
    assert (grade_of(approved.player), Approval.objects.get().state) == ("4 Dan", "fallen")


def test_decision_of_an_approval_is_neither_changed_nor_taken_back(approved, administrator):
    decision = approved.decision
    with act_as(administrator):
        with refused("reopen the approval instead"):
            delete_adjustment(decision)
        decision.reason = "another"
        with refused("reopen the approval instead"):
            save_adjustment(decision)


def test_mails_go_to_all_concerned(fesa, officer, approver):
    sato, _ = earn_5_dan(fesa)
    Player.objects.filter(pk=sato.pk).update(account=make_user("sato", email="sato@example.org"))
    RatingList.objects.update(second_approver=True)
    second = member("second", APPROVERS)
    with act_as(approver):
        answer(Approval.objects.get(), granted())
    send_approval(Approval.objects.get().pk)
    assert mailed() == (["second"], {"Sato Ken 5 Dan: waiting for the second approver"})
    with act_as(second):
        confirm(Approval.objects.get())
    send_approval(Approval.objects.get().pk)
    assert mailed() == (["approver", "officer", "sato", "second"], {"Sato Ken 5 Dan: approved"})
    rated(fesa)
    with act_as(second):
        reopen(Approval.objects.get(), "by mistake")
    send_approval(Approval.objects.get().pk)
    deliver_mails()
    assert "by mistake" in mail.outbox[0].body
    assert mailed() == (["approver", "officer", "sato", "second"], {"Sato Ken 5 Dan: reopened, waiting"})


def test_mails_name_player_grade_list_event_days_and_what_happens_next(fesa, officer, approver):
    sato, _ = earn_5_dan(fesa)
    Player.objects.filter(pk=sato.pk).update(account=make_user("sato", email="sato@example.org"))
    with act_as(approver):
        answer(Approval.objects.get(), granted())
    mail.outbox.clear()
    send_approval(Approval.objects.get().pk)
    deliver_mails()
    bodies = {one.to[0].partition("@")[0]: one.body for one in mail.outbox}
    for part in (
        "Player: Sato Ken, Japan",
        "Grade: 5 Dan",
        "List: FESA, ",
        "Event: Cup, 1 Feb 2025",
        "Counts from 1 Mar 2025",
    ):
        assert [who for who, body in bodies.items() if part not in body] == []
    assert {who for who, body in bodies.items() if "The list is rated again within minutes" in body} == {
        "approver",
        "officer",
    }
    assert "Your page shows the grade within minutes" in bodies["sato"]
    assert [who for who, body in bodies.items() if body.startswith("Sato Ken 5 Dan")] == []
    assert all("http://127.0.0.1:8000/" in body for body in bodies.values())


def test_withdrawing_an_answer_sends_its_reason(fesa, officer, approver):
    earn_5_dan(fesa)
    RatingList.objects.update(second_approver=True)
    with act_as(approver):
        answer(Approval.objects.get(), granted())
        reopen(Approval.objects.get(), "wrong letter")
    send_approval(Approval.objects.get().pk)
    deliver_mails()
    assert ["Reason: wrong letter" in one.body for one in mail.outbox] == [True] * 2
    assert {one.to[0].partition("@")[0] for one in mail.outbox} == {"approver", "officer"}


def mailed():
    deliver_mails()
    sent = sorted(address.partition("@")[0] for one in mail.outbox for address in one.to)
    subjects = {one.subject for one in mail.outbox}
    mail.outbox.clear()
    return sent, subjects


# merging


def test_approved_grade_does_not_move_to_another_player(fesa, approved):
    other = make_player("Sato", "Kenji")
    with refused("keep Sato Ken, and merge the other"):
        merge_players(approved.player, other, reason="one person")
    merge_players(other, approved.player, reason="one person")
    rated(fesa)
    assert grade_of(approved.player) == "5 Dan"


def test_users_cannot_merge_themselves_with_a_player_of_an_approved_grade(approved, officer):
    own = make_player("Officer", account=officer)
    with act_as(officer), refused("another officer merges them"):
        merge_players(own, approved.player, reason="me")
    assert Merge.objects.count() == 0


def test_user_who_moved_results_to_a_player_cannot_decide_the_grade(fesa, approver):
    sato, _ = earn_5_dan(fesa)
    kept = make_player("Sato", "Kenji")
    approver.groups.add(Group.objects.get(name=OFFICERS))
    with act_as(approver):
        merge_players(sato, kept, reason="one person")
    rated(fesa)
    with act_as(approver), refused("entered the records behind it"):
        answer(Approval.objects.get(state="waiting"), granted())


def test_merging_own_player_does_not_hide_that_the_case_is_ones_own(fesa, approver):
    sato, _ = earn_5_dan(fesa)
    Player.objects.filter(pk=sato.pk).update(account=approver)
    kept = make_player("Other", account=make_user("other"))
    merge_players(sato, kept, reason="by another officer")
    rated(fesa)
    with act_as(approver), refused("your own grade"):
        answer(Approval.objects.get(state="waiting"), granted())


def test_merge_with_an_approval_since_is_undone_after_reopening(fesa, approver):
    sato, _ = earn_5_dan(fesa)
    kept = make_player("Sato", "Kenji")
    record = merge_players(sato, kept, reason="one person")
    rated(fesa)
    with act_as(approver):
        answer(Approval.objects.get(state="waiting"), granted())
    rated(fesa)
    with refused("reopen that approval first"):
        undo_merge(record)
    with act_as(approver):
        reopen(Approval.objects.get(), "two people")
    undo_merge(record)
    rated(fesa)
    assert (grade_of(sato), grade_of(kept), Approval.objects.get().player) == ("4 Dan", None, sato)


# a second officer


@pytest.fixture
def watched(fesa):
    RatingList.objects.update(four_eyes=True)
    fesa.refresh_from_db()
    return fesa


def test_decision_waits_for_another_officer(watched, officer):
    player = make_player("Mori")
    with act_as(officer):
        given = Decision(list=watched, player=player, grade="1 Dan", ruling="given", date=START, reason="match")
        proposal = submit(given)
        with refused("Another officer must confirm it"):
            confirm_proposal(proposal)
    assert Decision.objects.count() == 0
    with act_as(member("second", OFFICERS)):
        confirm_proposal(proposal)
        with refused("settled meanwhile: confirmed"):
            confirm_proposal(proposal)
    decision = Decision.objects.get()
    assert (decision.grade, decision.reason, decision.date, decision.made_by) == ("1 Dan", "match", START, officer)
    rated(watched)
    assert grade_of(player) == "1 Dan"


def test_change_and_removal_wait_as_well(watched, officer):
    given = give_rating(watched, make_player("Mori"), 1500)
    second = member("second", OFFICERS)
    with act_as(officer):
        given.set = {**given.set, "rating": 1600}
        change = submit(given)
        with refused("already waiting for a second person"):
            submit_removal(Adjustment.objects.get())
    assert Adjustment.objects.get().set["rating"] == 1500
    with act_as(second):
        confirm_proposal(change)
    assert Adjustment.objects.get().set["rating"] == 1600
    with act_as(officer):
        removal = submit_removal(Adjustment.objects.get())
    with act_as(second):
        confirm_proposal(removal)
    assert Adjustment.objects.count() == 0


def test_proposal_on_a_row_changed_meanwhile_is_refused(watched, officer):
    given = give_rating(watched, make_player("Mori"), 1500)
    with act_as(officer):
        given.set = {**given.set, "rating": 1600}
        change = submit(given)
    Adjustment.objects.update(reason="another")
    with act_as(member("second", OFFICERS)):
        with refused("changed meanwhile"):
            confirm_proposal(change)
        withdraw_proposal(change)
    assert (Proposal.objects.get().state, Adjustment.objects.get().set["rating"]) == ("withdrawn", 1500)


def test_proposal_about_oneself_is_confirmed_by_another_officer(watched, officer):
    second = member("second", OFFICERS)
    with act_as(officer):
        proposal = submit(opening(watched, make_player("Mori", account=second), set={"rating": 1500, "games": 20}))
    with act_as(second), refused("concerns you"):
        confirm_proposal(proposal)


def test_invalid_proposals_are_refused_at_once(watched, officer):
    with act_as(officer), refused("Not a grade"):
        submit(Decision(list=watched, player=make_player(), grade="9 Dan", ruling="given", date=START, reason="r"))
    assert Proposal.objects.count() == 0


def test_list_names_who_may_confirm_corrections(watched, officer, approver):
    assert needs_other_person(watched, officer, [officer, None])
    assert needs_other_person(watched, None, [])
    assert not needs_other_person(watched, officer, [approver])
    watched.four_eyes = False
    assert not needs_other_person(watched, officer, [officer])


def test_save_table_keeps_the_approved_grade(fesa, approved):
    """Correct the results after the approval: the grade stays, as the list keeps approved grades."""
    seats = [NewEntry(entry.player, entry.number) for entry in approved.table.entries.select_related("player")]
    save_table(approved.table, seats, [NumberedGame(1, 1, 2, 0)])
    rated(fesa)
    assert grade_of(approved.player) == "5 Dan"
