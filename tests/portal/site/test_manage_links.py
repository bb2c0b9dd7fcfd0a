"""Links from public pages to the pages where officers manage what they are about."""

import gzip
import re

import pytest
from django.test import Client

from tests.factories import make_user
from tests.markup import markup
from tests.pages import PAGES, addresses

pytestmark = pytest.mark.django_db

ABOUT = re.compile(
    r"{(event|event_page|announced|player|player_page|published|corrected|club|club_page|report)}(?![^?]*\.)"
)
LINK = re.compile(r'<a href="(/organise/\w+/|/admin/\w+/club/)[^"]*"\s+rel="nofollow">\s*Manage')
EVENT, PLAYER, CLUB = "/organise/events/", "/organise/players/", "/admin/ratings/club/"


def find_pages():
    """Return the addresses of the public pages about an event, a player, a club or a report, by name."""
    names = {name for name, page in PAGES.items() if ABOUT.search(page.address.partition("?")[0])}
    return {name: address for name, address in addresses("page").items() if name in names}


def find_links(client, pages):
    """Return the beginnings of the addresses to which the links Manage of each page lead."""
    return {name: LINK.findall(read_page(client.get(address))) for name, address in pages.items()}


def read_page(response):
    is_packed = response.get("Content-Encoding") == "gzip"
    return gzip.decompress(response.content).decode() if is_packed else markup(response)


def test_public_pages_link_to_managing_what_they_are_about(client, hostile, staff):
    assert find_links(client, find_pages()) == {
        "event": [EVENT],
        "event_crosstable": [EVENT],
        "event_rounds": [EVENT],
        "event_grades": [EVENT],
        "event_entries": [EVENT],
        "event_pairings": [EVENT],
        "explanation": [EVENT, PLAYER],
        "player": [PLAYER],
        "player_events": [PLAYER],
        "player_games": [PLAYER],
        "player_opponents": [PLAYER],
        "player_grades": [PLAYER],
        "player_proof": [PLAYER],
        "player_correction": [PLAYER],
        "calculator": [PLAYER],
        "choose_rival": [PLAYER],
        "versus": [PLAYER, PLAYER],
        "embed_player": [PLAYER],
        "club": [CLUB],
        "report": [PLAYER],
    }


def test_links_to_manage_are_for_people_with_the_right_and_are_not_cached(
    hostile, staff, settings, django_assert_num_queries
):
    settings.PAGE_CACHE_SECONDS = 10
    pages, (officer, visitor, user) = find_pages(), (Client(headers={"accept-encoding": "gzip"}) for _ in range(3))
    officer.force_login(staff)
    user.force_login(make_user("reader"))
    no_links = {name: [] for name in pages}
    assert find_links(visitor, pages) == no_links
    with django_assert_num_queries(0):
        assert find_links(visitor, pages) == no_links  # cached
    for_officer = find_links(officer, pages)
    assert [name for name, links in for_officer.items() if not links] == []
    assert find_links(visitor, pages) == no_links
    assert find_links(user, pages) == no_links
    assert find_links(officer, pages) == for_officer


def test_links_to_manage_open(client, hostile, staff):
    pages = {name: address for name, address in find_pages().items() if name in ("explanation", "versus", "club")}
    for address in pages.values():
        links = re.findall(
            r'<a href="((?:/organise/|/admin/)[^"]*)"\s+rel="nofollow">\s*Manage', markup(client.get(address))
        )
        assert [client.get(link).status_code for link in links] == [200] * len(links)
        assert links
