"""The other admin screens: who reaches them, and that saving goes through the domain."""

import datetime as dt
import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from django.urls import reverse

from ratings.access import OFFICERS, ORGANISERS
from ratings.admin.lists import lists
from ratings.domain.lists.federations import get_or_create_federation
from ratings.models import Adjustment, Change, Decision, Event, ListPlayer, Player, RatingList, Table
from ratings.systems import SYSTEMS
from tests.factories import give_rating, make_event, make_list, make_player, make_table, make_user
from tests.markup import markup
from tests.shared import reused
from tests.versions import opened

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
@reused
def fesa():
    return make_list()


@pytest.fixture
@reused
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


@pytest.mark.parametrize("role", [OFFICERS, ORGANISERS, None])
def test_form_to_add_a_record_opens_wherever_somebody_may_add_one(role, client, cup):
    user = log_in(client, role, is_superuser=role is None)
    request = RequestFactory().get("/admin/")
    request.user = user
    addable = [app_model["model"] for app in admin.site.get_app_list(request) for app_model in app["models"]
               if app_model["add_url"]]  # fmt: skip
    assert Event in addable
    statuses = {model: client.get(reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_add")).status_code
                for model in addable}  # fmt: skip
    assert {model for model, status in statuses.items() if status != 200} == set()


@pytest.mark.parametrize("model", MODELS)
def test_staff_without_rights_reach_no_screen(model, client, cup):
    log_in(client)
    assert client.get(f"/admin/ratings/{model}/").status_code == 403


@pytest.mark.parametrize(
    ("model", "status"),
    [("event", 200), ("table", 200), ("player", 200), ("club", 200), ("ratinglist", 200),
     ("listplayer", 403), ("adjustment", 403), ("decision", 403), ("award", 403), ("change", 403), ("standing", 403)],
)  # fmt: skip
def test_organisers_have_access_to_their_pages(model, status, client, cup):
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


def test_organisers_event_is_a_draft_of_their_own(client, fesa):
    user = log_in(client, ORGANISERS)
    client.post("/admin/ratings/event/add/", EVENT | {"lists": [fesa.pk], "state": "accepted"})
    event = Event.objects.get()
    assert (event.state, event.created_by, list(event.lists.all())) == ("draft", user, [fesa])
    page = client.get(f"/admin/ratings/event/{event.pk}/change/").content.decode()
    assert f"/organise/events/{event.public_id}/" in page


def test_event_on_a_day_that_another_list_rates_is_refused(client, fesa):
    log_in(client, ORGANISERS)
    RatingList.objects.filter(pk=fesa.pk).update(successor=make_list("new", begins_on=dt.date(2024, 1, 6)))
    response = client.post("/admin/ratings/event/add/", EVENT | {"lists": [fesa.pk]})
    errors = response.context["adminform"].form.errors
    assert errors == {"lists": ["NEW continues FESA and rates events that end on 6 Jan 2024 or later: choose NEW."]}
    assert not Event.objects.exists()


def test_saving_an_event_marks_old_and_new_lists(client, cup, fesa):
    log_in(client, OFFICERS)
    other = make_list("other")
    address = f"/admin/ratings/event/{cup.event.pk}/change/"
    assert client.post(address, EVENT | {"lists": [other.pk]} | opened(cup.event)).status_code == 302
    assert list(cup.event.lists.all()) == [other]
    assert dict(RatingList.objects.values_list("slug", "out_of_date_from")).keys() == {"fesa", "other"}
    assert all(day for day in RatingList.objects.values_list("out_of_date_from", flat=True))


@pytest.mark.parametrize("model", ["event", "ratinglist"])
def test_tie_breaks_are_chosen_from_selects(model, client, cup, fesa):
    client.force_login(make_user("root", is_superuser=True, is_staff=True))
    pk = cup.event.pk if model == "event" else fesa.pk
    page = client.get(reverse(f"admin:ratings_{model}_change", args=[pk])).content.decode()
    assert re.findall(r'<select name="(tie_breaks_\d)"', page) == [f"tie_breaks_{number}" for number in range(4)]


def test_bulk_deletion_deletes_drafts_and_refuses_accepted_events(client, cup):
    log_in(client, OFFICERS)
    draft = make_event("Draft", state="draft")
    for event in (cup.event, draft):
        data = {"action": "delete_selected", "_selected_action": [event.pk], "post": "yes"}
        client.post("/admin/ratings/event/", data)
    assert list(Event.objects.order_by("name").values_list("name", "state")) == [
        (cup.event.name, "accepted"), ("Draft", "deleted"),
    ]  # fmt: skip


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
    assert client.post(f"/admin/ratings/table/{cup.pk}/change/", data | opened(cup)).status_code == 302
    assert marked() == "2024-01-06"
    assert Table.objects.get().name == "Main"
    client.post(f"/admin/ratings/table/{cup.pk}/delete/", {"post": "yes"})
    assert marked() == "2024-02-03"
    assert not Table.objects.exists()


def test_table_deleted_in_the_admin_is_restored_with_its_results(client, cup, rate_all):
    """Organisers' finding 5: “Bring back” was lost, and two pages disagreed about the event."""
    log_in(client, OFFICERS)
    client.post(f"/admin/ratings/table/{cup.pk}/delete/", {"post": "yes"})
    step = cup.event.steps.get()
    assert (step.what, cup.event.tables.count()) == ("table deleted", 0)
    rate_all()
    manage, public = f"/organise/events/{cup.event.public_id}/", cup.event.get_absolute_url()
    assert ["Rated" in markup(client.get(page)) for page in (manage, public)] == [False, False]
    assert client.post(f"{manage}history/{step.pk}/undo/").status_code == 302
    assert (cup.event.tables.get(), cup.games.count()) == (cup, 1)


def test_adjustment_is_checked_signed_and_marks_the_list(client, cup, fesa):
    user = log_in(client, OFFICERS)
    player = Player.objects.get(family_name="Ben")
    data = {"list": fesa.pk, "player": player.pk, "date": "2024-03-01", "set": '{"rating": 0}', "reason": "r"}
    assert "invalid rating: 0" in client.post("/admin/ratings/adjustment/add/", data).content.decode()
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


LIST = {"slug": "chess", "name": "Chess", "system": "icu-1989", "answer_within": "30"}


def test_options_of_a_list_are_fields_with_their_help_text(client):
    chess = make_list("chess", system="icu-1989", options={"cap": 2200})
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{chess.pk}/change/"
    form = client.get(address).context["adminform"].form
    options = {name: field for name, field in form.fields.items() if name.startswith("option_")}
    assert [*options] == [f"option_{option.key}" for option in chess.rating_system.options]
    assert (form["option_cap"].value(), form["option_prov_limit"].value()) == ("2200", None)
    assert options["option_cap"].help_text == (
        "Bonus points raise no rating above this one. Takes a rating from 1 to 5000. Default: 2100."
    )
    assert options["option_bracket_for_graded"].choices == [
        ("", "default: no"), ("false", "no"), ("true", "yes"),
    ]  # fmt: skip
    assert "options" not in form.fields
    assert [options[f"option_{key}"].label for key in ("cap", "publish_floor")] == [
        "Highest rating by bonus", "Lowest published rating",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("posted", "options"),
    [
        ({}, {}),
        ({"option_cap": "2200"}, {"cap": 2200}),  # the example of the page on how ratings are made
        ({"option_cap": " 2200 ", "option_bracket_for_graded": "true"}, {"cap": 2200, "bracket_for_graded": True}),
        ({"option_publish_floor": "800", "option_prov_limit": "25"}, {"publish_floor": 800, "prov_limit": 25}),
    ],
)
def test_options_of_a_list_are_saved_from_their_fields(posted, options, client):
    chess = make_list("chess", system="icu-1989", options={"cap": 2000})
    log_in(client, OFFICERS)
    response = client.post(f"/admin/ratings/ratinglist/{chess.pk}/change/", LIST | posted | opened(chess))
    assert response.status_code == 302
    chess.refresh_from_db()
    assert chess.options == options


@pytest.mark.parametrize("text", ["high", "0", "-1", "null", "[2200]", "true", "1e999", "<script>"])
def test_option_that_is_not_accepted_is_refused_beside_its_field(text, client):
    chess = make_list("chess", system="icu-1989")
    log_in(client, OFFICERS)
    response = client.post(f"/admin/ratings/ratinglist/{chess.pk}/change/", LIST | {"option_cap": text} | opened(chess))
    errors = response.context["adminform"].form.errors
    assert errors == {"option_cap": [f"Invalid value “{text}”: expected a rating from 1 to 5000."]}
    chess.refresh_from_db()
    assert chess.options == {}


@pytest.mark.parametrize("system", SYSTEMS)
def test_options_of_every_system_come_back_as_they_were_saved(system, client):
    options = {option.key: option.default for option in SYSTEMS[system].options if option.default is not None}
    made = make_list("chess", system=system, options=options)
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{made.pk}/change/"
    form = client.get(address).context["adminform"].form
    posted = {name: form[name].value() or "" for name in form.fields if name.startswith("option_")}
    assert client.post(address, LIST | {"system": system} | posted | opened(made)).status_code == 302
    made.refresh_from_db()
    assert made.options == options


def test_list_without_results_gets_another_system_by_saving(client):
    chess = make_list("chess", system="icu-1989", options={"cap": 2200})
    log_in(client, OFFICERS)
    posted = LIST | {"system": "bgf", "option_cap": "2200"}
    assert client.post(f"/admin/ratings/ratinglist/{chess.pk}/change/", posted | opened(chess)).status_code == 302
    chess.refresh_from_db()
    assert (chess.system, chess.options) == ("bgf", {})


def test_new_list_is_added_and_then_shows_its_options(client):
    log_in(client, is_superuser=True)
    data = LIST | {"federation": get_or_create_federation("Chess Union").pk, "_continue": "1"}
    response = client.post("/admin/ratings/ratinglist/add/", data, follow=True)
    assert RatingList.objects.get().options == {}
    assert "option_cap" in response.context["adminform"].form.fields


FESA = {"slug": "fesa", "name": "FESA"}


def test_saving_a_list_with_results_keeps_its_system_and_options(client, cup, fesa):
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{fesa.pk}/change/"
    page = client.get(address)
    assert not {"system", "options", "option_corrections"} & set(page.context["adminform"].form.fields)
    assert f'href="/admin/ratings/ratinglist/{fesa.pk}/system/"' in page.content.decode()
    more = {"system": "bgf", "options": '{"bonus": "epsilon"}', "option_corrections": "revised", "name": "New name",
            "answer_within": "30"}  # fmt: skip
    assert client.post(address, FESA | more | opened(fesa)).status_code == 302
    fesa.refresh_from_db()
    assert (fesa.name, fesa.system, fesa.options, marked()) == ("New name", "fesa-2016", {}, None)


def test_options_of_a_list_with_results_are_changed_after_a_confirmation(client, cup, fesa):
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{fesa.pk}/system/"
    assert "option_corrections" in client.get(address).context["form"].fields
    asked = client.post(address, {"option_corrections": "revised"} | opened(fesa))
    page = asked.content.decode()
    assert "FESA will be rated with the new options." in page
    assert "Its 1 table is rated again from the beginning." in page
    fesa.refresh_from_db()
    assert (fesa.options, marked()) == ({}, None)  # nothing is saved yet
    posted = dict(asked.context["posted"]) | {"_confirm": "1"}
    changed = client.post(address, posted, follow=True)
    fesa.refresh_from_db()
    assert (fesa.options, marked()) == ({"corrections": "revised"}, "0001-01-01")
    assert "Saved. All results of FESA are being rated again." in changed.content.decode()


def test_system_of_a_list_with_results_is_fixed_and_the_page_says_why(client, cup, fesa):
    log_in(client, OFFICERS)
    reason = "The rating system is fixed, because results have been rated on this list."
    for address in ("change", "system"):
        assert reason in client.get(f"/admin/ratings/ratinglist/{fesa.pk}/{address}/").text
    sent = {"system": "icu-1989", "_confirm": "1"} | opened(fesa)  # by hand
    client.post(f"/admin/ratings/ratinglist/{fesa.pk}/system/", sent)
    client.post(f"/admin/ratings/ratinglist/{fesa.pk}/change/", FESA | sent | opened(fesa))
    assert RatingList.objects.get(pk=fesa.pk).system == "fesa-2016"


def test_system_of_a_list_with_starting_ratings_is_fixed_and_its_options_are_not(client):
    chess = make_list("chess", system="icu-1989")
    Adjustment.objects.create(
        list=chess, player=make_player("Ada"), date="2020-01-01", set={"rating": 1500, "games": 20}
    )
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{chess.pk}/change/"
    page = client.get(address)
    assert "The rating system is fixed, because players have starting ratings on this list." in page.text
    assert ("system" in page.context["adminform"].form.fields) is False
    assert client.post(address, LIST | {"system": "bgf", "option_cap": "2200"} | opened(chess)).status_code == 302
    chess.refresh_from_db()
    assert (chess.system, chess.options) == ("icu-1989", {"cap": 2200})


def test_options_that_cannot_rate_a_list_are_not_offered_for_confirmation(client, cup, fesa, monkeypatch):
    def refuse(rating_list, options):
        raise ValidationError("not with these")

    monkeypatch.setattr(lists, "change_options", refuse)
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{fesa.pk}/system/"
    for more in ({}, {"_confirm": "1"}):
        response = client.post(address, {"option_corrections": "revised"} | more | opened(fesa))
        assert (response.context["problems"], 'name="_confirm"' in response.text) == (["not with these"], False)


def test_options_of_a_list_are_not_changed_from_an_outdated_form(client, cup, fesa):
    log_in(client, OFFICERS)
    address, seen = f"/admin/ratings/ratinglist/{fesa.pk}/system/", opened(fesa)
    RatingList.objects.get(pk=fesa.pk).save()  # meanwhile
    data = {"option_corrections": "revised", "_confirm": "1"}
    page = client.post(address, data | seen)
    assert (RatingList.objects.get(pk=fesa.pk).options, page.status_code) == ({}, 200)
    assert "has been changed since you opened this form" in page.text
    now = {"opened_version": page.context["form"].data["opened_version"]}
    assert client.post(address, data | now).status_code == 302
    assert RatingList.objects.get(pk=fesa.pk).options == {"corrections": "revised"}


def test_wrong_option_is_refused_before_the_confirmation(client, cup, fesa):
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{fesa.pk}/system/"
    response = client.post(address, {"option_corrections": "x", "_confirm": "1"} | opened(fesa))
    assert (response.status_code, "previews" in response.context) == (200, False)
    fesa.refresh_from_db()
    assert fesa.options == {}


@pytest.mark.parametrize("who", ["stranger", "organiser", "officer of another list"])
def test_options_of_a_list_are_for_its_officers(who, client, cup, fesa):
    if who == "officer of another list":
        fesa.officers.add(make_user("keeper"))
    if who != "stranger":
        log_in(client, ORGANISERS if who == "organiser" else OFFICERS)
    address = f"/admin/ratings/ratinglist/{fesa.pk}/system/"
    posted = {"option_corrections": "revised", "_confirm": "1"} | opened(fesa)
    assert [client.get(address).status_code, client.post(address, posted).status_code] in ([302, 302], [403, 403])
    fesa.refresh_from_db()
    assert fesa.options == {}


def test_officers_of_other_lists_read_the_options_of_a_list(client):
    chess = make_list("chess", system="icu-1989", options={"cap": 2200})
    chess.officers.add(make_user("keeper"))
    log_in(client, OFFICERS)
    address = f"/admin/ratings/ratinglist/{chess.pk}/change/"
    assert (
        "<li>Highest rating by bonus: 2200 – Bonus points raise no rating above this one.</li>"
        in client.get(address).text
    )
    assert client.post(address, LIST | {"option_cap": "1000"}).status_code == 403


def test_system_of_no_list_leads_back(client):
    log_in(client, OFFICERS)
    for key in ("0", "x", "999999"):
        assert client.get(f"/admin/ratings/ratinglist/{key}/system/").status_code == 302


def test_system_of_a_list_is_not_put(client, cup, fesa):
    log_in(client, OFFICERS)
    assert client.put(f"/admin/ratings/ratinglist/{fesa.pk}/system/").status_code == 405


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


def test_organiser_cannot_add_a_table_to_another_users_draft(client, fesa):
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


def test_adjustments_and_lists_can_be_deleted_with_derived_rows(client, cup, fesa):
    log_in(client, OFFICERS)
    adjustment = Adjustment.objects.get()
    client.post(f"/admin/ratings/adjustment/{adjustment.pk}/delete/", {"post": "yes"})
    assert not Adjustment.objects.exists()
    log_in(client, None, is_superuser=True)
    client.post(f"/admin/ratings/ratinglist/{fesa.pk}/delete/", {"post": "yes"})
    assert not RatingList.objects.exists()


@pytest.mark.parametrize("model", ["adjustment", "decision", "listplayer"])
def test_form_without_a_list_is_reported(model, client, cup):
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


def test_gender_is_for_officers_and_its_visibility_for_actions(client, cup):
    Player.objects.update(gender="female")
    player = Player.objects.first()
    address = f"/admin/ratings/player/{player.pk}/change/"
    log_in(client, ORGANISERS)
    assert "gender" not in client.get(address).content.decode()
    log_in(client, OFFICERS)
    form = client.get(address).context["adminform"].form
    assert (form["gender"].value(), "gender_public" in form.fields) == ("female", False)


def test_another_list_of_a_prior_grade_marks_both(client, cup, fesa):
    log_in(client, OFFICERS)
    other, ben = make_list("other"), Player.objects.get(family_name="Ben")
    cup.event.lists.add(other)
    row = ListPlayer.objects.create(list=fesa, player=ben, prior_grade="3 Dan")
    data = {"list": other.pk, "player": ben.pk, "prior_grade": "3 Dan", "member": "on"}
    client.post(f"/admin/ratings/listplayer/{row.pk}/change/", data | opened(row))
    assert {str(day) for day in RatingList.objects.values_list("out_of_date_from", flat=True)} == {"2024-01-06"}


def test_birth_date_marks_the_lists_of_the_player(client, cup, fesa):
    log_in(client, OFFICERS)
    ben = Player.objects.get(family_name="Ben")
    data = {"family_name": "Ben", "given_name": "", "native_name": "", "country": "FR", "birth_date": "1970-05-01",
            "birth_year": "", "memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0, "outside_ids-TOTAL_FORMS": 0,
            "former_names-TOTAL_FORMS": 0, "former_names-INITIAL_FORMS": 0,
            "outside_ids-INITIAL_FORMS": 0}  # fmt: skip
    assert client.post(f"/admin/ratings/player/{ben.pk}/change/", data | opened(ben)).status_code == 302
    assert marked() == "2024-01-06"
