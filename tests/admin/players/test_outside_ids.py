"""Ids of players in other registries on the player's screen in the admin."""

import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.site.roles import ensure_roles
from ratings.models import OutsideId
from tests.factories import make_player, make_user

pytestmark = pytest.mark.django_db


def sign_in(client, role):
    ensure_roles()
    user = make_user(role, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    client.force_login(user)
    return user


def build_form(client, player, **outside):
    """Return the fields of the player's screen with one id added."""
    page = client.get(f"/admin/ratings/player/{player.pk}/change/")
    data = {}
    for form in (
        page.context["adminform"].form,
        *(inline.formset.management_form for inline in page.context["inline_admin_formsets"]),
    ):
        for field in form:
            data[field.html_name] = "" if field.value() is None else field.value()
    data |= {"outside_ids-TOTAL_FORMS": "1", **{f"outside_ids-0-{name}": value for name, value in outside.items()}}
    return data


def test_officer_who_enters_an_id_confirms_it(client):
    officer, player = sign_in(client, OFFICERS), make_player("Adler")
    data = build_form(client, player, registry="egd", value="1234 5678")
    response = client.post(f"/admin/ratings/player/{player.pk}/change/", data)
    assert response.status_code == 302, response.context["errors"]
    outside = OutsideId.objects.get()
    assert (outside.player, outside.value, outside.confirmed_by) == (player, "12345678", officer)
    assert outside.confirmed_at is not None


def test_invalid_id_stays_in_the_form_with_its_problem(client):
    sign_in(client, OFFICERS)
    player = make_player("Adler")
    data = build_form(client, player, registry="egd", value="1234")
    response = client.post(f"/admin/ratings/player/{player.pk}/change/", data)
    assert "Enter the PIN: 8 digits." in response.text
    assert 'value="1234"' in response.text
    assert OutsideId.objects.count() == 0


def test_players_are_found_by_an_id(client):
    sign_in(client, OFFICERS)
    player = make_player("Adler")
    make_player("Bauer")
    OutsideId.objects.create(player=player, registry="fide", value="1503014")
    OutsideId.objects.create(player=player, registry="national", country="FR", value="A-1")
    for text in ("1503014", "FIDE 1503014", "a-1", "FR A-1"):
        page = client.get("/admin/ratings/player/", {"q": text})
        assert list(page.context["cl"].queryset) == [player], text
    assert list(client.get("/admin/ratings/player/?q=DE+A-1").context["cl"].queryset) == []


def test_organiser_does_not_change_ids(client):
    sign_in(client, ORGANISERS)
    player = make_player("Adler")
    page = client.get(f"/admin/ratings/player/{player.pk}/change/")
    assert [inline.opts.model for inline in page.context["inline_admin_formsets"]] == []
