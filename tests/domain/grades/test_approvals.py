"""5 and 6 Dan: earned, waiting, sent, approved or declined, and what corrections do to them under both rules."""

import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import ValidationError

from ratings.access import APPROVERS
from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.announcing import announce_due_grades
from ratings.domain.grades.approval_mails import remind_approvers, send_approval
from ratings.domain.grades.approval_opening import update_approvals
from ratings.domain.grades.approvals import Answer, answer, confirm, reopen
from ratings.domain.grades.parcels import send
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.runs.rerating import rerate
from ratings.domain.runs.verifying import find_differences
from ratings.domain.site.acting import act_as
from ratings.domain.site.outbox import deliver_mails
from ratings.models import Approval, Award, Claim, Decision, EventStep, RatingList, Standing, Table
from ratings.queries.grades.awards import with_state
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def sato(fesa):
    """A 4 Dan who stands just below the bound of 5 Dan, 2440."""
    player = make_player("Sato", "Ken", country="JP")
    give_rating(fesa, player, 2432, "2025-01-01", grade="4 Dan")
    return player


@pytest.fixture
@reused
def rival(fesa):
    player = make_player("Rival")
    give_rating(fesa, player, 2430, "2025-01-01", grade="6 Dan")
    return player


@pytest.fixture
def approver():
    user = make_user("approver", email="approver@example.org")
    user.groups.add(Group.objects.get(name=APPROVERS))
    return user


def play(fesa, sato, rival, day, *scores):
    """A table of games between the two; scores are Sato's."""
    games = [(n, 1, 2, score) for n, score in enumerate(scores, 1)]
    return make_table(fesa, [sato, rival], games, day, event_name=f"Cup {day}")


def rated(fesa):
    """Rate the list as the worker does, and follow what waits; Sato's standing."""
    rerate(fesa.pk)
    update_approvals(fesa.pk)
    return Standing.objects.get(list=fesa, player__family_name="Sato")


def correct(table, *scores):
    seats = [NewEntry(entry.player, entry.number) for entry in table.entries.select_related("player")]
    save_table(table, seats, [NumberedGame(n, 1, 2, score) for n, score in enumerate(scores, 1)])


def sato_awards(fesa):
    awards = with_state(Award.objects.filter(list=fesa, player__family_name="Sato")).order_by("day", "place")
    return [(str(award.day), award.grade, award.how, award.state) for award in awards]


def granted(effective="2025-02-02", **more):
    values = {"granted": True, "on": dt.date(2025, 6, 1), "effective": dt.date.fromisoformat(effective),
              "signed_by": "A. Yonenaga", "reference": "NSR 12"}  # fmt: skip
    return Answer(**values | more)


def case_of(fesa):
    return Approval.objects.filter(list=fesa, player__family_name="Sato").latest("pk")


@pytest.fixture
@reused
def waiting(fesa, sato, rival):
    """5 Dan earned on 2025-02-01."""
    table = play(fesa, sato, rival, "2025-02-01", 1, 1)
    standing = rated(fesa)
    assert (standing.grade, standing.waiting, standing.rating >= 2440) == ("4 Dan", "5 Dan", True)
    return table


def test_grade_waits_and_is_not_earned_twice_through_three_more_tables(fesa, sato, rival, waiting):
    for day in ("2025-03-01", "2025-04-01", "2025-05-01"):
        play(fesa, sato, rival, day, 1, 1)
    standing = rated(fesa)
    assert (standing.grade, standing.waiting) == ("4 Dan", "5 Dan")
    assert sato_awards(fesa) == [("2025-02-01", "5 Dan", "upper bound", "waiting")]
    case = case_of(fesa)
    assert (case.state, str(case.earned_on), case.table, Approval.objects.filter(player=sato).count()) == (
        "waiting", "2025-02-01", waiting, 1
    )  # fmt: skip


