"""Organisers and officers: invited by mail, told of their role, dismissed."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail

from ratings.access import OFFICERS, ORGANISERS
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


def test_who_has_an_account_is_told_of_his_role(client, staff):
    make_user("ada", email="ada@example.org")
    client.post("/organise/people/", {"mail": "ADA@example.org", "role": ORGANISERS})
    assert (roles("ada"), User.objects.filter(email__iexact="ada@example.org").count()) == ([ORGANISERS], 1)
    assert "You may now enter results." in mail.outbox[0].body


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


def test_nobody_takes_his_own_role_away(client, staff):
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
