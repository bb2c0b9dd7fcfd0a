"""Lists and badges on other websites: frames and pictures without scripts, and the HTML to copy."""

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from defusedxml.ElementTree import fromstring
from django.test import Client

from ratings.domain.players.visibility import set_visibility
from ratings.models import Club, Membership
from tests.factories import give_rating, make_list, make_player, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db
FRAME, BADGE = "/embed/lists/shogi/?active=all", "/players/AAA2222/badge.svg"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def players(rate_all):
    """Ada (1800, 1 Dan), Ben (1700) and Cy (1600) of a list, and Ada's club."""
    fesa = make_list("shogi", name="Shogi")
    names = (("Ada", "AAA2222"), ("Ben", "BBB3333"), ("Cy", "CCC4444"))
    players = [make_player(name, public_id=id) for name, id in names]
    for number, player in enumerate(players):
        give_rating(fesa, player, 1800 - 100 * number, "2024-01-01", **({"grade": "1 Dan"} if number == 0 else {}))
    Membership.objects.create(player=players[0], club=Club.objects.create(name="Café", public_id="KKK5555"))
    rate_all()
    return players


def directives(response):
    policy = response["Content-Security-Policy"].split("; ")
    return {name: values for name, _space, values in (part.partition(" ") for part in policy)}


def rows(client, address=FRAME):
    page = markup(client.get(address))
    found = re.findall(r"<tr><td[^>]*>(.*?)</td><th[^>]*>(.*?)</th><td>(.*?)</td><td[^>]*>(.*?)</td></tr>", page)
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in found]


def test_frame_has_the_first_players_of_the_list(client, players):
    assert rows(client) == [["1", "Ada", "1 Dan", "1800"], ["2", "Ben", "", "1700"], ["3", "Cy", "", "1600"]]
    assert [row[1] for row in rows(client, f"{FRAME}&rows=2")] == ["Ada", "Ben"]
    for odd in ("0", "-1", "101", "x", "9" * 400):
        assert len(rows(client, f"{FRAME}&rows={odd}")) == 3
    assert [row[1] for row in rows(client, f"{FRAME}&club=KKK5555")] == ["Ada"]
    assert "No player matches these filters." in markup(client.get(f"{FRAME}&country=DE"))
    assert len(rows(client, f"{FRAME}&q=Ben&on=2000-01-01&gender=female")) == 3  # no filters of frames


class References(HTMLParser):
    """Parser that collects the elements that load something or run."""

    def __init__(self, content):
        super().__init__()
        self.found = []
        self.feed(content)

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "img", "iframe", "object", "embed", "form", "video", "audio", "style"):
            self.found.append(tag)
        if tag == "link":
            self.found.append(dict(attrs)["href"])


def test_frame_needs_two_style_sheets_and_nothing_else(client, players):
    """No script, no picture, no cookie, nothing from another host: nothing that could follow visitors."""
    response = client.get(FRAME)
    assert References(response.content.decode()).found == ["/static/portal/tokens.css", "/static/portal/embed.css"]
    assert response.cookies == {}
    links = re.findall(r'<a href="([^"]*)"([^>]*)>', response.content.decode())
    assert {urlsplit(address).netloc for address, _more in links} == {""}
    assert all('target="_blank"' in more and 'rel="noopener"' in more for _address, more in links)


def test_only_frames_may_be_in_frames(client, players):
    response = client.get(FRAME)
    assert directives(response) == {
        "default-src": "'none'", "style-src": "'self'", "base-uri": "'none'", "form-action": "'none'",
        "frame-ancestors": "*",
    }  # fmt: skip
    assert "X-Frame-Options" not in response
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    for address in ("/lists/shogi/", "/lists/shogi/embed/", "/players/AAA2222/embed/", BADGE, "/embed/lists/none/"):
        other = client.get(address)
        assert (address, directives(other)["frame-ancestors"]) == (address, "'none'")
        assert (address, other["X-Frame-Options"]) == (address, "DENY")


def test_cached_frame_has_the_same_headers(players, settings):
    settings.PAGE_CACHE_SECONDS = 10
    browser = Client(headers={"accept-encoding": "gzip"})
    first = browser.get(FRAME)
    tag = first["ETag"]
    for response in (browser.get(FRAME), browser.get(FRAME, headers={"if-none-match": tag})):
        assert directives(response)["frame-ancestors"] == "*"
        assert "X-Frame-Options" not in response
    assert browser.get(FRAME, headers={"if-none-match": tag}).status_code == 304


def test_frame_costs_the_same_queries_for_any_number(client, players, django_assert_num_queries):
    client.get(FRAME)
    for number in (1, 3):
        with django_assert_num_queries(2):
            client.get(f"{FRAME}&rows={number}")


