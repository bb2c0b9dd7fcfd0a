"""Undoing recorded steps: announcements, answers to claims, changes of visibility, imports of rating lists."""

import datetime as dt

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import PermissionDenied, ValidationError

from ratings.access import OFFICERS
from ratings.domain.grades.announcing import announce_due_grades, announce_grades
from ratings.domain.lists.adjustments import save_adjustment, save_player
from ratings.domain.lists.list_import import import_rating_list
from ratings.domain.lists.publishing import publish
from ratings.domain.players.claims import answer_claim, create_claim, release_page
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.visibility import set_visibility
from ratings.domain.runs.verifying import find_differences, stored_digest
from ratings.domain.site.acting import act_as
from ratings.domain.site.undoing import step_undo_problem, undo_step
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems
from ratings.models import (
    Adjustment,
    Claim,
    Club,
    DatedLine,
    DatedList,
    Decision,
    Federation,
    ListPlayer,
    Membership,
    Player,
    RatingList,
    RecordedStep,
    Standing,
)
from ratings.queries.grades.awards import unannounced_awards
from tests.factories import give_rating, make_list, make_player, make_table, make_user
from tests.shared import reused

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 6, 1)


def make_officer(name="officer"):
    officer = make_user(name)
    officer.groups.add(Group.objects.get(name=OFFICERS))
    return officer


def last_step():
    return RecordedStep.objects.latest("pk")


def undone(step):
    step.refresh_from_db()
    return step.undone_by, step.undone_at is not None, step.undone_reason


def refused(step, user, message, **more):
    """Check that a step stays, for the same reason whether one looks or tries."""
    with act_as(user):
        assert message in step_undo_problem(step)
        with pytest.raises(ValidationError) as error:
            undo_step(step, **more)
    assert message in " ".join(error.value.messages)
    assert not undone(step)[1]


# announcements


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def winner(fesa, rate_all):
    """A player whose table earned them a grade that nobody has announced yet."""
    ada, others = make_player("Ada"), [make_player() for _ in range(8)]
    give_rating(fesa, ada, 1500, grade="3 Kyu")
    for other in others:
        give_rating(fesa, other, 1700, grade="1 Kyu")
    make_table(fesa, [ada, *others], [(n, 1, n + 1, 1.0) for n in range(1, 9)], "2026-05-02")
    rate_all()
    assert unannounced_awards(fesa).filter(player=ada).exists()
    return ada


def test_undone_announcement_takes_the_decision_back(fesa, winner, rate_all):
    officer = make_officer()
    before = stored_digest(fesa)
    (award,) = unannounced_awards(fesa).filter(player=winner)
    with act_as(officer):
        announce_grades(fesa, [award], reason="announced")
    rate_all()
    step = last_step()
    assert (step.what, step.player, step.list, step.by, step.reason, step.values["grade"]) == (
        "grade announced", winner, fesa, officer, "announced", award.grade,
    )  # fmt: skip
    with act_as(officer):
        assert (step_undo_problem(step), undo_step(step, reason="too early")) == ("", "")
    rate_all()
    assert (Decision.objects.count(), stored_digest(fesa), undone(step)) == (0, before, (officer, True, "too early"))
    assert list(find_differences(fesa)) == []
    with pytest.raises(ValidationError, match="already undone"):
        undo_step(step)


def test_undone_announcement_is_not_announced_again_by_the_term(fesa, winner, rate_all):
    assert announce_due_grades() == 1
    rate_all()
    undo_step(last_step())
    rate_all()
    assert (announce_due_grades(), Decision.objects.count()) == (0, 0)
    assert announce_grades(fesa, unannounced_awards(fesa), reason="after all") != []


def test_announcement_stays_when_a_published_list_shows_the_grade(fesa, winner, rate_all):
    announce_grades(fesa, unannounced_awards(fesa), reason="announced")
    rate_all()
    publish(DatedList(list=fesa, day=dt.date(2026, 5, 31)))
    refused(RecordedStep.objects.get(what="grade announced"), make_officer(), "The list published for 31 May 2026")
    assert Decision.objects.count() == 1


def test_announcement_stays_when_its_decision_is_gone(fesa, winner):
    announce_grades(fesa, unannounced_awards(fesa), reason="announced")
    Decision.objects.all().delete()
    refused(last_step(), make_officer(), "deleted already")


def test_officer_of_another_list_cannot_undo_an_announcement(fesa, winner):
    announce_grades(fesa, unannounced_awards(fesa), reason="announced")
    fesa.officers.add(make_officer("of-fesa"))
    with act_as(make_officer("other")):
        assert step_undo_problem(last_step()) == "Only the officers of FESA can undo this."
        with pytest.raises(PermissionDenied, match=r"FESA \(of-fesa\)"):
            undo_step(last_step())
    assert Decision.objects.count() == 1


