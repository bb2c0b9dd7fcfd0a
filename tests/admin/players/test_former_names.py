"""Former names of players: entered by officers, kept when a name changes, and found."""

import datetime as dt

import pytest
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import FormerName, Player
from tests.admin.players.test_outside_ids import build_form, sign_in
from tests.factories import make_player

pytestmark = pytest.mark.django_db


def read_names(player):
    return [(str(name), name.until) for name in player.former_names.all()]


def change(client, player, **values):
    return client.post(f"/admin/ratings/player/{player.pk}/change/", build_form(client, player) | values)


def build_name(client, player, **name):
    """Return the fields of the player's screen with one former name added."""
    data = build_form(client, player) | {"outside_ids-TOTAL_FORMS": "0", "former_names-TOTAL_FORMS": "1"}
    return data | {f"former_names-0-{field}": value for field, value in name.items()}


@pytest.mark.parametrize("is_kept", [True, False])
def test_previous_name_is_kept_if_the_officer_asks_for_it(is_kept, client):
    sign_in(client, OFFICERS)
    player = make_player("Joubert", "Anne")
    data = {"family_name": "Martin", "outside_ids-TOTAL_FORMS": "0"} | ({"keep_name": "on"} if is_kept else {})
    assert change(client, player, **data).status_code == 302
    yesterday = timezone.localdate() - dt.timedelta(days=1)
    assert Player.objects.get().name == "Martin Anne"
    assert read_names(player) == ([("Joubert Anne", yesterday)] if is_kept else [])


def test_name_that_did_not_change_is_not_kept(client):
    sign_in(client, OFFICERS)
    player = make_player("Joubert", "Anne")
    assert change(client, player, country="FR", keep_name="on", **{"outside_ids-TOTAL_FORMS": "0"}).status_code == 302
    assert (str(Player.objects.get().country), read_names(player)) == ("FR", [])


def test_officers_enter_former_names_with_their_last_day(client):
    sign_in(client, OFFICERS)
    player = make_player("Martin", "Anne")
    address = f"/admin/ratings/player/{player.pk}/change/"
    data = build_name(client, player, family_name="Joubert", given_name="Anne", until="2024-06-01")
    assert client.post(address, data).status_code == 302
    assert read_names(player) == [("Joubert Anne", dt.date(2024, 6, 1))]


def test_same_former_name_twice_is_refused_and_stays_in_the_form(client):
    sign_in(client, OFFICERS)
    player = make_player("Martin", "Anne")
    data = build_name(client, player, family_name="Joubert", given_name="Anne")
    data |= {
        "former_names-TOTAL_FORMS": "2",
        "former_names-1-family_name": "Joubert",
        "former_names-1-given_name": "Anne",
    }
    response = client.post(f"/admin/ratings/player/{player.pk}/change/", data)
    assert response.status_code == 200
    assert "Please correct the duplicate data" in response.text
    assert response.text.count('value="Joubert"') == 2
    assert FormerName.objects.count() == 0


def test_previous_name_that_is_entered_too_is_stored_once(client):
    sign_in(client, OFFICERS)
    player = make_player("Joubert", "Anne")
    data = build_name(client, player, family_name="Joubert", given_name="Anne", until="2024-06-01")
    response = client.post(
        f"/admin/ratings/player/{player.pk}/change/", data | {"family_name": "Martin", "keep_name": "on"}
    )
    assert (response.status_code, read_names(player)) == (302, [("Joubert Anne", dt.date(2024, 6, 1))])


def test_players_are_found_by_a_former_name(client):
    sign_in(client, OFFICERS)
    player = make_player("Martin", "Anne")
    make_player("Bauer")
    player.former_names.create(family_name="Joubert", given_name="Anne")
    found = [list(client.get(f"/admin/ratings/player/?q={text}").context["cl"].queryset) for text in
             ("joubert", "anne jou", "martin", "joubert bauer")]  # fmt: skip
    assert found == [[player], [player], [player], []]


def test_organiser_sees_no_former_names(client):
    sign_in(client, ORGANISERS)
    player = make_player("Martin")
    page = client.get(f"/admin/ratings/player/{player.pk}/change/")
    assert [inline.opts.model for inline in page.context["inline_admin_formsets"]] == []