def test_approval_counts_from_an_earlier_day_and_later_tables_are_judged_anew(fesa, sato, rival, waiting, approver):
    strong = make_player("Strong")
    give_rating(fesa, strong, 2700, "2025-01-01", grade="6 Dan")
    make_table(fesa, [sato, strong], [(n, 1, 2, 1) for n in range(1, 61)], "2025-04-01")
    standing = rated(fesa)
    assert (standing.rating >= 2640, standing.grade, standing.waiting) == (True, "4 Dan", "5 Dan")
    with act_as(approver):
        send(case_of(fesa), on=dt.date(2025, 5, 1), reference="letter 3")
        answer(case_of(fesa), granted())
    standing = rated(fesa)
    assert (standing.grade, standing.waiting) == ("5 Dan", "6 Dan")  # 2640 was there on 2025-04-01
    assert sato_awards(fesa) == [
        ("2025-02-01", "5 Dan", "upper bound", "waiting"),
        ("2025-02-02", "5 Dan", "approved", "final"),
        ("2025-04-01", "6 Dan", "upper bound", "waiting"),
    ]
    assert list(Approval.objects.filter(player=sato).order_by("pk").values_list("grade", "state")) == [
        ("5 Dan", "approved"), ("6 Dan", "waiting")
    ]  # fmt: skip
    assert list(find_differences(fesa)) == []


def test_6_dan_needs_2640(fesa, sato, rival, waiting, approver):
    with act_as(approver):
        answer(case_of(fesa), granted())
    play(fesa, sato, rival, "2025-03-01", 1, 1)
    standing = rated(fesa)
    assert (standing.grade, standing.waiting, standing.rating < 2640) == ("5 Dan", "", True)


def test_day_of_the_table_itself_counts_from_the_next_morning(fesa, waiting, approver):
    with act_as(approver):
        answer(case_of(fesa), granted("2025-02-01"))
    assert (str(case_of(fesa).effective), str(case_of(fesa).decision.date)) == ("2025-02-01", "2025-02-02")
    assert rated(fesa).grade == "5 Dan"


def test_declined_grade_is_earned_anew_by_games_after_the_decision(fesa, sato, rival, waiting, approver):
    with act_as(approver):
        answer(case_of(fesa), Answer(granted=False, on=dt.date(2025, 3, 1), reason="too few games in Japan"))
    standing = rated(fesa)
    assert (standing.grade, standing.waiting, case_of(fesa).state) == ("4 Dan", "", "declined")
    play(fesa, sato, rival, "2025-04-01", 1)
    standing = rated(fesa)
    assert (standing.waiting, str(case_of(fesa).earned_on), case_of(fesa).state) == ("5 Dan", "2025-04-01", "waiting")


def test_correction_while_it_waits_takes_it_away(fesa, waiting):
    correct(waiting, 0, 0)
    standing = rated(fesa)
    assert (standing.grade, standing.waiting, case_of(fesa).state) == ("4 Dan", "", "fallen")
    correct(waiting, 1, 1)
    rated(fesa)
    assert list(Approval.objects.filter(player=case_of(fesa).player).values_list("state", flat=True)) == [
        "waiting", "fallen"
    ]  # fmt: skip


@pytest.mark.parametrize(("rule", "grade"), [("kept", "5 Dan"), ("revised", "4 Dan")])
def test_correction_after_approval_keeps_or_revises_the_grade(rule, grade, fesa, waiting, approver):
    RatingList.objects.update(options={"corrections": rule})
    with act_as(approver):
        answer(case_of(fesa), granted())
    assert rated(RatingList.objects.get()).grade == "5 Dan"
    correct(waiting, 0, 0)
    assert rated(RatingList.objects.get()).grade == grade
    assert list(find_differences(RatingList.objects.get())) == []


def test_correction_that_moves_the_earning_moves_the_case(fesa, sato, rival, waiting):
    later = play(fesa, sato, rival, "2025-03-01", 1, 1)
    correct(waiting, 1, 0)
    rated(fesa)
    case = case_of(fesa)
    assert (case.state, str(case.earned_on), case.table) == ("waiting", "2025-03-01", later)


def test_second_approver_confirms_and_is_another(fesa, waiting, approver):
    RatingList.objects.update(second_approver=True)
    with act_as(approver):
        answer(case_of(fesa), granted())
        assert (case_of(fesa).state, Decision.objects.count()) == ("proposed", 0)
        with pytest.raises(ValidationError, match="Another approver"):
            confirm(case_of(fesa))
        reopen(case_of(fesa), "wrong letter")
        answer(case_of(fesa), granted())
    with act_as(make_user("second", is_superuser=True)):
        confirm(case_of(fesa))
    case = case_of(fesa)
    assert (case.state, case.decided_by, case.confirmed_by.username) == ("approved", approver, "second")
    assert rated(fesa).grade == "5 Dan"