# claims


@pytest.fixture
def ada():
    return make_player("Adler", "Zoë")


def account(player):
    return Player.objects.get(pk=player.pk).account


def answered(player, user, *, granted=True, answer="no"):
    made = create_claim(player, user, "me")
    answer_claim(made, granted=granted, answer="" if granted else answer)
    return made, last_step()


def test_undoing_a_grant_disconnects_the_page_and_notifies_the_user(ada, django_capture_on_commit_callbacks):
    user, officer = make_user("zoe", email="zoe@example.org"), make_officer()
    made, step = answered(ada, user)
    with act_as(officer), pytest.raises(ValidationError, match="Enter a reason"):
        undo_step(step, reason=" ")
    mail.outbox.clear()
    with act_as(officer), django_capture_on_commit_callbacks(execute=True):
        undo_step(step, reason="It is another Zoë")
    made.refresh_from_db()
    assert (account(ada), made.state, made.answer, made.answered_by) == (None, "released", "It is another Zoë", officer)
    assert undone(step) == (officer, True, "It is another Zoë")
    assert {(*sent.to, "another Zoë" in sent.body) for sent in mail.outbox} == {("zoe@example.org", True)}
    assert create_claim(ada, user, "really").state == "open"


def test_undone_decline_opens_the_claim_again(ada):
    made, step = answered(ada, make_user("zoe"), granted=False, answer="Who are you?")
    with act_as(make_officer()):
        undo_step(step)
    made.refresh_from_db()
    assert (made.state, made.answer, made.answered_by, made.answered_at) == ("open", "", None, None)
    assert step.reason == "Who are you?"


def test_answer_to_a_claim_stays_where_something_came_after_it(ada):
    user, officer, ben = make_user("zoe"), make_officer(), make_player("Ben")
    made, step = answered(ada, user)
    refused(step, user_as_officer(user), "Users cannot undo the answer to their own claim", reason="x")
    record = merge_players(Player.objects.get(pk=ada.pk), ben, reason="one")
    refused(step, officer, "undo that merge first", reason="x")
    undo_merge(record)
    release_page(Player.objects.get(pk=ada.pk))
    assert (last_step().what, last_step().values) == ("page released", {"user": user.pk})
    refused(step, officer, "does not belong to this account", reason="x")
    refused(last_step(), officer, "must claim the page again")
    create_claim(ben, user, "me")
    other, declined = answered(ada, make_user("other"), granted=False)
    create_claim(ben, other.user, "this one")
    refused(declined, officer, "You have already claimed a page")
    Claim.objects.filter(pk=made.pk).delete()
    refused(step, officer, "The account was deleted", reason="x")


def user_as_officer(user):
    user.groups.add(Group.objects.get(name=OFFICERS))
    return type(user).objects.get(pk=user.pk)


def test_answer_to_a_claim_is_undone_by_officers_only(ada):
    _, step = answered(ada, make_user("zoe"))
    with act_as(make_user("stranger")), pytest.raises(PermissionDenied):
        undo_step(step, reason="x")
    assert account(ada) is not None


# visibility


def get_visibility(player):
    return Player.objects.values_list("shown", "birth_public").get(pk=player.pk)


def test_change_of_visibility_is_recorded_and_undone(ada):
    officer = make_officer()
    with act_as(officer):
        set_visibility(ada, "initials", birth_public=True, reason="asked by letter")
        step = last_step()
        set_visibility(ada, "initials")
        assert (last_step(), step.by, step.reason) == (step, officer, "asked by letter")
        assert step.values == {"shown": ["full", "initials"], "birth_public": [False, True], "own": False}
        undo_step(step)
    assert (get_visibility(ada), undone(step)) == (("full", False), (officer, True, ""))


def test_admin_form_records_a_change_of_visibility(ada):
    ada.shown = "anonymous"
    with act_as(officer := make_officer()):
        save_player(ada)
    assert (last_step().values, last_step().by) == ({"shown": ["full", "anonymous"], "own": False}, officer)


@pytest.fixture
def owner(ada):
    owner = make_user("zoe")
    answered(ada, owner)
    ada.refresh_from_db()
    return owner


def test_wish_to_be_hidden_is_undone_by_the_player_only(ada, owner):
    with act_as(owner):
        set_visibility(ada, "anonymous")
    step = last_step()
    assert step.values["own"] is True
    refused(step, make_officer(), "The player chose to be hidden. Only they can undo this")
    with act_as(make_user("stranger")), pytest.raises(PermissionDenied):
        undo_step(step)
    assert get_visibility(ada)[0] == "anonymous"
    with act_as(owner):
        undo_step(step)
    assert get_visibility(ada)[0] == "full"


