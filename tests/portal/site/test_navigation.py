"""Both levels of the navigation: the switcher of lists and the sections of the chosen list."""

import re

import pytest
from django.contrib.auth.models import Group
from django.contrib.staticfiles import finders
from django.urls import get_resolver

from portal.site.icons import read_icon
from portal.site.navigation import SECTIONS
from portal.templatetags.portal_format import flag, grade_badge
from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.site.roles import ensure_roles
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


@pytest.mark.django_db
def test_switcher_offers_public_comparisons_behind_their_list(client):
    shogi = make_list("fesa", name="Shogi", federation="FESA")
    make_list("icu", system="icu-1989", name="Chess", federation="ICU")
    make_list("elo", name="Elo", comparison_to=shogi)
    make_list("secret", name="Secret", comparison_to=shogi, public=False)
    page = markup(client.get("/lists/elo/"))
    switcher = page.partition('class="switch"')[2].partition("</details>")[0]
    assert links(page, ('class="switch"', "</details>")) == (
        {"Shogi": "/lists/fesa/", "Elo": "/lists/elo/", "Chess": "/lists/icu/"},
        ["Elo"],
    )
    assert re.findall(r"<small>(.*?)</small>", switcher) == ["FESA", "FESA · for comparison", "ICU"]
    assert sections(markup(client.get("/events/")))[0]["Ratings"] == "/lists/fesa/"
    for address in ("/events/", "/clubs/", "/search/"):
        assert '<span class="name">Ratings</span>' in markup(client.get(address))
        assert '<span class="long">ICU</span>' in markup(client.get(f"{address}?list=icu"))


@pytest.mark.django_db
def test_users_reach_their_desk_and_their_page_from_every_page(client):
    client.force_login(make_user("ada"))
    page = markup(client.get("/clubs/"))
    assert sections(page)[0]["Desk"] == "/desk/"
    assert links(page, ('class="switch account"', "</details>")) == (
        {"My page": "/me/", "Pages I follow": "/me/following/", "Account": "/me/#account"},
        [],
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("names", "label"), [({}, "moreau"), ({"first_name": "Paul", "last_name": "Moreau"}, "Moreau, Paul")]
)
def test_head_shows_the_name_of_the_user(names, label, client):
    client.force_login(make_user("moreau", **names))
    for address in ("/clubs/", "/help/organiser/"):
        assert f'<span class="account-name">{label}</span>' in markup(client.get(address)).partition("</header>")[0]


def list_sections(client, address):
    """Return the sections of a working page, and those that a phone shows outside of More."""
    part = markup(client.get(address)).partition('aria-label="Main">')[2].partition("</nav>")[0]
    row, _, more = part.partition('<li class="more only-narrow">')
    shown = re.findall(r"<li><a [^>]*>([^<]+)", row)
    everything = re.findall(r"<a [^>]*>([^<]+)", row)
    assert [*shown, *re.findall(r"<a [^>]*>([^<]+)", more.partition("</details>")[0])] == [*everything, "Public site"]
    return everything, shown


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("group", "address", "names"),
    [
        (ORGANISERS, "/organise/", ["My events", "Help", "API keys"]),
        (OFFICERS, "/organise/desk/",
         ["Desk", "Queue", "My events", "Approvals", "People", "Laboratory", "Help", "API keys"]),
        (APPROVERS, "/organise/approvals/", ["Approvals", "Help"]),
        (None, "/organise/health/",
         ["Set up", "People", "Health", "Desk", "Queue", "My events", "Approvals", "Laboratory", "Help", "API keys"]),
    ],
)  # fmt: skip
def test_working_pages_show_two_sections_on_a_phone_and_the_rest_under_more(group, address, names, client):
    ensure_roles()
    make_list()
    user = make_user("user", is_superuser=group is None)
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    assert list_sections(client, address) == (names, names[:2])


@pytest.mark.django_db
def test_administrator_who_is_an_officer_begins_with_the_desk(client):
    make_list().officers.add(user := make_user("user", is_superuser=True))
    client.force_login(user)
    assert list_sections(client, "/organise/health/")[0] == [
        "Desk", "Queue", "My events", "Approvals", "People", "Laboratory", "Set up", "Health", "Help", "API keys"
    ]  # fmt: skip


@pytest.mark.django_db
def test_head_of_the_admin_leads_to_the_desk(client):
    client.force_login(make_user("user", is_superuser=True, is_staff=True))
    tools = markup(client.get("/admin/")).partition('id="user-tools"')[2].partition("</header>")[0]
    assert '<a href="/desk/">Desk</a>' in tools
    assert "Log out" in tools


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
    r'<form method="post" action="(/accounts/logout/)" data-signs-out>.*?<button\s+class="sign-out">Sign out</button>'
)


@pytest.mark.django_db
def test_head_of_every_page_signs_out(client):
    make_list("fesa")
    client.force_login(make_user("user"))
    for address in ("/", "/lists/fesa/", "/me/", "/accounts/email/", "/help/organiser/", "/none/"):
        head = markup(client.get(address)).partition("</header>")[0]
        assert SIGN_OUT.findall(head) == ["/accounts/logout/"], address
    assert client.post("/accounts/logout/").url == "/"
    assert "_auth_user_id" not in client.session
    assert SIGN_OUT.findall(markup(client.get("/"))) == []
