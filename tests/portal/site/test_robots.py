"""robots.txt and the sitemap: excluded and listed pages."""

import re

import pytest
from defusedxml import ElementTree

from portal.site import sitemaps
from ratings.domain.players.visibility import set_visibility
from ratings.models import RatingList
from tests.factories import make_list, make_player, make_table
from tests.pages import PAGES, addresses

pytestmark = pytest.mark.django_db


def allowed(address, rules):
    """RFC 9309, 2.2.2 and 2.2.3: the longest rule that fits decides; * is anything, $ the end."""
    fitting = [(len(rule), allow) for allow, rule in rules
               if re.match(re.escape(rule).replace(r"\*", ".*").replace(r"\$", "$"), address)]  # fmt: skip
    return max(fitting, default=(0, True))[1]


@pytest.fixture
def rules(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert (lines[0], lines[-1]) == ("User-agent: *", "Sitemap: http://127.0.0.1:8000/sitemap.xml")
    parted = [line.partition(": ")[::2] for line in lines]
    assert "Crawl-delay" in dict(parted)
    return [(name == "Allow", rule) for name, rule in parted if name in ("Allow", "Disallow")]


def test_robots_file_excludes_private_pages(hostile, rules):
    known = addresses("page", "file", "form", "own")
    asked = {name: allowed(address.partition("?")[0], rules) for name, address in known.items() if name != "robots"}
    assert asked == {name: PAGES[name].indexed for name in asked}
    for other in ("/lists/fesa/?page=2", "/events/?sort=name", "/admin/", "/accounts/login/", "/search/", "/api/v1/"):
        assert (other, allowed(other, rules)) == (other, False)
    for card in ("tables/7/ABC", "closings/2024-01-31/ABC", "corrections/7/ABC"):
        assert (card, allowed(f"/lists/fesa/{card}/card.png", rules)) == (card, True)
    assert allowed("/sitemap-players.xml?p=2", rules)
    assert allowed("/static/portal/base.css", rules)


def test_further_and_filtered_pages_are_not_indexed(client, hostile):
    assert "X-Robots-Tag" not in client.get("/lists/fesa/")
    for address in ("/lists/fesa/?page=2", "/lists/fesa/history.json", "/accounts/login/", addresses("page")["report"]):
        assert (address, client.get(address)["X-Robots-Tag"]) == (address, "noindex")
    canonical = '<link rel="canonical" href="http://127.0.0.1:8000/lists/fesa/">'
    assert [canonical in client.get(f"/lists/fesa/{query}").content.decode() for query in ("", "?active=all")] == [
        True
    ] * 2


@pytest.mark.parametrize(("shown", "expected"), [("full", False), ("initials", True), ("anonymous", True)])
def test_pages_of_hidden_players_are_not_indexed(shown, expected, client, hostile):
    set_visibility(hostile, shown)
    hostile.refresh_from_db()
    own = f"/players/{hostile.public_id}"
    for address in (
        hostile.get_absolute_url(),
        *(f"{own}/{part}/" for part in ("calculator", "games", "events", "opponents", "versus")),
    ):
        content = client.get(address).content.decode()
        assert ('<meta name="robots" content="noindex">' in content, 'rel="canonical"' in content) == (
            expected,
            not expected,
        )


def locations(response):
    return [
        place.text.removeprefix("http://testserver")
        for place in ElementTree.fromstring(response.content).findall(".//{*}loc")
    ]


def test_sitemap_lists_existing_public_pages(client, hostile):
    make_list("private", public=False)
    make_player("Unrated")
    parts = locations(client.get("/sitemap.xml"))
    assert parts == ["/sitemap-lists.xml", "/sitemap-events.xml", "/sitemap-clubs.xml", "/sitemap-players.xml"]
    found = {part: locations(client.get(part)) for part in parts}
    assert found["/sitemap-lists.xml"] == ["/lists/fesa/", "/lists/twin/"]
    assert {part: len(pages) for part, pages in found.items()} == {**dict.fromkeys(parts, 2), parts[2]: 1, parts[3]: 3}
    assert {client.get(page).status_code for pages in found.values() for page in pages} == {200}


def test_sitemap_drops_hidden_players_at_once(client, hostile):
    address = hostile.get_absolute_url()
    assert address in locations(client.get("/sitemap-players.xml"))
    set_visibility(hostile, "initials")
    response = client.get("/sitemap-players.xml")
    assert len(locations(response)) == 2
    assert hostile.public_id not in response.content.decode()
    assert "Cache-Control" not in response


def test_sitemap_of_many_players_has_pages_of_two_queries(client, rate_all, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(sitemaps.Section, "limit", 2)
    fesa = make_list()
    players = [make_player() for _ in range(5)]
    make_table(fesa, players, [(1, 1, 2, 1.0), (1, 3, 4, 1.0), (2, 5, 1, 1.0)])
    rate_all()
    RatingList.objects.update(public=True)
    index = [part for part in locations(client.get("/sitemap.xml")) if "players" in part]
    assert index == ["/sitemap-players.xml", "/sitemap-players.xml?p=2", "/sitemap-players.xml?p=3"]
    addresses = []
    for part in index:
        with django_assert_num_queries(2):  # how many players, these players
            addresses += locations(client.get(part))
    assert addresses == [player.get_absolute_url() for player in players]


@pytest.mark.parametrize("odd", ["sitemap-nothing.xml", "sitemap-players.xml?p=99999", "sitemap-players.xml?p=abc"])
def test_empty_sitemap_is_404(odd, client):
    assert client.get(f"/{odd}").status_code == 404


@pytest.mark.parametrize("query", ["x=1", "p=1&x=1", "p=01", "p=0", "p=%D9%A1", "p=99999", "p=abc", "p"])
def test_sitemap_is_cached_for_its_pages_only(query, client, hostile):
    assert client.get(f"/sitemap-players.xml?{query}").status_code == 404
    assert [client.get(f"/sitemap-players.xml{page}").status_code for page in ("", "?p=1")] == [200, 200]