def test_wish_to_be_hidden_limits_undoing_the_changes_of_others(ada, owner):
    officer = make_officer()
    with act_as(officer):
        set_visibility(ada, "initials")
    first = last_step()
    with act_as(owner):
        set_visibility(ada, "anonymous")
    refused(first, officer, "It was changed again later")
    release_page(ada)  # the wish stays without the account
    with act_as(officer):
        set_visibility(ada, "full")
        undo_step(last_step())
    assert get_visibility(ada)[0] == "anonymous"


def test_wish_not_to_show_the_age_is_undone_by_the_player_only(ada, owner):
    Player.objects.update(birth_public=True)
    with act_as(owner):
        set_visibility(ada, "full", birth_public=False)
    refused(last_step(), make_officer(), "chose not to show their birth year")
    with act_as(owner):
        undo_step(last_step())
    assert get_visibility(ada) == ("full", True)


def test_wish_of_a_merged_player_stays(ada, owner):
    ben, officer = make_player("Ben"), make_officer()
    with act_as(owner):
        set_visibility(ada, "anonymous")
    record = merge_players(Player.objects.get(pk=ada.pk), ben, reason="one")
    step = last_step()
    assert (step.player, step.values) == (ben, {"shown": ["full", "anonymous"], "own": False, "merge": record.pk})
    refused(step, officer, "undo the merge first")
    with act_as(officer):
        set_visibility(ben, "initials")
        set_visibility(ben, "full")
    with act_as(officer):
        undo_step(last_step())  # to initials, which is more hidden than now
    assert get_visibility(ben)[0] == "initials"


def test_visibility_before_a_merge_is_restored_by_undoing_both_steps(ada):
    ben, officer = make_player("Ben", shown="anonymous"), make_officer()
    record = merge_players(ben, ada, reason="one")
    step = last_step()
    undo_merge(record)
    assert get_visibility(ada)[0] == "anonymous"
    with act_as(officer):
        undo_step(step)
    assert (get_visibility(ada)[0], get_visibility(ben)[0]) == ("full", "anonymous")


def test_visibility_changed_past_the_record_stays(ada):
    set_visibility(ada, "initials")
    Player.objects.update(shown="anonymous")
    refused(last_step(), make_officer(), "no longer shown like that")


# rating lists that were imported

FIELDS = {"country": "DE", "grade": None, "prior_grade": None, "rating": 1600, "games": 40}


def line(number, family, given="Anna", **fields):
    return ParsedPlayer(number, family, given, **FIELDS | fields)


def imported(rating_list, *lines, day=DAY):
    problems = Problems()
    import_rating_list(ParsedList(day, lines), rating_list, problems, day=day, source="list.txt")
    assert not problems.fatal
    return last_step()


def everything():
    """Return all that an import may change."""
    return [
        [{name: value for name, value in row.items() if name != "version"} for row in model.objects.order_by("pk").values()]
        for model in (Player, Adjustment, ListPlayer, Standing)
    ]  # fmt: skip


def test_undone_import_leaves_nothing_of_it(fesa):
    officer = make_officer()
    make_player("Muster", "Anna", country="")
    known = make_player("Novák", "Anna", country="CZ", birth_year=1980)
    ListPlayer.objects.create(list=fesa, player=known, start_year=2001)
    before = everything()
    details = {"prior_grade": "2 Dan", "birth_year": 1980}
    with act_as(officer):
        step = imported(fesa, line(2, "Muster", **details), line(3, "Novák", **details), line(4, "Solo", **details))
        assert (step.by, step.list, step.reason, Player.objects.count()) == (officer, fesa, "list.txt", 3)
        assert (step_undo_problem(step), undo_step(step, reason="wrong year")) == ("", "")
    assert everything() == before
    assert (undone(step), list(find_differences(fesa))) == ((officer, True, "wrong year"), [])
    again = imported(fesa, line(2, "Muster", **details), line(3, "Novák", **details), line(4, "Solo", **details))
    assert (len(again.values["new"]), Standing.objects.count()) == (1, 3)


def test_undoing_an_import_keeps_later_changes(fesa):
    ada = make_player("Muster", "Anna", country="")
    step = imported(
        fesa, line(2, "Muster", prior_grade="2 Dan"), line(3, "Solo"), line(4, "Novák", prior_grade="1 Dan")
    )
    solo = Player.objects.get(family_name="Solo")
    Membership.objects.create(player=solo, club=Club.objects.create(name="Club"))
    Player.objects.filter(pk=ada.pk).update(country="AT")
    ListPlayer.objects.filter(player=ada).update(prior_grade="3 Dan")
    warning = undo_step(step)
    assert warning == "Created by the import and not deleted, because other data refers to them: Solo Anna."
    assert [(p.name, p.country.code) for p in Player.objects.order_by("pk")] == [
        ("Muster Anna", "AT"),
        ("Solo Anna", "DE"),
    ]
    assert [(row.player, row.prior_grade) for row in ListPlayer.objects.all()] == [(ada, "3 Dan")]
    assert (Adjustment.objects.count(), Standing.objects.count()) == (0, 0)


