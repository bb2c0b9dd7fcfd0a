"""The other admin screens: who reaches them, and that saving goes through the domain."""

import pytest
from django.contrib.auth.models import Group

from ratings.access import OFFICERS, ORGANISERS
from ratings.models import Adjustment, Change, Decision, Event, ListPlayer, Player, RatingList, Table
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db

MODELS = [
    "club",
    "player",
    "ratinglist",
    "listplayer",
    "adjustment",
    "decision",
    "event",
    "table",
    "award",
    "change",
    "standing",
]
EVENT = {
    "mode": "board",
    "name": "Cup",
    "place": "",
    "country": "",
    "start": "2024-01-06",
    "end": "2024-01-06",
    "organiser": "",
    "time_control": "",
}


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def cup(fesa, rate_all):
    a, b = make_player("Zoë"), make_player("Ben")
    give_rating(fesa, a, 1799, grade="1 Kyu")
    table = make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2024-01-06", event_name="Cup")
    rate_all()
    return table


def log_in(client, group=None, **fields):
    user = make_user(f"user-{group}", is_staff=True, **fields)
    if group:
        user.groups.add(Group.objects.get(name=group))
    client.force_login(user)
    return user


def marked():
    day = RatingList.objects.get(slug="fesa").out_of_date_from
    RatingList.objects.update(out_of_date_from=None)
    return day and str(day)


@pytest.mark.parametrize("model", MODELS)
def test_every_screen_opens_and_searches_for_officers(model, client, cup):
    log_in(client, OFFICERS)
    assert client.get(f"/admin/ratings/{model}/").status_code == 200
    assert client.get(f"/admin/ratings/{model}/?q=zoe+x").status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_staff_without_rights_reach_no_screen(model, client, cup):
    log_in(client)
    assert client.get(f"/admin/ratings/{model}/").status_code == 403


@pytest.mark.parametrize(
    ("model", "status"),
    [("event", 200), ("table", 200), ("player", 200), ("club", 200), ("ratinglist", 200),
     ("listplayer", 403), ("adjustment", 403), ("decision", 403), ("award", 403), ("change", 403), ("standing", 403)],
)  # fmt: skip
def test_organisers_reach_what_they_need(model, status, client, cup):
    log_in(client, ORGANISERS)
    assert client.get(f"/admin/ratings/{model}/").status_code == status


