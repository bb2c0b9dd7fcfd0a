"""In the hall: pages for phones without a script, links for helpers, and the way to the draft results."""

import datetime as dt
import html
import re
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from portal.charts.qr import make_code
from ratings.access import ORGANISERS
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.hall.links import make_link, remove_helper, revoke_link, sign_link
from ratings.domain.results.hall.provisional import save_provisional_ratings
from ratings.models import EventEntry, Hall, HallBoard, HallLink, HallResult, Player, Submission
from tests.domain.results.hall.halls import board_of, make_hall, summarise
from tests.factories import make_player

from .way import make_hall_of_organiser, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(client):
    """A hall whose organiser is logged in."""
    hall = make_hall_of_organiser()
    client.force_login(hall.event.created_by)
    return hall


def address(hall, rest=""):
    return f"/hall/{hall.event.public_id}/{rest}"


def manage(hall, rest=""):
    return f"/organise/events/{hall.event.public_id}/hall/{rest}"


def send(client, hall, number, code, **more):
    data = {"board": board_of(hall, number).pk, "code": code, "seen": 0, "round": 1} | more
    return client.post(address(hall, "results/"), data, headers={"Accept": more.pop("accept", "text/html")})


def send_json(client, hall, number, code, **more):
    data = {"board": board_of(hall, number).pk, "code": code, "seen": 0} | more
    response = client.post(address(hall, "results/"), data, headers={"Accept": "application/json"})
    return response.status_code, response.json()


def join(hall, name="Tim", link=None):
    """Return the browser of a helper who has joined by a link."""
    helper = Client()
    link = link or make_link(hall, name)
    response = helper.post(f"/hall/join/{sign_link(link)}/", {"name": name})
    assert (response.status_code, response["Location"]) == (302, address(hall))
    return helper


def text(response):
    """Return the words of a page, without its scripts' texts."""
    return " ".join(re.sub(r"<[^>]*>", " ", html.unescape(response.content.decode())).split())


def test_entered_players_are_offered_when_the_hall_starts(client, event):
    event.rounds = 7
    event.save()
    EventEntry.objects.create(event=event, player=make_player("Adler", "Zoë", country="FR"), state="confirmed")
    EventEntry.objects.create(event=event, family_name="Neu", given_name="Ina", country="AT", state="confirmed")
    initial = client.get(f"/organise/events/{event.public_id}/hall/").context["form"].initial
    assert initial == {"rounds": 7, "names": "Adler, Zoë, FR\nNeu, Ina, AT"}


def test_hall_is_started_with_players_and_pairings(client):
    hall = make_hall(pairings="")
    event = hall.event
    hall.delete()
    event.created_by = person("paul", ORGANISERS)
    event.save()
    client.force_login(event.created_by)
    assert client.get(f"/hall/{event.public_id}/")["Location"] == f"/organise/events/{event.public_id}/hall/"
    page = f"/organise/events/{event.public_id}/hall/"
    assert client.post(page, {"rounds": 3, "names": "Adler, Ina\nLind, Eva"})["Location"] == f"/hall/{event.public_id}/"
    assert "No pairings yet." in text(client.get(f"/hall/{event.public_id}/"))
    response = client.post(f"{page}pairings/1/", {"pairings": "Adler – Lind"})
    assert response["Location"] == f"/hall/{event.public_id}/?round=1"
    assert "Board 1" in text(client.get(response["Location"]))


def test_players_page_keeps_what_was_typed_with_its_problems(client, hall):
    data = {"rounds": 3, "names": "Claes, Nina, XX", "family-1": "Adler-Ohm", "given-1": "Ina", "country-1": "AT"}
    response = client.post(manage(hall), data)
    assert response.status_code == 422
    assert "Line 1: “XX” is not a country" in text(response)
    assert b"Claes, Nina, XX" in response.content
    assert b'value="Adler-Ohm"' in response.content
    assert [person["family"] for person in Hall.objects.get().people] == ["Adler", "Brand", "Lind", "Maes"]


def test_players_page_that_is_out_of_date_is_not_saved(client, hall):
    version = re.search(r'name="people_version" value="(\w+)"', client.get(manage(hall)).content.decode())[1]
    data = {"rounds": 3, "family-1": "Adler", "given-1": "Irma", "country-1": "AT", "people_version": version}
    assert client.post(manage(hall), data).status_code == 302
    response = client.post(manage(hall), data | {"given-1": "Ida"})
    assert response.status_code == 422
    assert "The players were changed meanwhile" in text(response)
    assert b'value="Ida"' in response.content
    assert Hall.objects.get().people[0]["given"] == "Irma"