def test_import_stays_when_a_table_was_rated_with_it(fesa, rate_all):
    step = imported(fesa, line(2, "Muster"), line(3, "Solo"))
    officer, pair = make_officer(), list(Player.objects.order_by("pk"))
    table = make_table(fesa, pair, [(1, 1, 2, 1.0)], "2026-07-01", event_name="Summer Cup")
    refused(step, officer, "Summer Cup was rated with these ratings. Undo is possible while no accepted event has")
    table.event.delete()
    with act_as(officer):
        assert step_undo_problem(step) == ""


def test_import_before_existing_tables_can_be_undone(fesa, rate_all):
    anna, jan = make_player("Muster", "Anna", country="DE"), make_player("Beispiel", "Jan", country="DE")
    make_table(fesa, [anna, jan], [(1, 1, 2, 1)], "2026-06-01")
    rate_all()
    before = stored_digest(fesa)
    step = imported(fesa, line(4, "Muster"), line(5, "Beispiel", "Jan"))
    assert stored_digest(fesa) != before
    undo_step(step)
    assert (stored_digest(fesa), list(find_differences(fesa))) == (before, [])


def test_import_stays_when_other_steps_depend_on_it(fesa):
    officer = make_officer()
    step = imported(fesa, line(2, "Muster"), line(3, "Solo"))
    one, other = Player.objects.order_by("pk")
    record = merge_players(other, one, reason="one")
    refused(step, officer, "Muster Anna" if other.family_name == "Muster" else "Solo Anna")
    undo_merge(record)
    adjustment = Adjustment.objects.get(player=one)
    adjustment.set = adjustment.set | {"rating": 1700}
    save_adjustment(adjustment)
    refused(step, officer, "The starting rating of Muster Anna was changed since")
    adjustment.set["rating"] = 1600
    save_adjustment(adjustment)
    decision = Decision(list=fesa, player=one, grade="1 Kyu", date=DAY, ruling="given", reason="r")
    save_adjustment(decision)
    refused(step, officer, "Grades of these players were decided or announced since")
    decision.delete()
    with act_as(officer):
        assert step_undo_problem(step) == ""
    printed = DatedList.objects.create(list=fesa, day=dt.date(2026, 6, 2))
    DatedLine.objects.create(dated=printed, player=one, rank=1, rating=1600)
    refused(step, officer, "The list published for 2 Jun 2026 shows these ratings")


def test_import_is_undone_by_officers_of_the_list_only(fesa):
    step = imported(fesa, line(2, "Muster"))
    fesa.officers.add(make_officer("of-fesa"))
    for user in (make_officer("other"), make_user("stranger")):
        with act_as(user), pytest.raises(PermissionDenied):
            undo_step(step)
    assert Adjustment.objects.count() == 1


def test_undone_import_restores_the_gender_unless_it_was_changed(fesa):
    Federation.objects.update(records_gender=True)
    fesa = RatingList.objects.get(pk=fesa.pk)
    for name in ("Muster", "Novák"):
        make_player(name, "Anna", country="DE")
    step = imported(fesa, line(2, "Muster", gender="female"), line(3, "Novák", gender="female"))
    Player.objects.filter(family_name="Novák").update(gender="other")
    undo_step(step)
    assert dict(Player.objects.values_list("family_name", "gender")) == {"Muster": "", "Novák": "other"}


def test_records_of_earlier_imports_have_no_gender(fesa):
    anna = make_player("Muster", "Anna", country="")
    step = imported(fesa, line(2, "Muster", birth_year=1980))
    ((pk, before, after),) = step.values["details"]
    step.values["details"] = [[pk, before[:2], after[:2]]]
    step.save()
    undo_step(step)
    anna.refresh_from_db()
    assert (anna.country.code, anna.birth_year) == ("", None)


def test_wish_not_to_show_the_gender_is_undone_by_the_player_only(ada, owner):
    Player.objects.update(gender="female", gender_public=True)
    with act_as(owner):
        set_visibility(ada, "full", gender_public=False)
    assert last_step().values == {"gender_public": [True, False], "own": True}
    refused(last_step(), make_officer(), "chose not to show their gender")
    with act_as(owner):
        undo_step(last_step())
    assert Player.objects.get(pk=ada.pk).gender_public is True