def test_lists_that_are_not_public_are_in_no_frame(client, players):
    make_list("hidden", public=False)
    client.force_login(make_user("root", is_superuser=True))
    for address in ("/embed/lists/hidden/", "/lists/hidden/embed/", "/embed/lists/none/"):
        assert client.get(address).status_code == 404
    assert client.post(FRAME).status_code == 405


def test_badge_shows_name_rating_and_grade(client, players):
    response = client.get(BADGE)
    root = fromstring(response.content)
    assert [text.text for text in root.iter(f"{SVG}text")] == ["Ada", "Shogi", "1800", "1 Dan"]
    assert root.findtext(f"{SVG}title") == "Ada: 1800, 1 Dan, Shogi"
    assert (response["Content-Type"], response["Cross-Origin-Resource-Policy"]) == ("image/svg+xml", "cross-origin")
    assert (response.cookies, response["Cache-Control"]) == ({}, "public, no-cache")
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "title", "clipPath", "rect", "g", "text")
    }


def test_badge_of_an_unrated_player_says_so(client, players):
    make_player("New", public_id="NNN6666")
    texts = [text.text for text in fromstring(client.get("/players/NNN6666/badge.svg").content).iter(f"{SVG}text")]
    assert texts == ["New", "not rated yet", "–", None]


@pytest.mark.parametrize("name", ["Li", "W" * 100, "<b>&\"'", "Ed\x0bith", "山本 太一"])
def test_badge_has_room_for_every_name(name, client, players):
    player = make_player(name, public_id="NNN6666")
    root = fromstring(client.get("/players/NNN6666/badge.svg").content)
    left = float(root.findall(f".//{SVG}rect")[2].get("x"))
    assert left <= 360 + 14 + 18 + 1
    assert root.find(f"{SVG}text").text == player.public_name.replace("\x0b", " ")


def test_hidden_players_are_hidden_on_other_sites(client, players):
    for shown, name in (("initials", "A."), ("anonymous", "Player AAA2222")):
        set_visibility(players[0], shown)
        assert rows(client)[0][1] == name
        assert fromstring(client.get(BADGE).content).find(f"{SVG}text").text == name
        for address in (FRAME, BADGE, "/players/AAA2222/embed/"):
            assert b"Ada" not in client.get(address).content


def test_merged_player_has_the_badge_of_the_other(client, players):
    make_player("Twin", public_id="TTT7777", merged_into=players[0])
    assert client.get("/players/TTT7777/badge.svg").url == BADGE
    assert client.get("/players/ZZZ9999/badge.svg").status_code == 404
    assert client.post(BADGE).status_code == 405


def copied(client, address):
    """Return the HTML to copy."""
    return unescape(re.search(r'<textarea id="code"[^>]*>(.*?)</textarea>', markup(client.get(address)))[1])


def test_html_of_a_list_is_a_frame(client, players, settings):
    settings.SITE_ADDRESS = "https://ratings.example"
    assert copied(client, "/lists/shogi/embed/?rows=5&club=KKK5555&active=all") == (
        '<iframe src="https://ratings.example/embed/lists/shogi/?club=KKK5555&amp;active=all&amp;rows=5" title="Shogi"'
        ' width="100%" height="275" loading="lazy"></iframe>'
    )
    page = client.get("/lists/shogi/embed/")
    assert 'src="/embed/lists/shogi/?rows=10"' in markup(page)
    assert directives(page)["frame-src"] == "'self'"
    page = client.get("/lists/shogi/embed/?rows=1000")
    assert "Ensure this value is less than or equal to 100." in markup(page)


def test_html_of_a_badge_holds_neither_name_nor_rating(client, players, settings):
    """Both can change, and a name that becomes anonymous must not stay on other sites."""
    settings.SITE_ADDRESS = "https://ratings.example"
    assert copied(client, "/players/AAA2222/embed/") == (
        '<a href="https://ratings.example/players/AAA2222/"><img'
        ' src="https://ratings.example/players/AAA2222/badge.svg?list=shogi" alt="Current rating, Shogi" height="56"'
        ' loading="lazy"></a>'
    )


def test_pages_lead_to_the_html(client, players):
    assert '<a href="/lists/shogi/embed/"' in markup(client.get("/lists/shogi/"))
    assert '<a href="/players/AAA2222/embed/?list=shogi"' in markup(client.get(players[0].get_absolute_url()))
    club = Club.objects.get()
    assert f'<a href="/lists/shogi/embed/?club={club.public_id}"' in markup(client.get(club.get_absolute_url()))