def test_organisers_see_and_change_their_own_events_only(client, cup):
    user = log_in(client, ORGANISERS)
    event = cup.event
    assert "Cup" not in client.get("/admin/ratings/event/").content.decode()
    assert client.get(f"/admin/ratings/event/{event.pk}/change/").status_code == 302  # as if it were not there
    assert client.post(f"/admin/ratings/event/{event.pk}/delete/", {"post": "yes"}).status_code == 302
    assert client.get(f"/admin/ratings/table/{cup.pk}/change/").status_code == 302
    Event.objects.update(created_by=user)
    assert client.post(f"/admin/ratings/event/{event.pk}/change/", EVENT | {"name": "X"}).status_code == 403
    assert client.post(f"/admin/ratings/table/{cup.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Event.objects.get().name == "Cup"


def test_organisers_event_is_a_draft_of_his_own(client, fesa):
    user = log_in(client, ORGANISERS)
    client.post("/admin/ratings/event/add/", EVENT | {"lists": [fesa.pk], "state": "accepted"})
    event = Event.objects.get()
    assert (event.state, event.created_by, list(event.lists.all())) == ("draft", user, [fesa])
    page = client.get(f"/admin/ratings/event/{event.pk}/change/").content.decode()
    assert f"/organise/events/{event.public_id}/" in page


def test_saving_an_event_marks_old_and_new_lists(client, cup, fesa):
    log_in(client, OFFICERS)
    other = make_list("other")
    address = f"/admin/ratings/event/{cup.event.pk}/change/"
    assert client.post(address, EVENT | {"state": "accepted", "lists": [other.pk]}).status_code == 302
    assert list(cup.event.lists.all()) == [other]
    assert dict(RatingList.objects.values_list("slug", "out_of_date_from")).keys() == {"fesa", "other"}
    assert all(day for day in RatingList.objects.values_list("out_of_date_from", flat=True))


def test_bulk_deletion_of_events_marks_their_lists(client, cup):
    log_in(client, OFFICERS)
    data = {"action": "delete_selected", "_selected_action": [cup.event.pk], "post": "yes"}
    client.post("/admin/ratings/event/", data)
    assert not Event.objects.exists()
    assert marked() == "2024-01-06"


def test_saving_and_deleting_a_table_marks_its_list(client, cup):
    log_in(client, OFFICERS)
    data = {
        "event": cup.event.pk,
        "name": "Main",
        "first_day": "2024-02-03",
        "last_day": "2024-02-03",
        "position": 0,
        "rated": "on",
    }
    assert client.post(f"/admin/ratings/table/{cup.pk}/change/", data).status_code == 302
    assert marked() == "2024-01-06"
    assert Table.objects.get().name == "Main"
    client.post(f"/admin/ratings/table/{cup.pk}/delete/", {"post": "yes"})
    assert marked() == "2024-02-03"
    assert not Table.objects.exists()


def test_adjustment_is_checked_signed_and_marks_the_list(client, cup, fesa):
    user = log_in(client, OFFICERS)
    player = Player.objects.get(family_name="Ben")
    data = {"list": fesa.pk, "player": player.pk, "date": "2024-03-01", "set": '{"rating": 0}', "reason": "r"}
    assert "rating: 0 cannot be" in client.post("/admin/ratings/adjustment/add/", data).content.decode()
    assert marked() is None
    client.post("/admin/ratings/adjustment/add/", data | {"set": '{"rating": 1500, "games": 20}'})
    made = Adjustment.objects.get(player=player)
    assert (made.set, made.made_by) == ({"rating": 1500, "games": 20}, user)
    assert marked() == "2024-03-01"
    client.post(f"/admin/ratings/adjustment/{made.pk}/delete/", {"post": "yes"})
    assert marked() == "2024-03-01"


def test_decision_is_checked_and_marks_the_list(client, cup, fesa):
    log_in(client, OFFICERS)
    player = Player.objects.get(family_name="Ben")
    data = {
        "list": fesa.pk,
        "player": player.pk,
        "date": "2024-03-01",
        "grade": "9 Dan",
        "ruling": "given",
        "reason": "r",
    }
    assert "Not a grade of this list" in client.post("/admin/ratings/decision/add/", data).content.decode()
    client.post("/admin/ratings/decision/add/", data | {"grade": "3 Kyu"})
    assert Decision.objects.get().grade == "3 Kyu"
    assert marked() == "2024-03-01"


def test_prior_grade_marks_the_list_from_the_players_first_table(client, cup, fesa):
    log_in(client, OFFICERS)
    player = Player.objects.get(family_name="Ben")
    data = {"list": fesa.pk, "player": player.pk, "prior_grade": "9 Dan", "member": "on"}
    assert "A grade from 20 Kyu to 6 Dan." in client.post("/admin/ratings/listplayer/add/", data).content.decode()
    client.post("/admin/ratings/listplayer/add/", data | {"prior_grade": "3 Dan"})
    assert ListPlayer.objects.get().prior_grade == "3 Dan"
    assert marked() == "2024-01-06"


def test_options_of_a_list_are_checked_and_rate_it_again(client, cup, fesa):
    log_in(client, OFFICERS)
    data = {
        "slug": "fesa",
        "name": "FESA",
        "federation": "FESA",
        "active_years": 2,
        "system": "fesa-2016",
        "options": '{"k": 3}',
        "initial-options": "{}",
    }
    address = f"/admin/ratings/ratinglist/{fesa.pk}/change/"
    assert "is not an option of fesa-2016" in client.post(address, data).content.decode()
    assert client.post(address, data | {"options": "{}"}).status_code == 302
    assert marked() is None


@pytest.mark.parametrize("model", ["award", "change", "standing"])
def test_derived_rows_cannot_be_changed_by_hand(model, client, cup):
    user = log_in(client, OFFICERS, is_superuser=True)
    assert user.is_superuser
    change = Change.objects.latest("pk")
    assert client.get(f"/admin/ratings/{model}/add/").status_code == 403
    assert client.post(f"/admin/ratings/{model}/{change.pk}/delete/", {"post": "yes"}).status_code in (302, 403)
    assert Change.objects.filter(pk=change.pk).exists()


def test_player_search_ignores_accents_and_finds_ids(client, cup):
    log_in(client, OFFICERS)
    zoe = Player.objects.get(family_name="Zoë")
    for query in ("ZOE", zoe.public_id.lower()):
        address = f"/admin/autocomplete/?app_label=ratings&model_name=entry&field_name=player&term={query}"
        assert [found["text"] for found in client.get(address).json()["results"]] == ["Zoë"]


def test_player_in_a_table_cannot_be_deleted(client, cup):
    log_in(client, OFFICERS)
    zoe = Player.objects.get(family_name="Zoë")
    client.post(f"/admin/ratings/player/{zoe.pk}/delete/", {"post": "yes"})
    assert Player.objects.filter(pk=zoe.pk).exists()


def test_draft_of_somebody_else_is_no_place_for_a_table(client, fesa):
    log_in(client, ORGANISERS)
    event = make_event(lists=[fesa], state=Event.State.DRAFT)
    data = {
        "event": event.pk,
        "name": "",
        "first_day": "2024-01-06",
        "last_day": "2024-01-06",
        "position": 0,
        "rated": "on",
    }
    assert client.post("/admin/ratings/table/add/", data).status_code == 403
    assert not Table.objects.exists()


def test_adjustments_and_lists_can_be_deleted_with_what_was_derived(client, cup, fesa):
    log_in(client, OFFICERS)
    adjustment = Adjustment.objects.get()
    client.post(f"/admin/ratings/adjustment/{adjustment.pk}/delete/", {"post": "yes"})
    assert not Adjustment.objects.exists()
    log_in(client, None, is_superuser=True)
    client.post(f"/admin/ratings/ratinglist/{fesa.pk}/delete/", {"post": "yes"})
    assert not RatingList.objects.exists()


@pytest.mark.parametrize("model", ["adjustment", "decision", "listplayer"])
def test_form_without_a_list_is_told(model, client, cup):
    log_in(client, OFFICERS)
    data = {"player": Player.objects.first().pk, "date": "2024-01-01", "grade": "1 Dan", "ruling": "given", "reason": "r",
            "set": "{}", "prior_grade": "1 Dan", "fixed_rating": "1500"}  # fmt: skip
    response = client.post(f"/admin/ratings/{model}/add/", data)
    assert "This field is required." in response.content.decode()


def test_organisers_see_no_birth_dates(client, cup):
    Player.objects.update(birth_date="1970-05-01", birth_year=1970)
    player = Player.objects.first()
    log_in(client, ORGANISERS)
    assert "1970" not in client.get(f"/admin/ratings/player/{player.pk}/change/").content.decode()
    log_in(client, OFFICERS)
    assert "1970-05-01" in client.get(f"/admin/ratings/player/{player.pk}/change/").content.decode()


def test_another_list_of_a_prior_grade_marks_both(client, cup, fesa):
    log_in(client, OFFICERS)
    other, ben = make_list("other"), Player.objects.get(family_name="Ben")
    cup.event.lists.add(other)
    row = ListPlayer.objects.create(list=fesa, player=ben, prior_grade="3 Dan")
    data = {"list": other.pk, "player": ben.pk, "prior_grade": "3 Dan", "member": "on"}
    client.post(f"/admin/ratings/listplayer/{row.pk}/change/", data)
    assert {str(day) for day in RatingList.objects.values_list("out_of_date_from", flat=True)} == {"2024-01-06"}


def test_birth_date_marks_the_lists_of_the_player(client, cup, fesa):
    log_in(client, OFFICERS)
    ben = Player.objects.get(family_name="Ben")
    data = {"family_name": "Ben", "given_name": "", "native_name": "", "country": "FR", "birth_date": "1970-05-01",
            "birth_year": "", "shown": "full", "memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}  # fmt: skip
    assert client.post(f"/admin/ratings/player/{ben.pk}/change/", data).status_code == 302
    assert marked() == "2024-01-06"
