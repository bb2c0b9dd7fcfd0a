"""Pairing programs read the entered players of an event and send pairings and standings, with the event's secret."""

import csv
import io
import re

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone

from ratings.access import ORGANISERS
from ratings.domain.events.pairing_programs import create_pairing_secret, revoke_pairing_secret
from ratings.domain.players.erasing import erase_person
from ratings.domain.results.sharing import share_event, unshare_event
from ratings.domain.site.acting import act_as
from ratings.domain.site.retention import delete_expired
from ratings.models import EntryList, Event, EventEntry, OutsideId, PairingPage, PairingSecret, Player
from tests.factories import make_event, make_list, make_player, make_user, set_state
from tests.markup import markup

pytestmark = pytest.mark.django_db
BASE = "/api/v1/pairing"
PAIRINGS = """<table><tr><th>Tbl</th><th>White</th><th>Black</th></tr>
<tr><td>1</td><td>Adler Ada (1d)</td><td>Brand Bo (2d)</td></tr></table>"""


@pytest.fixture
def organiser():
    return make_user("olga", is_superuser=True)


@pytest.fixture
def event(rate_all):
    go = make_list("go", system="bgf", federation="Go")
    ada = make_player("Adler", "Ada", country="GB", public_id="ADA22")
    bo = make_player("Brand", "Bo", country="DE", public_id="BBB33", shown="anonymous")
    set_state(go, ada, rating=150)
    OutsideId.objects.create(player=ada, registry="egd", value="10000017", confirmed_at=timezone.now())
    rate_all()
    event = make_event("Cup", "2024-07-01", [go], state="draft", public_id="CUP", announced_at=timezone.now())
    EntryList.objects.create(event=event)
    for player in (ada, bo):
        EventEntry.objects.create(event=event, player=player, state="confirmed")
    EventEntry.objects.create(event=event, family_name="Czar", given_name="Cy", country="CH", state="confirmed")
    EventEntry.objects.create(event=event, family_name="Asked", state="asked")
    return event


@pytest.fixture
def secret(event, organiser):
    with act_as(organiser):
        return create_pairing_secret(event)


@pytest.fixture
def ask(client, secret):
    """A request with the secret of the event."""

    def send(path, html=None, **more):
        headers = {"X-Pairgoth-Secret": more.pop("secret", secret)}
        if html is None:
            return client.get(f"{BASE}{path}", headers=headers)
        return client.post(f"{BASE}{path}", html, content_type="text/html; charset=utf-8", headers=headers)

    return send


def test_health_says_that_the_secret_is_right(ask):
    response = ask("/health")
    assert (response.status_code, response.json()["status"]) == (200, True)
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/health", "/players/CUP", "/roster/CUP"])
def test_wrong_secret_is_401_in_the_form_of_the_protocol(ask, client, path, django_assert_max_num_queries):
    assert ask(path).status_code == 200  # must not be cached for others
    for response in (ask(path, secret="pp_wrong"), ask(path, secret=""), client.get(f"{BASE}{path}")):
        assert (response.status_code, response.json()["status"]) == (401, False)
        assert "secret" in response.json()["message"]


def test_unknown_code_is_404(ask, event):
    other = make_event("Other", "2024-07-01", state="draft", public_id="OTHER")
    for response in (ask("/players/NONE"), ask(f"/players/{other.public_id}"), ask("/pairings/OTHER/1", PAIRINGS)):
        assert (response.status_code, response.json()["status"]) == (404, False)
    assert ask("/players/cup").status_code == 200  # however it is typed
    assert not PairingPage.objects.exists()


def test_players_are_as_pairgoth_reads_them(ask, event):
    numbers = list(event.player_entries.order_by("pk").values_list("pk", flat=True))
    assert ask("/players/CUP").json() == {
        "status": True,
        "players": [
            {"id": numbers[0], "lastname": "Adler", "firstname": "Ada", "country": "UK", "club": "", "rank": "2d",
             "rating": 2200, "pin": "10000017"},
            {"id": numbers[1], "lastname": "Brand", "firstname": "Bo", "country": "DE", "club": "", "rank": "30k"},
            {"id": numbers[2], "lastname": "Czar", "firstname": "Cy", "country": "CH", "club": "", "rank": "30k"},
        ],
    }  # fmt: skip