def test_script_sends_pairings_and_gets_the_answer_as_json(client, hall):
    def send(**values):
        answer = client.post(manage(hall, "pairings/2/"), values, headers={"Accept": "application/json"})
        return answer.status_code, answer.json()

    typed = "Adler – Lind\nBrand – Maes"
    other = "Round 2 already has different pairings. To replace them, use “Change the pairings”."
    unknown = "Line 1: “Smet” is not among the players. A new player is written “Family name, Given name”."
    assert send(pairings="Adler – Smet", unpaired="1") == (409, {"problem": unknown, "boards": []})
    first = send(pairings=typed, unpaired="1")
    boards = [{"board": board_of(hall, number, 2).pk, "swapped": False} for number in (1, 2)]
    assert first == (200, {"stored": True, "boards": boards})
    assert send(pairings=typed, unpaired="1") == (200, {"stored": True, "boards": boards})
    answer = {"problem": other, "boards": [boards[1] | {"swapped": True}, None]}
    assert send(pairings="Maes – Brand\nAdler – bye", unpaired="1") == (409, answer)
    assert HallBoard.objects.filter(hall=hall, round=2).count() == 2


def test_round_without_pairings_has_a_form_for_the_organiser_only(client, hall):
    page = client.get(f"/hall/{hall.event.public_id}/?round=2")
    assert 'data-pairs="2"' in page.text
    assert 'data-pairs="1"' not in client.get(f"/hall/{hall.event.public_id}/?round=1").text
    page = join(hall).get(f"/hall/{hall.event.public_id}/?round=2")
    assert ("No pairings yet." in page.text, 'name="pairings"' in page.text) == (True, False)


def test_pairings_page_keeps_what_was_typed_with_its_problems(client, hall):
    response = client.post(manage(hall, "pairings/2/"), {"pairings": "Adler – Smet"})
    assert response.status_code == 422
    assert "Line 1: “Smet” is not among the players." in text(response)
    assert "Adler – Smet" in response.content.decode()


def test_buttons_enter_and_clear_a_result_without_a_script(client, hall):
    response = send(client, hall, 1, "first")
    assert response["Location"] == address(hall, "?round=1")
    page = client.get(address(hall)).content.decode()
    assert summarise(hall, 1)[0] == "first"
    assert page.count('aria-pressed="true"') == 1
    assert 'name="code" value="clear" data-result="first"' in page
    send(client, hall, 1, "clear")
    assert summarise(hall, 1) == (None, [])


def test_page_is_never_stored_by_browsers_or_the_page_cache(client, hall):
    response = client.get(address(hall))
    assert "no-store" in response["Cache-Control"]
    cookie = response.cookies[f"hall_{hall.event.public_id}"]
    assert (cookie["path"], cookie["httponly"]) == ("/hall/", True)
    assert response["X-Robots-Tag"] == "noindex"


def test_result_sent_twice_by_a_script_is_stored_once(client, hall):
    uuid = str(uuid4())
    assert send_json(client, hall, 1, "first", uuid=uuid) == (200, {"stored": True})
    assert send_json(client, hall, 1, "first", uuid=uuid) == (200, {"stored": True})
    assert HallResult.objects.count() == 1


def test_script_is_told_why_a_result_is_refused(client, hall):
    assert send_json(client, hall, 1, "first", board=0) == (
        409, {"problem": "This board no longer exists: the pairings were changed."},
    )  # fmt: skip
    assert send_json(client, hall, 1, "first", uuid="x") == (409, {"problem": "The id of the result is invalid."})
    hall.event.state = "submitted"
    hall.event.save()
    status, answer = send_json(client, hall, 1, "first")
    assert (status, answer["problem"][:44]) == (410, "The results of this event are submitted: the")


def test_helper_enters_results_without_an_account(hall):
    helper = join(hall)
    assert send_json(helper, hall, 1, "draw") == (200, {"stored": True})
    result = HallResult.objects.get()
    assert (result.name, result.by, result.link.label) == ("Tim", None, "Tim")
    page = text(helper.get(address(hall)))
    assert "Adler" in page
    assert "Helpers" not in page


