"""Players enter announced events on their pages, see their entries and withdraw them."""

import datetime as dt

import pytest
import time_machine
from django.core.cache import cache
from django.core.signing import TimestampSigner
from django.test import Client

from ratings.domain.events.entering import enter_player
from ratings.domain.events.managing_entries import confirm_entry
from ratings.domain.results.submitting import announce_event
from ratings.models import EntryList, Event, EventEntry, Player
from tests.factories import give_rating, make_event, make_list, make_player, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel("2024-05-04 12:00", tick=False):
        yield


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def event(fesa):
    event = make_event("Cup", "2024-06-01", [fesa], state="draft", place="Gent", country="BE", public_id="CUP")
    announce_event(event)
    EntryList.objects.create(event=event, limit=3)
    return Event.objects.get()


@pytest.fixture
def ada(client):
    user = make_user("ada", email="ada@example.org")
    client.force_login(user)
    return make_player("Adler", "Ada", account=user, public_id="ADA")


def form_data(**more):
    with time_machine.travel("2024-05-04 11:59", tick=False):
        opened = TimestampSigner(salt="report").sign("1")
    return {
        "family_name": "Brand", "given_name": "Leo", "country": "AT", "club": "Wien", "email": "leo@example.org",
        "message": "vegetarian", "is_listed": "on", "opened": opened,
    } | more  # fmt: skip


def send(client, **more):
    return client.post("/events/CUP/enter/", form_data(**more))


def enter_rated(event, fesa, rate_all):
    """Enter three players with ratings, and one without, who is called Zola."""
    for name, rating, grade in (("Weak", 1200, "5 Kyu"), ("Strong", 1800, "1 Dan"), ("Middle", 1500, "1 Dan")):
        give_rating(fesa, make_player(name, country="FR"), rating, grade=grade)
    make_player("Zola", country="FR")
    rate_all()
    EntryList.objects.update(limit=4)
    for player in Player.objects.order_by("pk"):
        enter_player(event, player)


def rows_of(response):
    return [(str(line.entry), line.rank, line.rating, line.grade) for line in response.context["entries"].lines]


def test_signed_in_player_enters_and_withdraws_with_one_click_each(client, event, ada):
    page = markup(client.get(event.get_absolute_url()))
    assert ("Enter this event" in page, "3 places left" in page) == (True, True)
    assert client.post("/events/CUP/enter/").url == "/events/CUP/entries/"
    page = markup(client.get("/events/CUP/entries/"))
    assert ("You are entered." in page, "2 places left" in page, "Withdraw my entry" in page) == (True, True, True)
    entry = EventEntry.objects.get()
    assert (entry.player, entry.state, entry.changed_by) == (ada, "confirmed", ada.account)
    client.post(f"/events/CUP/entries/{entry.key}/", {"withdraw": ""})
    entry.refresh_from_db()
    assert entry.state == "withdrawn"
    assert "Enter again" in markup(client.get(event.get_absolute_url()))


def test_player_of_a_full_event_joins_the_waiting_list(client, event, ada):
    EntryList.objects.update(limit=1)
    enter_player(event, make_player("Other"))
    assert "Join the waiting list" in markup(client.get(event.get_absolute_url()))
    page = markup(client.post("/events/CUP/enter/", follow=True))
    assert ("you are on the waiting list" in page, "1 on the waiting list" in page) == (True, True)


def test_anybody_enters_by_a_form_that_the_organisers_confirm(client, event):
    form = markup(client.get("/events/CUP/enter/"))
    assert ("Sign in</a> with the account of your player page" in form, 'name="website"' in form) == (True, True)
    response = send(client)
    entry = EventEntry.objects.get()
    assert response.url == f"/events/CUP/entries/{entry.key}/"
    assert (entry.state, entry.typed_name, str(entry.country), entry.club, entry.email, entry.message, entry.is_listed) == (
        "asked", "Brand Leo", "AT", "Wien", "leo@example.org", "vegetarian", True,
    )  # fmt: skip
    page = client.get(response.url)
    assert "to be confirmed" in markup(page)
    assert (page.headers["Cache-Control"].split(", ")[-1], "noindex" in markup(page)) == ("private", True)