def test_number_of_a_player_stays_when_the_entry_is_matched(ask, event):
    entry = EventEntry.objects.get(family_name="Czar")
    EventEntry.objects.filter(pk=entry.pk).update(player=make_player("Czar", "Cyril"), family_name="", given_name="")
    row = next(row for row in ask("/players/CUP").json()["players"] if row["lastname"] == "Czar")
    assert (row["id"], row["firstname"]) == (entry.pk, "Cyril")


def test_roster_has_full_names_in_every_format(ask):
    rows = list(csv.reader(io.StringIO(ask("/roster/CUP?format=csv").content.decode())))
    assert [row[1] for row in rows] == ["Last name", "Adler", "Brand", "Czar"]
    assert [row["family_name"] for row in ask("/roster/CUP").json()["players"]] == ["Adler", "Brand", "Czar"]
    lines = ask("/roster/CUP?format=txt").content.decode().splitlines()[1:]
    assert [(line[1:9], line[11:20], line[71:75]) for line in lines] == [("10000017", "Adler Ada", "2200")]
    assert ask("/roster/CUP?format=ffg").content.decode("latin-1").split("\r\n")[2][38:43] == "-9999"
    assert ask("/roster/CUP?format=xml").status_code == 404
    assert ask("/roster/CUP?format=exe").status_code == 422
    assert ask("/roster/CUP?list=none").json()["status"] is False


def test_pages_are_stored_and_replaced_by_round(ask, event):
    assert ask("/pairings/CUP/1", PAIRINGS).json() == {"status": True, "message": "stored"}
    first = PairingPage.objects.get()
    assert first.tables == [[["Tbl", "White", "Black"], ["1", "Adler Ada (1d)", "Brand Bo (2d)"]]]
    assert ask("/pairings/CUP/1", PAIRINGS.replace("<b>", "")).json()["message"] == "unchanged"
    assert PairingPage.objects.get().received_at == first.received_at
    assert ask("/pairings/CUP/1", PAIRINGS.replace("Tbl", "Board")).json()["message"] == "stored"
    assert ask("/standings/CUP/1", PAIRINGS).json()["message"] == "stored"
    assert [(page.kind, page.round, page.tables[0][0][0]) for page in PairingPage.objects.order_by("kind")] == [
        ("pairings", 1, "Board"), ("standings", 1, "Tbl"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "html", "status"),
    [("/pairings/CUP/0", PAIRINGS, 422), ("/pairings/CUP/31", PAIRINGS, 422), ("/pairings/CUP/1", "<p>no table", 422),
     ("/standings/CUP/1", "x" * 500_001, 413), ("/pairings/CUP/1", "\xff\x00", 422)],
)  # fmt: skip
def test_invalid_pages_are_refused_with_a_message(ask, path, html, status):
    response = ask(path, html)
    assert (response.status_code, response.json()["status"], bool(response.json()["message"])) == (status, False, True)
    assert not PairingPage.objects.exists()


def test_pages_are_taken_while_the_results_are_open(ask, event):
    Event.objects.update(state="accepted")
    response = ask("/pairings/CUP/1", PAIRINGS)
    assert (response.status_code, response.json()["status"]) == (422, False)
    assert [ask(f"/{what}/CUP").status_code for what in ("players", "roster")] == [422, 422]


def test_secret_ends_when_it_is_replaced_or_revoked_or_its_maker_leaves(ask, event, organiser, secret):
    with act_as(organiser):
        newer = create_pairing_secret(event)
    assert (ask("/health").status_code, ask("/health", secret=newer).status_code) == (401, 200)
    assert PairingSecret.objects.get().last_used_at is not None
    organiser.is_active = False
    organiser.save()
    assert ask("/health", secret=newer).status_code == 401
    organiser.is_active = True
    organiser.save()
    revoke_pairing_secret(event)
    assert ask("/health", secret=newer).status_code == 401


def test_secret_is_not_stored(secret, event):
    stored = PairingSecret.objects.get()
    assert (secret in str(vars(stored)), secret.startswith(stored.prefix)) == (False, True)


def test_public_page_shows_pages_without_hidden_names(client, ask, event):
    ask("/pairings/CUP/1", PAIRINGS)
    ask("/standings/CUP/2", PAIRINGS)
    page = markup(client.get("/events/CUP/pairings/?round=1"))
    assert ("Pairings of round 1" in page, "<td>Adler Ada (1d)</td>" in page) == (True, True)
    assert ("<td>… … (2d)</td>" in page, "Brand" in page) == (True, False)
    EventEntry.objects.filter(player__public_id="ADA22").update(is_listed=False)
    assert "Adler" not in markup(client.get("/events/CUP/pairings/?round=1&"))
    assert "Standings after round 2" in markup(client.get("/events/CUP/pairings/"))
    assert '<a class="button outline" href="/events/CUP/pairings/">' in markup(client.get(event.get_absolute_url()))
    for address in ("/events/CUP/pairings/?round=3", "/events/CUP/pairings/?round=x", "/events/NONE/pairings/"):
        assert client.get(address).status_code == 404
    assert client.post("/events/CUP/pairings/").status_code == 405