def test_two_different_results_are_a_question_that_anybody_decides(client, hall):
    helper = join(hall)
    send(client, hall, 1, "first")
    send(helper, hall, 1, "second")
    page = text(client.get(address(hall)))
    assert "You entered Adler won . Tim entered Brand won . Who won?" in page
    assert 'aria-pressed="true"' not in client.get(address(hall)).content.decode()
    seen = HallResult.objects.last().pk
    send(helper, hall, 1, "", decide="first", seen=seen)
    assert summarise(hall, 1)[0] == "first"
    assert "sent by Tim" in text(client.get(address(hall)))


def test_revoked_and_expired_links_end(client, hall):
    link = make_link(hall, "Tim")
    helper = join(hall, link=link)
    client.post(manage(hall, "links/"), {"revoke": link.key})
    assert (helper.get(address(hall)).status_code, "This link has ended" in text(helper.get(address(hall)))) == (
        410,
        True,
    )
    assert send_json(helper, hall, 1, "first") == (410, {"problem": "This link has ended."})
    assert Client().get(f"/hall/join/{sign_link(link)}/").status_code == 410
    late = make_link(hall, "Eva")
    helper = join(hall, link=late)
    HallLink.objects.filter(pk=late.pk).update(expires_at=timezone.now())
    assert helper.get(address(hall)).status_code == 410


def test_organiser_chooses_when_a_link_ends(client, hall):
    hall.event.end = dt.date(2026, 6, 9)
    hall.event.save()
    with time_machine.travel(dt.datetime(2026, 6, 7, 20, tzinfo=dt.UTC)):
        client.force_login(hall.event.created_by)
        for data in (
            {"label": "Tim", "until": "tonight"},
            {"until": "tonight", "zone": "Asia/Tokyo"},
            {"until": "event", "zone": "Europe/Paris"},
            {"until": "other", "ends": "2026-06-08T01:30", "zone": "Europe/Paris"},
            {"ends": "2026-06-08T01:30", "zone": "Nowhere/At all"},
            {"until": "event", "zone": "../etc/passwd"},
        ):
            response = client.post(manage(hall, "links/"), data)
            assert response["Location"] == manage(hall, f"links/{HallLink.objects.latest('pk').key}/")
        ends = [f"{link.expires_at:%d %H:%M}" for link in HallLink.objects.all()]
        assert ends == ["07 23:59", "08 14:59", "09 21:59", "07 23:30", "08 01:30", "09 23:59"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"until": "other"}, "Enter the day and time at which the link ends."),
        ({"until": "other", "ends": "soon"}, "Enter a valid date/time."),
        ({"until": "other", "ends": "2024-05-04T12:00"}, "Enter a time to come: a link cannot end in the past."),
        ({"until": "other", "ends": "9999-12-31T23:59"}, "A link can end at most 60 days from now."),
        ({"until": "other", "ends": "0001-01-01T00:00", "zone": "Asia/Tokyo"}, "Enter a time to come"),
        ({"until": "for ever"}, "Select a valid choice."),
        ({"restore": "x", "until": "other"}, ""),
    ],
)
def test_invalid_end_of_a_link_is_explained_and_kept(client, hall, data, problem):
    response = client.post(manage(hall, "links/"), {"label": "For Tim", **data})
    assert response.status_code == (422 if problem else 404)
    if problem:
        assert problem in text(response)
        assert 'value="For Tim"' in response.content.decode()
    assert not HallLink.objects.exists()


def test_page_of_a_link_has_its_code_its_end_and_who_joined(client, hall):
    link = make_link(hall, "Wall")
    page = client.get(manage(hall, f"links/{link.key}/"))
    join_address = f"http://testserver/hall/join/{sign_link(link)}/"
    assert (page.context["address"], page.context["qr"]) == (join_address, make_code(join_address))
    assert join_address in text(page)
    assert "Nobody has joined yet." in text(page)
    helper = join(hall, "Tim", link)
    join(hall, "Eva", link)
    helper.post(f"/hall/join/{sign_link(link)}/", {"name": "Timo"})
    send_json(helper, hall, 1, "first")
    for address_ in (manage(hall, f"links/{link.key}/"), manage(hall, "links/"), address(hall)):
        shown = text(client.get(address_))
        assert re.findall(r"(Tim|Timo|Eva) · joined: \d+ \w+ \d{4}, [:0-9]+ UTC(?: · (last result):)?", shown) == [
            ("Eva", ""), ("Timo", "last result")
        ]  # fmt: skip