def test_form_shows_what_is_wrong_and_keeps_what_was_typed(client, event):
    response = send(client, email="leo", family_name="")
    assert response.status_code == 422
    assert response.context["form"].errors == {
        "family_name": ["This field is required."], "email": ["Enter a valid email address."],
    }  # fmt: skip
    assert ('value="Leo"' in markup(response), "vegetarian" in markup(response)) == (True, True)
    again = send(client)
    assert again.status_code == 302
    twice = send(client)
    assert (twice.status_code, "was sent already" in markup(twice)) == (422, True)


@pytest.mark.parametrize("machine", [{"website": "https://example.org"}, {"opened": ""}, {"opened": "x"}])
def test_form_refuses_machines(client, event, machine):
    assert (send(client, **machine).status_code, EventEntry.objects.count()) == (422, 0)


def test_form_has_a_limit_for_each_address(client, event):
    cache.clear()
    statuses = [send(client, email=f"{number}@example.org").status_code for number in range(6)]
    assert statuses == [302] * 5 + [429]


def test_sender_withdraws_and_enters_again(client, event):
    address = send(client).url
    assert "Withdraw this entry" in markup(client.get(address))
    assert "Your entry is withdrawn" in markup(client.post(address, {"withdraw": ""}, follow=True))
    twice = client.post(address, {"withdraw": ""})
    assert (twice.status_code, "This entry is withdrawn." in markup(twice)) == (422, True)
    client.post(address, {"again": ""})
    assert EventEntry.objects.get().state == "asked"


def test_entry_is_found_by_its_key_only(client, event):
    address = send(client).url
    other = make_event("Open", "2024-07-01", state="draft", public_id="OPEN")
    announce_event(other)
    assert [client.get(path).status_code for path in (
        address, "/events/CUP/entries/x/", address.replace("CUP", "OPEN"), address.upper(),
    )] == [200, 404, 404, 404]  # fmt: skip


def test_public_list_shows_ratings_grades_and_the_strength_of_the_field(client, event, fesa, rate_all):
    enter_rated(event, fesa, rate_all)
    response = client.get("/events/CUP/entries/")
    assert rows_of(response) == [
        ("Strong", 1, 1800, "1 Dan"), ("Middle", 2, 1500, "1 Dan"), ("Weak", 3, 1200, "5 Kyu"), ("Zola", None, None, ""),
    ]  # fmt: skip
    strength = response.context["entries"].strength
    assert (strength.players, strength.rated, strength.average, strength.highest, strength.grades) == (
        4, 3, 1500, 1800, [("1 Dan", 2), ("5 Kyu", 1)],
    )  # fmt: skip
    page = markup(response)
    assert ('aria-current="page">Entries' in page, "By rating you" in page) == (True, False)


def test_player_sees_their_rank_in_the_field(client, event, fesa, ada, rate_all):
    give_rating(fesa, ada, 1600)
    enter_rated(event, fesa, rate_all)
    assert "By rating you are number 2 of 4." in markup(client.get("/events/CUP/entries/"))
    EventEntry.objects.filter(player=ada).update(state="withdrawn")
    assert "By rating you would be number 2." in markup(client.get("/events/CUP/entries/"))


def test_public_list_leaves_out_who_does_not_show_their_name(client, event):
    EntryList.objects.update(limit=None)
    for shown in ("full", "initials", "anonymous"):
        enter_player(event, make_player(f"Name{shown}", "Given", shown=shown))
    make_player("Typed", "Hidden", shown="anonymous")
    for family, listed in (("Open", True), ("Secret", False), ("Hidden", True)):
        given = "Typed" if family == "Hidden" else "X"
        EventEntry.objects.create(
            event=event, family_name=family, given_name=given, is_listed=listed, state="confirmed"
        )
    page = markup(client.get("/events/CUP/entries/"))
    assert [name in page for name in ("Namefull", "N. G.", "Nameinitials", "Nameanonymous", "Open", "Secret", "Hidden")] == [
        True, True, False, False, True, False, False,
    ]  # fmt: skip
    assert ("3 players do not show their names here." in page, "Player " in page) == (True, False)


