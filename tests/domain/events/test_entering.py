"""Entries for announced events: places, the waiting list, withdrawing, undoing, and who is told."""

import datetime as dt

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import ValidationError

from ratings.domain.events import entering
from ratings.domain.events.entering import ask_to_enter, enter_again, enter_player, withdraw_entry
from ratings.domain.events.managing_entries import (
    add_entry,
    confirm_entry,
    give_place,
    move_up,
    refuse_entry,
    remove_entry,
    save_entry_list,
    undo_entry_change,
)
from ratings.domain.players.erasing import erase_person
from ratings.domain.players.merging import merge_players, undo_merge
from ratings.domain.results.submitting import announce_event
from ratings.domain.site.outbox import deliver_outbox
from ratings.domain.site.retention import delete_expired
from ratings.models import EntryList, Event, EventEntry, Notification, OutgoingMail
from ratings.queries.events.entries import last_changed_entry
from tests.factories import make_event, make_list, make_player, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel("2024-05-04 12:00"):
        yield


@pytest.fixture
def event():
    organiser = make_user("organiser", email="organiser@example.org")
    event = make_event("Cup", "2024-06-01", [make_list()], state="draft", created_by=organiser, place="Gent")
    announce_event(event)
    event.refresh_from_db()
    EntryList.objects.create(event=event, limit=2)
    return event


def sent(event, family="Adler", **fields):
    return ask_to_enter(
        EventEntry(event=event, family_name=family, **{"given_name": "Ina", "email": "ina@example.org"} | fields)
    )


def states(event):
    return {str(entry): entry.state for entry in event.player_entries.order_by("pk")}


def list_mails():
    """Deliver the mails that wait; return recipient, subject and the paragraphs about the entry."""
    deliver_outbox()
    mails = [(each.to[0], each.subject, each.body.split("\n\n")[1:-2]) for each in mail.outbox]
    mail.outbox.clear()
    return mails


def test_players_enter_until_the_event_is_full_then_wait(event):
    players = [make_player(name) for name in ("A", "B", "C", "D")]
    entries = [enter_player(event, player) for player in players]
    assert [(entry.state, entry.position) for entry in entries] == [
        ("confirmed", 0), ("confirmed", 0), ("waiting", 1), ("waiting", 2),
    ]  # fmt: skip


def test_player_cannot_enter_twice(event):
    player = make_player("A")
    enter_player(event, player)
    with pytest.raises(ValidationError, match="You have entered this event already"):
        enter_player(event, player)
    assert event.player_entries.count() == 1


def test_withdrawing_gives_the_place_to_the_first_of_the_waiting_list_and_tells_them(event):
    account = make_user("cara", email="cara@example.org")
    players = [make_player("A"), make_player("B"), make_player("C", account=account), make_player("D")]
    entries = [enter_player(event, player) for player in players]
    list_mails()
    withdraw_entry(entries[0])
    assert states(event) == {"A": "withdrawn", "B": "confirmed", "C": "confirmed", "D": "waiting"}
    ((address, subject, body),) = list_mails()
    assert (address, subject) == ("cara@example.org", "Cup: entered")
    assert body[:2] == ["Player: C", "You are entered for this event."]


def test_entry_of_the_form_waits_for_the_organisers_who_get_one_mail(event):
    first, second = sent(event), sent(event, "Brand", email="leo@example.org")
    assert states(event) == {"Adler Ina": "asked", "Brand Ina": "asked"}
    assert list_mails() == [
        (
            "organiser@example.org",
            "Cup: an entry to confirm",
            ["Adler Ina wants to play. Confirm or refuse the entry on the event’s page."],
        )
    ]
    confirm_entry(first)
    refuse_entry(second)
    assert [(address, subject) for address, subject, _body in list_mails()] == [
        ("ina@example.org", "Cup: entered"),
        ("leo@example.org", "Cup: refused"),
    ]


def test_entry_that_was_answered_sends_no_mail_to_the_organisers(event):
    confirm_entry(sent(event))
    assert [address for address, _subject, _body in list_mails()] == ["ina@example.org"]


def test_form_refuses_the_same_entry_twice(event):
    sent(event)
    with pytest.raises(ValidationError, match="was sent already"):
        sent(event, "ADLER", email="INA@example.org")
    sent(event, "Brand")
    assert states(event) == {"Adler Ina": "asked", "Brand Ina": "asked"}