def test_revoked_link_is_listed_and_can_be_restored_until_its_end(client, hall):
    link = make_link(hall, "Tim")
    helper = join(hall, link=link)
    assert client.post(manage(hall, "links/"), {"revoke": link.key})["Location"] == manage(hall, "links/")
    page = client.get(manage(hall, "links/"))
    assert "1 link that has ended" in text(page)
    assert [line.is_restorable for line in page.context["ended"]] == [True]
    assert "qr" not in client.get(manage(hall, f"links/{link.key}/")).context
    client.post(manage(hall, "links/"), {"restore": link.key})
    assert helper.get(address(hall)).status_code == 200
    HallLink.objects.update(revoked_at=timezone.now(), expires_at=timezone.now())
    response = client.post(manage(hall, "links/"), {"restore": link.key})
    assert (response.status_code, "This link has ended: make a new one." in text(response)) == (422, True)
    assert [line.is_restorable for line in response.context["ended"]] == [False]


def test_one_helper_is_removed_from_a_link_and_taken_back(client, hall):
    link = make_link(hall, "Wall")
    helper, other = join(hall, "Tim", link), join(hall, "Eva", link)
    link.refresh_from_db()
    tim = f"{link.key}:{link.helpers[0]['device']}"
    response = client.post(manage(hall, "links/"), {"remove": tim}, follow=True)
    assert [str(message) for message in response.context["messages"]] == [
        "Tim was removed and can no longer send results. Results that were sent stay. You can undo this."
    ]
    assert [(line.name, line.is_removed) for line in response.context["links"][0].helpers] == [
        ("Tim", True), ("Eva", False)
    ]  # fmt: skip
    assert f'name="readmit" value="{tim}"' in response.text
    assert "Tim · removed" in text(client.get(address(hall)))
    assert [browser.get(address(hall)).status_code for browser in (helper, other)] == [410, 200]
    assert send_json(helper, hall, 1, "first") == (410, {"problem": "This link has ended."})
    again = f"/hall/join/{sign_link(link)}/"
    assert [helper.get(again).status_code, helper.post(again, {"name": "Tom"}).status_code] == [410, 410]
    client.post(manage(hall, "links/"), {"readmit": tim})
    assert send_json(helper, hall, 1, "first") == (200, {"stored": True})
    assert client.post(manage(hall, "links/"), {"remove": f"{link.key}:nobody"}).status_code == 422
    assert client.post(manage(hall, "links/"), {"remove": "NONE:tim"}).status_code == 404


def test_desk_names_the_helpers_and_ends_their_link_with_undo(client, hall):
    assert ">Helpers<" not in client.get("/organise/").text
    link, unused = make_link(hall, "Wall"), make_link(hall, "Door")
    for name in ("Tim", "Ina", "Leo"):
        join(hall, name, link)
    link.refresh_from_db()
    remove_helper(link, link.helpers[2]["device"])
    page = client.get("/organise/")
    assert [(line.link, line.event, line.names) for line in page.context["helpers"]] == [
        (link, hall.event, ["Tim", "Ina"]), (unused, hall.event, [])
    ]  # fmt: skip
    assert re.search(r": Tim, Ina Link works until \d+ \w+ \d{4}, [:0-9]+ UTC", text(page))
    response = client.post(manage(hall, "links/"), {"revoke": link.key, "desk": "1"})
    assert response["Location"] == f"/organise/?ended={link.key}"
    page = client.get(response["Location"])
    assert [line.link for line in page.context["helpers"]] == [unused]
    assert page.context["ended_link"] == link
    assert client.post(manage(hall, "links/"), {"restore": link.key, "desk": "1"})["Location"] == "/organise/"
    assert client.get(response["Location"]).context["ended_link"] is None
    assert len(client.get("/organise/").context["helpers"]) == 2


def test_desk_shows_no_links_of_other_organisers(client, hall):
    link = make_link(hall, "Wall")
    revoke_link(link)
    make_link(hall, "Door")
    client.force_login(person("other", ORGANISERS))
    page = client.get(f"/organise/?ended={link.key}")
    assert (page.context["helpers"], page.context["ended_link"]) == ([], None)


def test_links_are_for_those_who_may_enter_results(client, hall):
    link = make_link(hall, "Tim")
    pages = [manage(hall, "links/"), manage(hall, f"links/{link.key}/")]
    stranger = Client()
    stranger.force_login(person("other", ORGANISERS))
    assert [stranger.get(page).status_code for page in pages] == [403, 403]
    assert [Client().get(page).status_code for page in pages] == [302, 302]
    assert [join(hall).get(page).status_code for page in pages] == [302, 302]
    assert client.get(manage(hall, "links/NONE/")).status_code == 404
    assert client.post(pages[1]).status_code == 405


