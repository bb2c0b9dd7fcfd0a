"""Claiming a page, answering, giving it up; what a claimed page and a hidden name go through when players are merged."""

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from ratings.domain.acting import acting
from ratings.domain.claims import answer_claim, claim, release, send_claim
from ratings.domain.merging import merge, undo
from ratings.domain.roles import OFFICERS
from ratings.domain.visibility import set_visibility
from ratings.models import Claim, Player
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
    made = claim(player, user, "me")
    answer_claim(made, granted=True)
    return made


def test_granted_claim_gives_the_page_and_both_sides_are_told(ada, user, officer, django_capture_on_commit_callbacks):
    Player.objects.update(shown="anonymous")
    ada.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        made = claim(ada, user, "  Ben knows me ")
    assert (made.state, made.note, owner(ada)) == ("open", "Ben knows me", None)
    with django_capture_on_commit_callbacks(execute=True), acting(officer):
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
    made = claim(ada, user, "me")
    with pytest.raises(ValidationError, match="Say why it is declined"):
        answer_claim(made, granted=False, answer=" ")
    answer_claim(made, granted=False, answer="Who are you?")
    assert (Claim.objects.get().state, owner(ada)) == ("declined", None)
    assert claim(ada, user, "Ben's sister").state == "open"


def test_answered_claim_is_not_answered_again(ada, user):
    made = granted(ada, user)
    for verdict in (True, False):
        with pytest.raises(ValidationError, match="answered already"):
            answer_claim(made, granted=verdict, answer="no")
    assert (Claim.objects.get().state, owner(ada)) == ("granted", user)


def test_claim_needs_a_word(ada, user):
    with pytest.raises(ValidationError):
        claim(ada, user, "  ")
    assert Claim.objects.count() == 0


def test_one_open_claim_per_user(ada, user):
    claim(ada, user, "me")
    with pytest.raises(ValidationError, match="wait for the answer"):
        claim(make_player(), user, "me too")
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.create(player=make_player(), user=user, note="x")
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.update(state="lost")


def test_one_page_and_one_account_each(ada, user):
    other, ben = make_user("other"), make_player("Ben")
    rivals = claim(ada, other, "me"), claim(ada, user, "no, me")
    answer_claim(rivals[1], granted=True)
    with pytest.raises(ValidationError, match="has an account already"):
        answer_claim(rivals[0], granted=True)
    with pytest.raises(ValidationError, match="has an account already"):
        claim(ada, make_user("third"), "me")
    with pytest.raises(ValidationError, match="Your account has a page already"):
        claim(ben, user, "me as well")
    late = Claim.objects.create(player=ben, user=user, note="from before")
    with pytest.raises(ValidationError, match="has another page already"):
        answer_claim(late, granted=True)
    assert (owner(ada), owner(ben), Claim.objects.filter(state="open").count()) == (user, None, 2)


def test_merged_player_is_not_claimed(ada, user):
    ben = make_player("Ben")
    made = claim(ben, user, "me")
    merge(ben, ada, reason="one")
    with pytest.raises(ValidationError, match="merged with another"):
        answer_claim(made, granted=True)
    with pytest.raises(ValidationError, match="merged with another"):
        claim(Player.objects.get(pk=ben.pk), make_user("other"), "me")
    assert (owner(ben), owner(ada)) == (None, None)


def test_released_page_stays_as_it_is_shown(ada, user):
    granted(ada, user)
    set_visibility(ada, "initials")
    release(ada)
    ada.refresh_from_db()
    assert (ada.account, ada.shown) == (None, "initials")


def test_hidden_player_stays_hidden_without_his_account(ada, user):
    granted(ada, user)
    set_visibility(ada, "anonymous")
    user.delete()
    ada.refresh_from_db()
    assert (ada.account, ada.shown, Claim.objects.count()) == (None, "anonymous", 0)


def test_mail_of_a_claim_that_is_gone_is_none(db):
    send_claim(1)
    assert mail.outbox == []


def test_account_goes_along_with_a_merge_and_back(ada, user):
    ben = make_player("Ben")
    granted(ben, user)
    record = merge(Player.objects.get(pk=ben.pk), ada, reason="one")
    assert (owner(ben), owner(ada), record.moved["account"]) == (None, user, [user.pk])
    undo(record)
    assert (owner(ben), owner(ada)) == (user, None)


def test_account_of_who_is_kept_stays(ada, user):
    ben, other = make_player("Ben"), make_user("other")
    granted(ada, user)
    granted(ben, other)
    record = merge(Player.objects.get(pk=ben.pk), Player.objects.get(pk=ada.pk), reason="one")
    assert (owner(ada), owner(ben), record.moved["account"]) == (user, other, [])
    undo(record)
    assert (owner(ada), owner(ben)) == (user, other)


def test_account_released_meanwhile_does_not_come_back(ada, user):
    ben = make_player("Ben")
    granted(ben, user)
    record = merge(Player.objects.get(pk=ben.pk), ada, reason="one")
    release(ada)
    undo(record)
    assert (owner(ben), owner(ada)) == (None, None)