def test_public_page_leads_to_the_results(client, ask, event):
    assert client.get("/events/CUP/pairings/").status_code == 404
    ask("/pairings/CUP/1", PAIRINGS)
    Event.objects.update(state="accepted")
    assert client.get("/events/CUP/pairings/?round=1").url == event.get_absolute_url()


def test_erased_player_is_in_no_page(ask, organiser):
    ask("/pairings/CUP/1", PAIRINGS)
    with act_as(organiser):
        erase_person(Player.objects.get(public_id="ADA22"), reason="asked on 1 May")
    assert "Adler" not in str(PairingPage.objects.get().tables)


def test_pages_of_past_events_are_deleted(ask, event, settings):
    ask("/pairings/CUP/1", PAIRINGS)
    Event.objects.update(end=timezone.now().date(), start=timezone.now().date())
    assert delete_expired()["pairing_pages"] == 0
    settings.CONTACT_DAYS = -1
    assert (delete_expired()["pairing_pages"], PairingPage.objects.count()) == (1, 0)


def test_organiser_makes_and_revokes_the_secret_on_a_page(client, event, organiser):
    address = "/organise/events/CUP/pairing-program/"
    client.force_login(organiser)
    page = markup(client.get(address))
    assert ("http://127.0.0.1:8000/api/v1/pairing" in page, "none yet" in page) == (True, True)
    made = client.post(address)
    secret = made.context["secret"]
    assert (secret in markup(made), secret in markup(client.get(address))) == (True, False)
    assert client.get(f"{BASE}/health", headers={"X-Pairgoth-Secret": secret}).status_code == 200
    assert client.post(address, {"revoke": "1"}).url == address
    assert not PairingSecret.objects.exists()
    Event.objects.update(state="accepted")
    assert client.post(address).status_code == 422


def test_strangers_do_not_connect_programs(client, event):
    address = "/organise/events/CUP/pairing-program/"
    assert client.get(address).status_code == 302
    client.force_login(make_user("stranger"))
    assert (client.get(address).status_code, client.post(address).status_code) == (403, 403)
    client.force_login(make_user("root", is_superuser=True))
    assert client.get("/organise/events/NONE/pairing-program/").status_code == 404
    assert client.put(address).status_code == 405


def test_players_cost_a_fixed_number_of_queries(ask, event, django_assert_num_queries):
    ask("/players/CUP")
    for _ in range(20):
        EventEntry.objects.create(event=event, player=make_player(), state="confirmed")
    with django_assert_num_queries(8):
        assert len(ask("/players/CUP").json()["players"]) == 23


def test_secret_ends_when_its_maker_may_no_longer_see_the_event(client, event):
    helper = make_user("helper")
    helper.groups.add(Group.objects.get(name=ORGANISERS))
    with act_as(make_user("boss", is_superuser=True)):
        share_event(event, helper)
    with act_as(helper):
        headers = {"X-Pairgoth-Secret": create_pairing_secret(event)}
    before = client.get(f"{BASE}/players/CUP", headers=headers).status_code
    with act_as(User.objects.get(username="boss")):
        unshare_event(event, helper)
    assert (before, client.get(f"{BASE}/players/CUP", headers=headers).status_code) == (200, 401)


@pytest.mark.parametrize(
    "text",
    ["Müller Bjørn", "Mu\u0308ller", "Mu&#776;ller", "Müller_Bjørn", "MüllerBjørn", "Mueller Bjoern", "MUELLER"],
)
def test_hidden_names_are_left_out_however_they_are_written(text, ask, client):
    make_player("Müller", "Bjørn", shown="anonymous")
    ask("/pairings/CUP/1", f"<table><tr><th>W</th></tr><tr><td>{text} 2d</td><td>Muster</td></tr></table>")
    cells = re.findall("<td>(.*?)</td>", client.get("/events/CUP/pairings/").text)
    assert (re.sub(r"[…\s_]", "", cells[0]), cells[1]) == ("2d", "Muster")