def test_form_takes_no_more_when_too_many_entries_wait(event, monkeypatch):
    monkeypatch.setattr(entering, "MAX_WAITING_FOR_ANSWER", 1)
    sent(event)
    with pytest.raises(ValidationError, match="Too many entries wait"):
        sent(event, "Brand")


def test_confirming_links_the_entry_with_the_player_it_means(event):
    ina = make_player("Adler", "Ina")
    entry = confirm_entry(sent(event), ina)
    assert (entry.player, entry.state) == (ina, "confirmed")
    with pytest.raises(ValidationError, match="Adler Ina has an entry already"):
        confirm_entry(sent(event, "Adler", given_name="I."), ina)
    with pytest.raises(ValidationError, match="is entered already"):
        confirm_entry(entry)


def test_confirmed_entry_of_a_full_event_waits_and_organisers_can_give_it_a_place(event):
    for name in ("A", "B"):
        add_entry(EventEntry(event=event, family_name=name))
    entry = confirm_entry(sent(event))
    assert entry.state == "waiting"
    assert give_place(entry).state == "confirmed"
    assert event.player_entries.filter(state="confirmed").count() == 3
    with pytest.raises(ValidationError, match="is not on the waiting list"):
        give_place(entry)


def test_refused_player_who_enters_again_asks_the_organisers(event):
    player = make_player("A")
    entry = remove_entry(enter_player(event, player))
    assert enter_player(event, player).state == "asked"
    assert EventEntry.objects.get().pk == entry.pk


def test_withdrawn_player_enters_again(event):
    entry = withdraw_entry(enter_player(event, make_player("A")))
    assert enter_again(entry).state == "confirmed"
    asked = withdraw_entry(sent(event))
    assert enter_again(asked).state == "asked"
    with pytest.raises(ValidationError, match="to be confirmed"):
        enter_again(asked)


def test_organisers_add_a_player_again_who_had_withdrawn(event):
    player = make_player("A")
    withdraw_entry(enter_player(event, player))
    assert add_entry(EventEntry(event=event, player=player)).state == "confirmed"
    with pytest.raises(ValidationError, match="A is entered already"):
        add_entry(EventEntry(event=event, player=player))
    assert event.player_entries.count() == 1


def test_waiting_list_is_reordered(event):
    entries = [enter_player(event, make_player(name)) for name in "ABCDE"]
    for entry in (entries[4], entries[4], entries[4]):
        move_up(entry)
    waiting = event.player_entries.filter(state="waiting").order_by("position")
    assert [str(entry) for entry in waiting] == ["E", "C", "D"]
    remove_entry(entries[0])
    assert states(event)["E"] == "confirmed"


def test_more_places_go_to_the_waiting_list(event):
    for name in "ABCDE":
        enter_player(event, make_player(name))
    event.entry_list.limit = 4
    save_entry_list(event.entry_list)
    assert list(states(event).values()) == ["confirmed"] * 4 + ["waiting"]
    event.entry_list.limit = None
    save_entry_list(event.entry_list)
    assert set(states(event).values()) == {"confirmed"}


def test_fewer_places_remove_nobody(event):
    for name in "AB":
        enter_player(event, make_player(name))
    event.entry_list.limit = 1
    save_entry_list(event.entry_list)
    assert states(event) == {"A": "confirmed", "B": "confirmed"}


@pytest.mark.parametrize("change", [remove_entry, withdraw_entry])
def test_change_of_an_entered_player_can_be_undone(event, change):
    entry = change(enter_player(event, make_player("A")))
    assert undo_entry_change(entry).state == "confirmed"
    with pytest.raises(ValidationError, match="nothing to undo"):
        undo_entry_change(entry)


def test_refusing_and_confirming_can_be_undone(event):
    entry = sent(event)
    refuse_entry(entry)
    assert undo_entry_change(entry).state == "asked"
    confirm_entry(entry)
    assert undo_entry_change(entry).state == "asked"
    refuse_entry(entry)
    assert confirm_entry(entry).state == "confirmed"