def test_users_cannot_approve_their_own_grades_or_entries(fesa, sato, waiting, approver):
    sato.account = approver
    sato.save()
    with act_as(approver), pytest.raises(ValidationError, match="your own grade"):
        answer(case_of(fesa), granted())
    sato.account = None
    sato.save()
    waiting.event.created_by = approver
    waiting.event.save()
    with act_as(approver), pytest.raises(ValidationError, match="You entered the results"):
        answer(case_of(fesa), granted())
    with pytest.raises(ValidationError, match="sign"):
        answer(case_of(fesa), granted())
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (granted("2025-01-31"), "before the day on which the grade was earned"),
        (granted(signed_by=" "), "who signed"),
        (Answer(granted=False, on=dt.date(2025, 3, 1)), "the reason for declining"),
        (Answer(granted=False, on=dt.date(2025, 1, 1), reason="x"), "before the day"),
    ],
)
def test_answers_that_cannot_be_are_refused(given, message, fesa, waiting, approver):
    with act_as(approver), pytest.raises(ValidationError, match=message):
        answer(case_of(fesa), given)
    assert (case_of(fesa).state, Decision.objects.count()) == ("waiting", 0)


def test_settled_case_is_settled(fesa, waiting, approver):
    with act_as(approver):
        answer(case_of(fesa), granted())
        for again in (lambda case: answer(case, granted()), confirm):
            with pytest.raises(ValidationError, match="settled meanwhile: approved"):
                again(case_of(fesa))
    assert Decision.objects.count() == 1


def test_approvers_are_notified_and_reminded_once_per_term(fesa, waiting, approver):
    send_approval(case_of(fesa).pk)
    assert remind_approvers() == 0
    Approval.objects.update(opened_at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC))
    assert (remind_approvers(), remind_approvers()) == (1, 0)
    deliver_mails()
    assert [(m.to, m.subject) for m in mail.outbox] == [
        (["approver@example.org"], "Sato Ken 5 Dan: waiting"),
        (["approver@example.org"], "Sato Ken 5 Dan still waits: waiting"),
    ]


def test_player_with_an_account_hears_the_answer(fesa, sato, waiting, approver):
    sato.account = make_user("sato", email="sato@example.org")
    sato.save()
    with act_as(approver):
        answer(case_of(fesa), granted())
    send_approval(case_of(fesa).pk)
    deliver_mails()
    assert [(m.to, m.subject) for m in mail.outbox] == [
        (["approver@example.org"], "Sato Ken 5 Dan: approved"),
        (["sato@example.org"], "Sato Ken 5 Dan: approved"),
    ]


def test_grade_is_announced_after_the_term_and_held_through_a_correction(fesa, sato, rival):
    kuma = make_player("Kuma")
    give_rating(fesa, kuma, 1690, "2025-01-01", grade="1 Kyu", mp_run=0)
    table = make_table(fesa, [kuma, sato], [(n, 1, 2, 1) for n in range(1, 9)], "2025-02-01")
    rated(fesa)
    won = Standing.objects.get(player=kuma).grade
    assert won != "1 Kyu"
    assert announce_due_grades() == 1
    decision = Decision.objects.get()
    assert (decision.player, decision.grade, decision.ruling, str(decision.date)) == (kuma, won, "kept", "2025-02-02")
    rated(fesa)
    assert announce_due_grades() == 0
    save_table(table, [NewEntry(kuma, 1), NewEntry(sato, 2)], [NumberedGame(1, 1, 2, 0)])
    rated(fesa)
    assert Standing.objects.get(player=kuma).grade == won
    assert list(Award.objects.filter(player=kuma).values_list("grade", "how")) == [(won, "kept")]
    assert Table.objects.count() == 1


@pytest.mark.parametrize("fields", [{"public": False}, {"announce_after": None}, {"options": {"corrections": "revised"}},
                                    {"announce_after": 30000}])  # fmt: skip
def test_list_can_forbid_announcing_grades(fields, fesa, sato):
    kuma = make_player("Kuma")
    give_rating(fesa, kuma, 1690, "2025-01-01", grade="1 Kyu")
    make_table(fesa, [kuma, sato], [(n, 1, 2, 1) for n in range(1, 9)], "2025-02-01")
    RatingList.objects.update(**fields)
    rated(RatingList.objects.get())
    assert Award.objects.filter(player=kuma).exists()
    assert (announce_due_grades(), Decision.objects.count()) == (0, 0)