def test_public_list_has_no_email_address_and_no_message(client, event):
    confirm_entry(EventEntry.objects.get(key=send(client).url.split("/")[-2]))
    page = markup(Client().get("/events/CUP/entries/"))
    assert [text in page for text in ("Brand", "leo@example.org", "vegetarian")] == [True, False, False]


def test_entries_to_confirm_are_not_public(client, event):
    send(client)
    page = markup(Client().get("/events/CUP/entries/"))
    assert ("Brand" in page, "Nobody has entered yet." in page) == (False, True)


def test_list_that_is_not_public_leads_to_the_event(client, event):
    EntryList.objects.update(is_public=False)
    assert client.get("/events/CUP/entries/").url == event.get_absolute_url()
    page = markup(client.get(event.get_absolute_url()))
    assert ("Enter this event" in page, "Who is coming" in page) == (True, False)


def test_event_with_results_has_no_list_of_entries(client, event):
    Event.objects.update(state="accepted")
    assert client.get("/events/CUP/entries/").url == event.get_absolute_url()
    assert client.get("/events/CUP/enter/").status_code == 404


def test_event_without_entries_has_no_form(client, event):
    EntryList.objects.all().delete()
    assert client.get("/events/CUP/entries/").url == event.get_absolute_url()
    assert client.get("/events/CUP/enter/").status_code == 404
    assert "Enter this event" not in markup(client.get(event.get_absolute_url()))


def test_closed_entries_say_since_when(client, event, ada):
    EntryList.objects.update(closes_at=dt.datetime(2024, 5, 4, 11, tzinfo=dt.UTC))
    for address in (event.get_absolute_url(), "/events/CUP/entries/", "/events/CUP/enter/"):
        assert "Entries closed on 4 May 2024, 11:00 UTC." in markup(client.get(address))
    page = markup(client.post("/events/CUP/enter/", follow=True))
    assert ("Entries closed on" in page, EventEntry.objects.count()) == (True, 0)
    assert (send(Client()).status_code, EventEntry.objects.count()) == (422, 0)


def test_many_entries_are_shown_in_parts(client, event, monkeypatch):
    EntryList.objects.update(limit=None)
    for number in range(5):
        enter_player(event, make_player(f"Player {number}", shown="full"))
    monkeypatch.setattr("portal.events.entry_panel.ROWS_PER_PART", 3)
    pages = [client.get(f"/events/CUP/entries/?page={number}") for number in (1, 2)]
    names = [[line.entry.player.family_name for line in page.context["entries"].lines] for page in pages]
    assert [len(part) for part in names] == [3, 2]
    assert {*names[0], *names[1]} == {f"Player {number}" for number in range(5)}
    assert '<a href="?page=2">Players 4–5</a>' in markup(pages[0])
    assert [page.context["entries"].unnamed for page in pages] == [0, 0]


def test_number_of_queries_does_not_depend_on_the_number_of_entries(
    client, event, fesa, rate_all, django_assert_max_num_queries
):
    enter_rated(event, fesa, rate_all)
    with django_assert_max_num_queries(16) as few:
        client.get("/events/CUP/entries/?x=1")
    EntryList.objects.update(limit=None)
    for number in range(20):
        enter_player(event, make_player(f"Player {number}", shown="full"))
    with django_assert_max_num_queries(16) as many:
        client.get("/events/CUP/entries/?x=2")
    assert len(few) == len(many)


def test_event_page_shows_the_number_of_rounds(client, event):
    Event.objects.update(rounds=7)
    assert "<dt>Rounds</dt><dd>7</dd>" in markup(client.get(event.get_absolute_url()))