def test_undoing_a_removal_leaves_the_place_to_who_got_it(event):
    entries = [enter_player(event, make_player(name)) for name in "ABC"]
    remove_entry(entries[0])
    last = last_changed_entry(event)
    assert str(last) == "A"
    undo_entry_change(last)
    assert states(event) == {"A": "confirmed", "B": "confirmed", "C": "confirmed"}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"is_open": False}, "takes no entries here"),
        ({"closes_at": dt.datetime(2024, 5, 4, 11, 59, tzinfo=dt.UTC)}, "Entries closed on 4 May 2024, 11:59 UTC."),
        ({"closes_at": dt.datetime(2024, 5, 4, 12, 30, tzinfo=dt.UTC)}, None),
    ],
)
def test_entries_close(event, fields, problem):
    EntryList.objects.update(**fields)
    if problem is None:
        enter_player(event, make_player("A"))
        return
    with pytest.raises(ValidationError, match=problem):
        enter_player(event, make_player("A"))
    with pytest.raises(ValidationError, match=problem):
        sent(event)
    assert add_entry(EventEntry(event=event, player=make_player("B"))).state == "confirmed"


@pytest.mark.parametrize("fields", [{"announced_at": None}, {"state": "submitted"}, {"state": "void"}])
def test_only_announced_open_events_take_entries(event, fields):
    Event.objects.update(**fields)
    event.refresh_from_db()
    with pytest.raises(ValidationError, match="takes no entries here"):
        enter_player(event, make_player("A"))


def test_event_without_entry_list_takes_no_entries(event):
    EntryList.objects.all().delete()
    with pytest.raises(ValidationError, match="takes no entries here"):
        enter_player(Event.objects.get(), make_player("A"))


def test_entries_end_with_the_first_day(event):
    entry = enter_player(event, make_player("A"))
    with time_machine.travel("2024-06-01 08:00"):
        with pytest.raises(ValidationError, match="The event has begun"):
            enter_player(event, make_player("B"))
        with pytest.raises(ValidationError, match="Tell the organisers"):
            withdraw_entry(entry)
        assert add_entry(EventEntry(event=event, family_name="Late")).state == "confirmed"
        assert remove_entry(entry).state == "removed"


def test_entries_of_submitted_results_do_not_change(event):
    entry = enter_player(event, make_player("A"))
    Event.objects.update(state="submitted")
    for change in (remove_entry, give_place, confirm_entry, undo_entry_change, move_up, refuse_entry):
        with pytest.raises(ValidationError, match="can no longer be changed"):
            change(EventEntry.objects.get(pk=entry.pk))


def test_addresses_and_messages_are_erased_after_the_event(event):
    sent(event, message="vegetarian")
    with time_machine.travel("2024-07-01 12:00"):
        assert delete_expired()["contacts"] == 0
    with time_machine.travel("2024-07-02 12:00"):
        assert delete_expired()["contacts"] == 1
    assert EventEntry.objects.values_list("family_name", "email", "message").get() == ("Adler", "", "")


def test_entries_move_when_players_are_merged(event):
    gone, kept, other = make_player("Double"), make_player("Single"), make_event("Open", "2024-07-01", state="draft")
    for player, of in ((gone, event), (kept, event), (gone, other)):
        EventEntry.objects.create(event=of, player=player, state="confirmed")
    merge = merge_players(gone, kept, reason="same person")
    assert list(kept.event_entries.values_list("event__name", flat=True).order_by("event__name")) == ["Cup", "Open"]
    undo_merge(merge)
    assert list(gone.event_entries.values_list("event__name", flat=True).order_by("event__name")) == ["Cup", "Open"]


def test_erasing_a_person_deletes_their_entries(event):
    player = make_player("Adler", "Ina")
    EventEntry.objects.create(event=event, player=player, message="I am Ina Adler")
    sent(event)
    sent(event, "Brand", message="I come with Ina Adler", email="leo@example.org")
    erase_person(player, reason="letter of 2024-05-01")
    rest = EventEntry.objects.get()
    assert (rest.family_name, rest.message) == ("Brand", f"I come with Player {player.public_id}")


def test_mails_are_written_once(event):
    entry = confirm_entry(sent(event))
    assert Notification.objects.count() == 2
    list_mails()
    assert (Notification.objects.count(), OutgoingMail.objects.count()) == (0, 0)
    withdraw_entry(entry)
    assert list_mails() == []
