"""Results in the hall: stored once, never lost, and two different ones are a question."""

from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from ratings.domain.results.hall.links import join_by_link, make_link, remove_helper, restore_helper, revoke_link
from ratings.domain.results.hall.recording import BoardMissingError, Device, Tap, record_tap
from ratings.models import HallResult

from .halls import EVA, TIM, board_of, make_hall, summarise, tap

pytestmark = pytest.mark.django_db


def test_result_that_is_sent_twice_is_stored_once():
    hall, uuid = make_hall(), uuid4()
    assert tap(hall, TIM, 1, "first", uuid=uuid) == tap(hall, TIM, 1, "first", uuid=uuid)
    assert summarise(hall, 1) == ("first", [("tim", "first")])
    assert HallResult.objects.count() == 1


def test_equal_results_of_two_phones_agree():
    hall = make_hall()
    tap(hall, TIM, 1, "draw")
    tap(hall, EVA, 1, "draw")
    assert summarise(hall, 1) == ("draw", [("tim", "draw"), ("eva", "draw")])


def test_different_results_of_two_phones_are_a_question_until_it_is_decided():
    hall = make_hall()
    tap(hall, TIM, 1, "first")
    tap(hall, EVA, 1, "second")
    assert summarise(hall, 1) == (None, [("tim", "first"), ("eva", "second")])
    tap(hall, TIM, 1, "second", decides=True)
    assert summarise(hall, 1) == ("second", [("tim", "second")])
    assert list(HallResult.objects.values_list("device", "code", "decides")) == [
        ("tim", "first", False), ("eva", "second", False), ("tim", "second", True),
    ]  # fmt: skip


def test_decision_leaves_results_that_it_had_not_seen():
    hall = make_hall()
    seen = tap(hall, TIM, 1, "first").pk
    tap(hall, EVA, 1, "second")
    tap(hall, TIM, 1, "first", decides=True, seen=seen)
    assert summarise(hall, 1) == (None, [("eva", "second"), ("tim", "first")])


def test_clearing_removes_the_own_result():
    hall = make_hall()
    tap(hall, TIM, 1, "first")
    tap(hall, TIM, 1, "clear")
    assert summarise(hall, 1) == (None, [])


def test_clearing_the_result_of_another_phone_is_a_question():
    hall = make_hall()
    tap(hall, TIM, 1, "first")
    tap(hall, EVA, 1, "clear")
    assert summarise(hall, 1) == (None, [("tim", "first"), ("eva", "clear")])
    tap(hall, TIM, 1, "clear")
    assert summarise(hall, 1) == (None, [])


def test_bye_is_a_win_unless_something_else_is_entered():
    hall = make_hall(pairings="Adler – Brand\nLind – bye")
    assert summarise(hall, 2) == ("first", [])
    tap(hall, TIM, 2, "second")
    assert summarise(hall, 2) == ("second", [("tim", "second")])


def test_result_of_a_deleted_board_is_refused():
    hall = make_hall()
    with pytest.raises(BoardMissingError, match="no longer exists"):
        record_tap(hall, TIM, Tap(0, "first", uuid4()))


def test_unknown_result_is_refused():
    with pytest.raises(ValidationError, match="Unknown result “3”"):
        tap(make_hall(), TIM, 1, "3")


def test_result_is_refused_after_the_submission():
    hall = make_hall()
    hall.event.state = "submitted"
    hall.event.save()
    with pytest.raises(ValidationError, match="can no longer be changed"):
        tap(hall, TIM, 1, "first")


def test_removed_helper_stores_no_more_results_until_taken_back():
    hall = make_hall()
    link = make_link(hall, "Wall")
    tim, eva = (Device(name, name.title(), None, link) for name in ("tim", "eva"))
    join_by_link(link, "tim", "Tim")
    tap(hall, tim, 1, "first")
    tap(hall, eva, 1, "first")  # joined before the portal recorded it
    for device in (tim, eva):
        assert remove_helper(link, device.id) == device.name
        assert remove_helper(link, device.id) == device.name  # pressed twice
        with pytest.raises(ValidationError, match="This link has ended"):
            tap(hall, device, 2, "first")
        with pytest.raises(ValidationError, match="This link has ended"):
            join_by_link(link, device.id, "Another name")
    assert board_of(hall, 1).results.count() == 2
    restore_helper(link, "tim")
    tap(hall, tim, 2, "first")
    link.refresh_from_db()
    assert [(helper["device"], "removed" in helper) for helper in link.helpers] == [("eva", True), ("tim", False)]
    with pytest.raises(ValidationError, match="This helper is not known"):
        remove_helper(link, "nobody")


def test_link_keeps_all_removed_helpers(monkeypatch):
    monkeypatch.setattr("ratings.domain.results.hall.links.MAX_HELPERS", 2)
    link = make_link(make_hall(), "Wall")
    for name in ("a", "b"):
        join_by_link(link, name, name)
    remove_helper(link, "a")
    for name in ("c", "d"):
        join_by_link(link, name, name)
    link.refresh_from_db()
    assert [helper["device"] for helper in link.helpers] == ["a", "c", "d"]


def test_revoked_link_stores_no_more_results():
    hall = make_hall()
    link = make_link(hall, "Tim")
    device = Device("tim", "Tim", None, link)
    stored = tap(hall, device, 1, "first")
    revoke_link(link)
    with pytest.raises(ValidationError, match="This link has ended"):
        tap(hall, device, 2, "first")
    assert tap(hall, device, 1, "first", uuid=stored.uuid) == stored  # an answer that was lost
    assert board_of(hall, 2).results.count() == 0