def test_grade_won_just_before_one_that_waits_is_announced(fesa, sato, rival):
    give_rating(fesa, sato, 2432, "2025-01-02", grade="3 Dan")
    play(fesa, sato, rival, "2025-02-01", 1, 1)
    assert (rated(fesa).grade, rated(fesa).waiting) == ("4 Dan", "5 Dan")
    awards = Award.objects.filter(player=sato).order_by("pk")
    assert list(awards.values_list("grade", "needs_approval", "last_of_step")) == [
        ("4 Dan", False, True), ("5 Dan", True, True)
    ]  # fmt: skip
    assert announce_due_grades() == 1
    assert list(Decision.objects.values_list("grade", "ruling")) == [("4 Dan", "kept")]
    assert (rated(fesa).grade, rated(fesa).waiting) == ("4 Dan", "5 Dan")


def test_announcing_several_grades_at_once_announces_the_highest(fesa, sato):
    kuma = make_player("Kuma")
    give_rating(fesa, kuma, 1690, "2025-01-01", grade="1 Kyu")
    for day in ("2025-02-01", "2025-03-01", "2025-04-01"):
        make_table(fesa, [kuma, sato], [(n, 1, 2, 1) for n in range(1, 9)], day)
    rated(fesa)
    assert Award.objects.filter(player=kuma, last_of_step=True).count() > 1
    assert [announce_due_grades(), rated(fesa) and announce_due_grades()] == [1, 0]
    own = with_state(Award.objects.filter(player=kuma, last_of_step=True))
    assert set(own.values_list("state", flat=True)) == {"announced"}


def test_merge_moves_the_approval_and_undoing_moves_it_back(fesa, sato, waiting, approver):
    kept = make_player("Sato", "Kenji")
    record = merge_players(sato, kept, reason="one person")
    assert (case_of(fesa).player, case_of(fesa).state) == (kept, "waiting")
    rated(fesa)
    assert list(Approval.objects.values_list("player", "state")) == [(kept.pk, "waiting")]
    undo_merge(record)
    assert case_of(fesa).player == sato


def test_approval_cannot_be_answered_while_the_list_is_being_rated(fesa, waiting, approver):
    RatingList.objects.update(out_of_date_from="2025-01-01")
    with act_as(approver), pytest.raises(ValidationError, match="being rated again"):
        answer(case_of(fesa), granted())


def test_answer_with_a_future_day_is_refused(fesa, waiting, approver):
    with act_as(approver), pytest.raises(ValidationError, match="in the future"):
        answer(case_of(fesa), granted("2206-01-01"))


def test_page_given_up_is_still_ones_own(fesa, sato, waiting, approver):
    Claim.objects.create(player=sato, user=approver, note="me", state="granted")
    with act_as(approver), pytest.raises(ValidationError, match="your own grade"):
        answer(case_of(fesa), granted())


def test_answer_taken_back_leaves_nothing_of_it(fesa, waiting, approver):
    RatingList.objects.update(second_approver=True)
    with act_as(approver):
        answer(case_of(fesa), granted(letter=("nsr.pdf", b"x")))
        reopen(case_of(fesa), "wrong letter")
    case = case_of(fesa)
    assert (case.state, case.letter, case.letter_name, case.signed_by, case.reference) == ("waiting", None, "", "", "")


def test_grade_that_a_correction_of_an_earlier_event_brought_has_its_own_term(fesa, sato):
    kuma = make_player("Kuma")
    give_rating(fesa, kuma, 1690, "2025-01-01", grade="1 Kyu")
    first = make_table(fesa, [kuma, sato], [(1, 1, 2, 0)], "2025-02-01")
    make_table(fesa, [kuma, sato], [(n, 1, 2, 1) for n in range(1, 9)], "2025-03-01")
    rated(fesa)
    assert Award.objects.filter(player=kuma, day="2025-03-01").exists()
    EventStep.objects.create(event=first.event, what="corrected")
    assert announce_due_grades() == 0
    EventStep.objects.update(at=dt.datetime(2025, 6, 1, tzinfo=dt.UTC))
    assert announce_due_grades() == 1
