"""Claiming a page, answering, giving it up; what a claimed page and a hidden name go through when players are merged."""

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from ratings.domain.players.claims import answer_claim, create_claim, release_page, send_claim_mails
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.players.visibility import set_visibility
from ratings.domain.site.acting import act_as
from ratings.domain.site.roles import OFFICERS
from ratings.models import Claim, OutgoingMail, Player
from tests.factories import make_player, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return make_player("Adler", "Zoë")


@pytest.fixture
def user():
    return make_user("zoe", email="zoe@example.org")


@pytest.fixture
def officer():
    officer = make_user("officer", email="officer@example.org")
    officer.groups.add(Group.objects.get(name=OFFICERS))
    return officer


def owner(player):
    return Player.objects.get(pk=player.pk).account


def granted(player, user):
    made = create_claim(player, user, "me")
    answer_claim(made, granted=True)
    return made


def test_granted_claim_gives_the_page_and_notifies_both_sides(ada, user, officer, django_capture_on_commit_callbacks):
    Player.objects.update(shown="anonymous")
    ada.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        made = create_claim(ada, user, "  Ben knows me ")
    assert (made.state, made.note, owner(ada)) == ("open", "Ben knows me", None)
    with django_capture_on_commit_callbacks(execute=True), act_as(officer):
        answer_claim(made, granted=True, answer="Welcome")
    made.refresh_from_db()
    assert (made.state, made.answer, made.answered_by, owner(ada)) == ("granted", "Welcome", officer, user)
    assert made.answered_at is not None
    assert [(sent.to, sent.subject) for sent in mail.outbox] == [
        (["officer@example.org"], "Claim of the page of Adler Zoë: open"),
        (["zoe@example.org"], f"Claim of the page of Player {ada.public_id}: granted"),
    ]
    assert ["Ben knows me" in mail.outbox[0].body, "Welcome" in mail.outbox[1].body] == [True, True]


def test_declined_claim_gives_nothing_and_may_be_made_again(ada, user):
    made = create_claim(ada, user, "me")
    with pytest.raises(ValidationError, match="Enter the reason for declining"):
        answer_claim(made, granted=False, answer=" ")
    answer_claim(made, granted=False, answer="Who are you?")
    assert (Claim.objects.get().state, owner(ada)) == ("declined", None)
    assert create_claim(ada, user, "Ben's sister").state == "open"


def test_answered_claim_is_not_answered_again(ada, user):
    made = granted(ada, user)
    for verdict in (True, False):
        with pytest.raises(ValidationError, match="already answered"):
            answer_claim(made, granted=verdict, answer="no")
    assert (Claim.objects.get().state, owner(ada)) == ("granted", user)


def test_claim_needs_a_word(ada, user):
    with pytest.raises(ValidationError):
        create_claim(ada, user, "  ")
    assert Claim.objects.count() == 0


def test_one_open_claim_per_user(ada, user):
    create_claim(ada, user, "me")
    with pytest.raises(ValidationError, match="Wait for the answer"):
        create_claim(make_player(), user, "me too")
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.create(player=make_player(), user=user, note="x")
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.update(state="lost")


def test_one_page_and_one_account_each(ada, user):
    other, ben = make_user("other"), make_player("Ben")
    rivals = create_claim(ada, other, "me"), create_claim(ada, user, "no, me")
    answer_claim(rivals[1], granted=True)
    with pytest.raises(ValidationError, match="already belongs to an account"):
        answer_claim(rivals[0], granted=True)
    with pytest.raises(ValidationError, match="already belongs to an account"):
        create_claim(ada, make_user("third"), "me")
    with pytest.raises(ValidationError, match="Your account already has a page"):
        create_claim(ben, user, "me as well")
    late = Claim.objects.create(player=ben, user=user, note="from before")
    with pytest.raises(ValidationError, match="already has another page"):
        answer_claim(late, granted=True)
    assert (owner(ada), owner(ben), Claim.objects.filter(state="open").count()) == (user, None, 2)


def test_merged_player_is_not_claimed(ada, user):
    ben = make_player("Ben")
    made = create_claim(ben, user, "me")
    merge_players(ben, ada, reason="one")
    with pytest.raises(ValidationError, match="merged with another"):
        answer_claim(made, granted=True)
    with pytest.raises(ValidationError, match="merged with another"):
        create_claim(Player.objects.get(pk=ben.pk), make_user("other"), "me")
    assert (owner(ben), owner(ada)) == (None, None)


def test_released_page_stays_as_it_is_shown(ada, user):
    granted(ada, user)
    set_visibility(ada, "initials")
    release_page(ada)
    ada.refresh_from_db()
    assert (ada.account, ada.shown) == (None, "initials")


def test_hidden_player_stays_hidden_without_their_account(ada, user):
    granted(ada, user)
    set_visibility(ada, "anonymous")
    user.delete()
    ada.refresh_from_db()
    assert (ada.account, ada.shown, Claim.objects.count()) == (None, "anonymous", 0)


def test_no_mail_is_sent_for_a_deleted_claim(db):
    send_claim_mails(1)
    assert OutgoingMail.objects.count() == 0


def test_merge_moves_the_account_and_undoing_moves_it_back(ada, user):
    ben = make_player("Ben")
    granted(ben, user)
    record = merge_players(Player.objects.get(pk=ben.pk), ada, reason="one")
    assert (owner(ben), owner(ada), record.moved["account"]) == (None, user, [user.pk])
    undo_merge(record)
    assert (owner(ben), owner(ada)) == (user, None)


def test_merge_keeps_the_account_of_the_remaining_player(ada, user):
    ben, other = make_player("Ben"), make_user("other")
    granted(ada, user)
    granted(ben, other)
    record = merge_players(Player.objects.get(pk=ben.pk), Player.objects.get(pk=ada.pk), reason="one")
    assert (owner(ada), owner(ben), record.moved["account"]) == (user, other, [])
    undo_merge(record)
    assert (owner(ada), owner(ben)) == (user, other)


def test_undoing_a_merge_does_not_restore_a_released_account(ada, user):
    ben = make_player("Ben")
    granted(ben, user)
    record = merge_players(Player.objects.get(pk=ben.pk), ada, reason="one")
    release_page(ada)
    undo_merge(record)
    assert (owner(ben), owner(ada)) == (None, None)


def test_officers_cannot_approve_their_own_claims(ada, officer):
    made = create_claim(ada, officer, "me")
    with act_as(officer), pytest.raises(ValidationError, match="Another officer must answer your claim"):
        answer_claim(made, granted=True)
    assert (Claim.objects.get().state, owner(ada)) == ("open", None)
    with act_as(officer):
        answer_claim(made, granted=False, answer="a mistake of mine")  # taking it back is no approval
    assert (Claim.objects.get().state, owner(ada)) == ("declined", None)


def test_another_officer_can_approve_an_officers_claim(ada, officer):
    made, other = create_claim(ada, officer, "me"), make_user("other")
    with act_as(other):
        answer_claim(made, granted=True)
    assert (Claim.objects.get().answered_by, owner(ada)) == (other, officer)