def test_helper_with_a_new_link_keeps_the_results_of_the_phone(hall):
    first = make_link(hall, "Tim")
    helper = join(hall, link=first)
    send_json(helper, hall, 1, "first")
    revoke_link(first)
    again = f"/hall/join/{sign_link(make_link(hall, 'again'))}/"
    assert 'value="Tim"' in helper.get(again).content.decode()
    helper.post(again, {"name": "Tim"})
    send_json(helper, hall, 1, "second")
    assert summarise(hall, 1)[0] == "second"


def test_link_opens_its_own_event_only(client, hall):
    helper = join(hall)
    other = type(hall.event).objects.create(name="Other", start="2024-05-04", end="2024-05-04", state="draft")
    Hall.objects.create(event=other)
    helper.cookies[f"hall_{other.public_id}"] = helper.cookies[f"hall_{hall.event.public_id}"].value
    assert helper.get(f"/hall/{other.public_id}/").status_code == 302
    assert helper.get(manage(hall)).status_code == 302
    assert client.get("/hall/join/ABC~forged/").status_code == 404


def test_hall_sends_strangers_away(hall):
    response = Client().get(address(hall))
    assert (response.status_code, response["Location"].split("?")[0]) == (302, "/accounts/login/")
    stranger = Client()
    stranger.force_login(person("other", ORGANISERS))
    assert stranger.get(address(hall)).status_code == 403
    assert send_json(stranger, hall, 1, "first")[0] == 401
    assert stranger.post(manage(hall, "submit/")).status_code == 403
    assert Client().get("/hall/NONE/").status_code == 404
    assert Client().post(address(hall)).status_code == 405
    assert Client().get(address(hall, "results/")).status_code == 405


def test_service_worker_works_for_halls_only(client):
    response = client.get("/hall/sw.js")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.content.decode().startswith("const RELEASE = ")
    assert "Service-Worker-Allowed" not in response
    assert "worker-src 'self'" in response["Content-Security-Policy"]


def test_results_become_draft_results_to_submit(client, hall):
    send(client, hall, 1, "first")
    send(client, hall, 2, "draw")
    response = client.post(manage(hall, "submit/"))
    submission = Submission.objects.get()
    assert response["Location"] == f"/organise/sheets/{submission.pk}/people/"
    assert [row["cells"] for row in submission.content["rows"]] == [["2+"], ["1-"], ["4="], ["3="]]


def test_event_can_end_after_a_complete_round_before_the_last_one(client, hall):
    assert "Check and submit" not in text(client.get(address(hall)))
    send(client, hall, 1, "first")
    send(client, hall, 2, "draw")
    page = text(client.get(address(hall)))
    assert "Pair round 2 Check and submit the results" in page
    assert "no pairings yet" in text(client.get(address(hall, "?round=2"))).split("Pair round 3")[1]
    assert "Check and submit" not in text(join(hall).get(address(hall)))


def test_public_page_shows_standings_and_provisional_ratings(client, hall):
    send(client, hall, 1, "first")
    send(client, hall, 2, "draw")
    save_provisional_ratings(hall.pk)
    hall.event.announced_at = timezone.now()
    hall.event.save()
    page = text(Client().get(hall.event.get_absolute_url()))
    assert "Standings after round 1" in page
    assert "Provisional until an officer accepts the results." in page
    assert "Adler , Ina" in page
    assert "+" in page.split("Standings after round 1")[1]


def test_public_standings_do_not_show_hidden_names(client, hall):
    hidden = Player.objects.get(family_name="Lind")
    set_visibility(hidden, "anonymous", reason="asked")
    Player.objects.create(family_name="Maes", given_name="Other", shown="anonymous")
    send(client, hall, 1, "first")
    hall.event.announced_at = timezone.now()
    hall.event.save()
    page = text(Client().get(hall.event.get_absolute_url()))
    assert "Adler" in page
    assert hidden.public_id in page
    assert "Lind" not in page
    assert "Maes" not in page
    assert "Lind" in text(client.get(address(hall)))


def test_head_of_the_hall_leads_signed_in_people_to_the_desk(client, hall):
    helper = join(hall)
    link = '<a class="to-desk" href="/desk/">Desk</a>'
    assert [link in browser.get(address(hall)).text for browser in (client, helper)] == [True, False]
