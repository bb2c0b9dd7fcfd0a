"""Both levels of the navigation: the switcher of lists and the sections of the chosen list."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.urls import get_resolver

from portal.site.icons import read_icon
from portal.site.navigation import SECTIONS
from portal.templatetags.portal_format import flag, grade_badge
from tests.factories import make_list, make_user
from tests.markup import markup

LINK = re.compile(r'<a href="([^"]*)"(?: (aria-current)="[^"]*")?>([^<]*)')


def links(page, between):
    """Return the links of a part of a page: their texts, their addresses, and the texts of the current ones, each once."""
    part = page.partition(between[0])[2].partition(between[1])[0]
    found = LINK.findall(part)
    current = [text.strip() for _, is_current, text in found if is_current]
    return {text.strip(): address for address, _, text in found}, list(dict.fromkeys(current))  # More repeats some


def sections(page):
    return links(page, ('aria-label="Main">', "</nav>"))


@pytest.mark.django_db
def test_navigation_without_lists_leads_to_players_events_and_clubs(client):
    page = markup(client.get("/"))
    assert sections(page) == ({"Players": "/search/", "Events": "/events/", "Clubs": "/clubs/"}, [])
    assert 'class="switch"' not in page


@pytest.mark.django_db
def test_navigation_of_one_list_names_the_federation_and_has_no_switcher(client):
    make_list("fesa")
    page = markup(client.get("/lists/fesa/"))
    assert sections(page) == (
        {"Ratings": "/lists/fesa/", "Players": "/search/", "Events": "/events/", "Promotions": "/lists/fesa/promotions/",
         "Clubs": "/clubs/", "Statistics": "/lists/fesa/statistics/", "Rules": "/lists/fesa/rules/"},
        ["Ratings"],
    )  # fmt: skip
    assert 'class="switch"' not in page


@pytest.mark.django_db
def test_navigation_follows_the_list_of_the_page(client):
    make_list("fesa", name="Shogi", federation="FESA")
    make_list("icu", system="icu-1989", name="Chess", federation="ICU")
    page = markup(client.get("/lists/icu/statistics/"))
    addresses, current = sections(page)
    assert (addresses["Ratings"], "Promotions" in addresses, current) == ("/lists/icu/", False, ["Statistics"])
    assert '<span class="long">ICU</span>' in page
    assert links(page, ('class="switch"', "</details>")) == (
        {"Chess": "/lists/icu/", "Shogi": "/lists/fesa/"},
        ["Chess"],
    )
    assert [addresses[name] for name in ("Players", "Events", "Clubs")] == [
        "/search/?list=icu", "/events/?list=icu", "/clubs/?list=icu"
    ]  # fmt: skip
    for address in ("/events/", "/clubs/", "/search/"):
        assert '<span class="name">Ratings</span>' in markup(client.get(address))
        assert '<span class="long">ICU</span>' in markup(client.get(f"{address}?list=icu"))


@pytest.mark.django_db
def test_users_reach_their_desk_and_their_page_from_every_page(client):
    client.force_login(make_user("ada"))
    addresses, _ = sections(markup(client.get("/clubs/")))
    assert (addresses["Desk"], addresses["My page"]) == ("/desk/", "/me/")


def test_sections_name_existing_addresses_once():
    names = [name for section in SECTIONS.values() for name in section]
    assert len(names) == len(set(names))
    assert [name for name in names if name not in get_resolver().reverse_dict] == []


def test_icon_is_inline_and_hidden_from_screen_readers():
    icon = read_icon("search")
    assert icon.startswith('<svg class="icon" viewBox="0 0 24 24"')
    assert ('aria-hidden="true"' in icon, "\n" in icon, "<circle" in icon) == (True, False, True)
    with pytest.raises(FileNotFoundError):
        read_icon("no-such-icon")


def test_flag_is_an_image_of_the_package_without_text():
    assert (
        flag("SE")
        == '<img class="flag" src="/static/vendor/flags/SE.svg" alt="" width="22" height="15" loading="lazy">'
    )
    assert flag("") == ""
    assert finders.find("vendor/flags/SE.svg")


@pytest.mark.parametrize(
    ("grade", "badge"),
    [
        ("4 Dan", '<span class="grade dan">4 Dan</span>'),
        ("1 Kyu", '<span class="grade kyu">1 Kyu</span>'),
        ("", ""),
        (None, ""),
    ],
)
def test_grade_badge_is_dark_for_dan_and_outlined_for_kyu(grade, badge):
    assert grade_badge(grade) == badge


SIGN_OUT = re.compile(
    r'<form method="post" action="(/accounts/logout/)">.*?<button\s+class="sign-out">Sign out</button>'
)


@pytest.mark.django_db
def test_head_of_every_page_signs_out_with_one_click(client):
    make_list("fesa")
    client.force_login(make_user("user"))
    for address in ("/", "/lists/fesa/", "/me/", "/accounts/email/", "/help/organiser/", "/none/"):
        head = markup(client.get(address)).partition("</header>")[0]
        assert SIGN_OUT.findall(head) == ["/accounts/logout/"], address
    assert client.post("/accounts/logout/").url == "/"
    assert "_auth_user_id" not in client.session
    assert SIGN_OUT.findall(markup(client.get("/"))) == []
