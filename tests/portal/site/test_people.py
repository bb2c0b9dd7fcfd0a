"""Organisers and officers: invited by mail, told of their role, dismissed."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.domain.site.roles import ensure_roles
from ratings.models import Club
from tests.factories import make_user

pytestmark = pytest.mark.django_db(transaction=True)


def roles(name):
    return list(User.objects.get(username=name).groups.values_list("name", flat=True))


def test_invited_organiser_chooses_a_password_and_announces_events(client, staff):
    club = Club.objects.create(name="Shogi Lyon")
    response = client.post("/organise/people/", {"mail": "zoe@example.org", "role": ORGANISERS, "club": club.pk})
    assert response.status_code == 302
    assert (roles("zoe"), list(club.organisers.values_list("username", flat=True))) == ([ORGANISERS], ["zoe"])
    client.logout()
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["zoe@example.org"], "Invitation to the rating portal")
    page = client.get(re.search(r"/accounts/password/reset/key/\S+", sent.body)[0], follow=True)
    words = {"password1": "a long word 9", "password2": "a long word 9"}
    client.post(page.request["PATH_INFO"], words)
    client.post("/accounts/login/", {"login": "zoe", "password": "a long word 9"})
    assert client.get("/organise/events/new/").status_code == 200


def test_existing_user_is_notified_of_a_new_role(client, staff):
    make_user("ada", email="ada@example.org")
    client.post("/organise/people/", {"mail": "ADA@example.org", "role": ORGANISERS})
    assert (roles("ada"), User.objects.filter(email__iexact="ada@example.org").count()) == ([ORGANISERS], 1)
    assert "Your account has this role now: organiser (enter results). Sign in here:\n" in mail.outbox[0].body.replace(
        "\n\n", "\n"
    )


@pytest.mark.parametrize(
    ("role", "task", "page"),
    [
        (APPROVERS, "approver of grades (approve grades)", "/organise/approvals/"),
        (OFFICERS, "rating officer (accept results and look after rating lists)", "/organise/desk/"),
        (ORGANISERS, "organiser (enter results)", "/organise/"),
    ],
)
def test_invitation_names_the_role_and_leads_to_its_page(role, task, page, client):
    ensure_roles()
    client.force_login(make_user("root", is_superuser=True))
    client.post("/organise/people/", {"mail": "zoe@example.org", "role": role})
    client.logout()
    (sent,) = mail.outbox
    invitation = f"You are invited as “zoe”, with this role: {task}."
    assert f"{invitation} Choose a password here:" in sent.body
    form = client.get(re.search(r"/accounts/password/reset/key/\S+", sent.body)[0], follow=True)
    assert invitation in " ".join(form.text.split())
    words = {"password1": "a long word 9", "password2": "a long word 9"}
    done = client.post(form.request["PATH_INFO"], words, follow=True).content.decode()
    (onwards,) = re.findall(r'href="(/accounts/login/\?next=[^"]+)"', done)
    response = client.post(onwards, {"login": "zoe", "password": "a long word 9"}, follow=True)
    assert (response.status_code, response.redirect_chain[-1][0]) == (200, page)


def test_start_page_leads_people_without_a_role_to_their_own_page(client):
    assert client.get("/desk/").url == "/accounts/login/?next=/desk/"
    client.force_login(make_user("player"))
    assert client.get("/desk/").url == "/me/"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"mail": "nonsense", "role": ORGANISERS}, "mail"),
        ({"mail": "a@example.org", "role": OFFICERS}, "role"),
        ({"mail": "a@example.org", "role": "Kings"}, "role"),
        ({"mail": "a@example.org", "role": ORGANISERS, "club": "999"}, "club"),
    ],
)
def test_bad_invitations_and_officers_by_officers_are_refused(data, field, client, staff):
    response = client.post("/organise/people/", data)
    assert (response.status_code, list(response.context["form"].errors), User.objects.count()) == (422, [field], 1)


def test_administrators_appoint_and_dismiss_officers(client, staff):
    client.force_login(make_user("root", is_superuser=True))
    client.post("/organise/people/", {"mail": "o@example.org", "role": OFFICERS})
    assert roles("o") == [OFFICERS]
    client.post(f"/organise/people/{User.objects.get(username='o').pk}/dismiss/", {"role": OFFICERS})
    assert roles("o") == []


def test_users_cannot_remove_their_own_role(client, staff):
    staff.groups.add(Group.objects.get(name=ORGANISERS))
    client.post(f"/organise/people/{staff.pk}/dismiss/", {"role": ORGANISERS})
    assert set(roles("staff")) == {OFFICERS, ORGANISERS}


def test_officers_dismiss_organisers_and_no_officers(client, staff):
    other = make_user("other")
    other.groups.set(Group.objects.filter(name__in=[OFFICERS, ORGANISERS]))
    assert client.post(f"/organise/people/{other.pk}/dismiss/", {"role": OFFICERS}).status_code == 403
    client.post(f"/organise/people/{other.pk}/dismiss/", {"role": ORGANISERS})
    assert roles("other") == [OFFICERS]
    assert client.post(f"/organise/people/{other.pk}/dismiss/", {"role": ORGANISERS}).status_code == 404


def test_page_of_a_password_reset_names_no_role(client):
    ensure_roles()
    user = make_user("ada", email="ada@example.org")
    user.groups.add(Group.objects.get(name=ORGANISERS))
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    page = client.get(re.search(r"/accounts/password/reset/key/\S+", mail.outbox[0].body)[0], follow=True)
    assert ("Choose a password" in page.text, "invited" in page.text) == (True, False)


def test_used_link_of_an_invitation_says_what_to_do(client, staff):
    client.post("/organise/people/", {"mail": "zoe@example.org", "role": ORGANISERS})
    client.logout()
    address = re.search(r"/accounts/password/reset/key/\S+", mail.outbox[0].body)[0]
    form = client.get(address, follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "a long word 9", "password2": "a long word 9"})
    page = client.get(address, follow=True).text
    assert "This link does not work any more" in page
    assert 'href="/accounts/password/reset/"' in page


def test_two_roles_are_named_in_one_invitation(client):
    ensure_roles()
    client.force_login(make_user("root", is_superuser=True))
    for role in (ORGANISERS, OFFICERS):
        client.post("/organise/people/", {"mail": "zoe@example.org", "role": role})
    roles = "rating officer (accept results and look after rating lists); organiser (enter results)"
    assert f"with this role: {roles}." in mail.outbox[-1].body


def test_page_names_roles_in_the_readers_language(client):
    for name, group in (("ada", ORGANISERS), ("ben", OFFICERS), ("cleo", APPROVERS)):
        make_user(name).groups.add(Group.objects.get(name=group))
    client.force_login(make_user("root", is_superuser=True))
    page = client.get("/organise/people/", headers={"Accept-Language": "de"}).text
    cells = re.findall(r'aria-label="(?:[^"]*) die Rolle ([^"]*) entziehen"', page)
    assert cells == ["Ausrichter", "Wertungsreferent", "Genehmiger von Graden"]
    options = re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', page.partition('name="role"')[2])
    assert options[:3] == [
        (ORGANISERS, "Ausrichter"),
        (OFFICERS, "Wertungsreferent"),
        (APPROVERS, "Genehmiger von Graden"),
    ]
