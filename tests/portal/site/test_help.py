"""Help pages: one for each role, made of the steps that head the screens."""

import datetime as dt
import html
import re

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from portal.site import help_screens
from portal.site.help_steps import EVERYBODY, PAGES, SETUP
from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.models import Event
from tests.approvals import earn_5_dan
from tests.factories import make_event, make_list, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db
GROUPS = {"organiser": ORGANISERS, "officer": OFFICERS, "approver": APPROVERS, "administrator": None}
SCREENS = {
    "organiser": {"organise": ["to do"]},
    "officer": {"desk": ["results", "late", "accepted", "announcements", "proposals", "claims", "duplicates"]},
    "approver": {"approvals": ["cases"]},
    "administrator": {"setup": ["federation", "list", "people", "invitations", "mail", "event"]},
}
"""Steps whose titles are on screens that need no object, by role and name of the address."""

BAR_NAMES = re.compile(r'<span class="dot">(?:.(?!</span> <b>))*?.?</span> <b>([^<]+)</b>')


def sign_in(client, role):
    """Sign in as a member of a role, who has an event without results."""
    user = make_user(role, is_superuser=role == "administrator", is_staff=role == "administrator")
    if GROUPS[role]:
        user.groups.add(Group.objects.get(name=GROUPS[role]))
    make_event("Cup", timezone.now().date() - dt.timedelta(days=3), created_by=user, state="draft")
    client.force_login(user)


def text_of(client, address):
    return html.unescape(markup(client.get(address)))


@pytest.mark.parametrize("role", PAGES)
def test_help_has_the_same_steps_as_the_screens(role, client):
    sign_in(client, role)
    shown = text_of(client, reverse("help_role", args=[role]))
    assert [str(step.title) for step in PAGES[role].steps if str(step.title) not in shown] == []
    titles = {step.key: str(step.title) for step in PAGES[role].steps}
    for name, keys in SCREENS[role].items():
        screen = text_of(client, reverse(name))
        assert [key for key in keys if titles[key] not in screen] == []


def test_help_of_approvers_has_the_headings_of_a_case(client):
    earn_5_dan(fesa := make_list())
    sign_in(client, "approver")
    page = text_of(client, fesa.approvals.get().get_absolute_url())
    missing = {step.key for step in PAGES["approver"].steps if str(step.title) not in page}
    assert missing == {"two people", "reopen"}  # of a case that is answered


@pytest.mark.parametrize("role", PAGES)
def test_help_links_the_screens_for_members_of_the_role_only(role, client):
    addresses = [reverse(step.address) for step in PAGES[role].steps if step.address]
    page = text_of(client, reverse("help_role", args=[role]))
    steps = page.partition('class="timeline"')[2].partition("</ol>")[0]
    assert ("href" in steps, "Members of this role find links" in page) == (False, True)
    sign_in(client, role)
    page = text_of(client, reverse("help_role", args=[role]))
    assert [one for one in addresses if f'href="{one}' not in page] == []
    assert [one for one in addresses if client.get(one).status_code != 200] == []


def read_title(page):
    """Return the heading of a screen without its count; of a page of the admin, its name in the breadcrumbs."""
    if crumb := re.search(r'<div class="breadcrumbs">.*?&rsaquo;\s*([^<&]+?)\s*</div>', page):
        return html.unescape(crumb[1])
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", page)[1]
    return html.unescape(re.sub(r"<span class=\"count.*?</span>", "", heading)).strip()


@pytest.mark.parametrize("role", PAGES)
def test_each_step_names_its_screen_by_the_title_and_links_it(role, client):
    sign_in(client, role)
    steps = PAGES[role].steps
    opened = {step.address or step.single.found_on for step in steps}
    assert {name: read_title(markup(client.get(reverse(name)))) for name in opened} == {
        name: str(help_screens.SCREENS[name]) for name in opened
    }
    page = " ".join(text_of(client, reverse("help_role", args=[role])).split())
    for step in steps:
        name = step.address or step.single.found_on
        anchor = f"#{step.anchor}" if step.anchor else ""
        link = f'<a href="{reverse(name)}{anchor}">{help_screens.SCREENS[name]}</a>'
        expected = f"Page: {link}" if step.address else f"Page: {step.single.title} · open it from: {link}"
        text = page.partition(f'<li id="{step.slug}">')[2].partition("</li>")[0]
        assert expected in text, step.key


def test_steps_of_everybody_name_their_screens(client):
    page = " ".join(text_of(client, "/help/").split())
    found = {step.key: page.partition(f'<li id="{step.slug}">')[2].partition("</li>")[0] for step in EVERYBODY.steps}
    assert {key: re.sub(r"<[^>]*>", "", text).partition("Page: ")[2].strip() for key, text in found.items()} == {
        "find": "Players",
        "explain": "Rating change page · open it from: Events",
        "report": "Report an error · open it from: Events",
        "claim": "My page",
        "certificate": "Certificate page",
    }
    assert [read_title(markup(client.get(address))) for address in ("/search/", "/events/")] == ["Players", "Events"]
    client.force_login(make_user())
    assert read_title(markup(client.get("/me/"))) == "My page"


@pytest.mark.parametrize("role", PAGES)
def test_help_names_the_screens_without_links_for_others(role, client):
    page = text_of(client, reverse("help_role", args=[role]))
    steps = page.partition('class="timeline"')[2].partition("</ol>")[0]
    assert (steps.count("Page:"), "open it from:" in steps) == (len(PAGES[role].steps), False)


@pytest.mark.parametrize("role", PAGES)
def test_working_pages_link_the_help_of_the_role(role, client):
    sign_in(client, role)
    (name, *_), address = SCREENS[role], reverse("help_role", args=[role])
    assert f'<a href="{address}">Help</a>' in markup(client.get(reverse(name)))
    assert f'<a href="{address}" aria-current="page">Help</a>' in " ".join(markup(client.get(address)).split())


def test_everybody_reads_what_everybody_may_do(client):
    page = text_of(client, "/help/")
    assert [str(step.title) for step in EVERYBODY.steps if str(step.title) not in page] == []
    assert [role for role in PAGES if f'href="/help/{role}/"' not in page] == []
    assert client.get("/help/king/").status_code == 404


def test_bar_of_the_help_is_that_of_the_pages_of_an_event(client):
    sign_in(client, "organiser")
    event = Event.objects.get()
    names = BAR_NAMES.findall(markup(client.get(reverse("organise_event", args=[event.public_id]))))
    page = markup(client.get(reverse("help_role", args=["organiser"])))
    assert BAR_NAMES.findall(page) == names == ["Announce", "Results", "Check", "Preview", "Submit"]
    anchors = re.findall(r'<ol class="steps".*?</ol>', page)[0]
    linked = re.findall(r'href="#([\w-]+)"', anchors)
    assert linked == ["step-announce", "step-upload", "step-check", "step-submit", "step-submit"]
    assert [f'<li id="{anchor}">' in page for anchor in linked] == [True] * 5


def test_bar_of_the_help_for_administrators_is_the_set_up(client):
    sign_in(client, "administrator")
    page = markup(client.get(reverse("help_role", args=["administrator"])))
    titles = [str(step.title) for step in SETUP]
    assert [html.unescape(name) for name in BAR_NAMES.findall(page)] == titles
    screen = text_of(client, reverse("setup"))
    assert [title for title in titles if title not in screen] == []


@pytest.mark.parametrize("role", ["officer", "approver"])
def test_help_of_roles_whose_screens_have_no_bar_has_none(role, client):
    sign_in(client, role)
    assert 'class="steps"' not in client.get(reverse("help_role", args=[role])).text
