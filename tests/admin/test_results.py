"""Typing a tournament's crosstable from the event's page."""

import pytest
from django.contrib.auth.models import Group

from ratings.domain.roles import OFFICERS, ORGANISERS
from ratings.models import Change, Event, Game, RatingList, Table
from tests.factories import make_event, make_list, make_player, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer(client):
    user = make_user("officer", is_staff=True)
    user.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(user)
    return user


@pytest.fixture
def organiser():
    user = make_user("organiser", is_staff=True)
    user.groups.add(Group.objects.get(name=ORGANISERS))
    return user


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def event(fesa):
    return make_event("Cup", "2024-01-06", [fesa])


@pytest.fixture
def players():
    return [make_player(name) for name in ("Ada", "Ben", "Cleo")]


def address(event, table=0):
    return f"/admin/ratings/event/{event.pk}/results/{table}/"


def typed(players, *rows, button="save", rounds=None, **more):
    data = {"name": "", "first_day": "2024-01-06", "last_day": "2024-01-06", "rows": "5", button: "1"}
    data["rounds"] = rounds or max(len(row) for row in rows)
    for number, (player, row) in enumerate(zip(players, rows, strict=True), 1):
        data[f"row-{number}-player"] = player.pk if player else ""
        for round_, text in enumerate(row, 1):
            data[f"row-{number}-round-{round_}"] = text
    return data | more


def games():
    fields = ("round", "a__number", "b__number", "score", "played", "handicap", "giver")
    return list(Game.objects.order_by("round", "a__number").values_list(*fields))


def problems(response):
    return [str(problem) for problem in response.context["checked"].problems.in_order()]


def test_typed_crosstable_is_saved_and_marks_the_list(client, officer, event, players):
    response = client.post(address(event), typed(players, ["2+", "3=(-2p)", "0-"], ["", "0+", "3+"], ["0=", "", ""]))
    table = Table.objects.get()
    assert response["Location"] == address(event, table.pk)
    assert games() == [
        (1, 1, 2, 1.0, True, None, None),
        (1, 3, None, 0.5, False, None, None),
        (2, 1, 3, 0.5, True, "2p", "a"),
        (2, 2, None, 1.0, False, None, None),
        (3, 1, None, 0.0, False, None, None),
        (3, 2, 3, 1.0, True, None, None),
    ]
    assert str(RatingList.objects.get().out_of_date_from) == "2024-01-06"


def test_saved_crosstable_comes_back_as_typed(client, officer, event, players):
    data = typed(players, ["2+", "3=(-2p)"], ["1-", "0+"], ["0=", "1=(+2p)"], **{"row-1-macmahon": "1.5"})
    client.post(address(event), data)
    table = Table.objects.get()
    form = client.get(address(event, table.pk)).context["form"]
    shown = {name: str(form.initial[name]) for name in data if name in form.initial and name.startswith("row-")}
    assert shown == {name: str(value) for name, value in data.items() if name.startswith("row-")}
    before = games()
    client.post(address(event, table.pk), data)
    assert games() == before


def test_check_fills_mirrors_and_says_what_is_missing_without_saving(client, officer, event, players):
    response = client.post(address(event), typed(players, ["2+", "3+"], ["", ""], ["", ""], button="check"))
    assert response.context["checked"].missing == [(2, 2), (3, 1)]
    data = response.context["form"].data
    assert (data["row-2-round-1"], data["row-3-round-2"]) == ("1-", "1-")
    assert "2 results are missing" in response.content.decode()
    assert not Table.objects.exists()


def test_accepted_event_is_saved_only_when_nothing_is_missing(client, officer, event, players):
    response = client.post(address(event), typed(players, ["2+", "3+"], ["", ""], ["", ""]))
    assert "An accepted event is saved only when nothing is missing" in response.content.decode()
    assert not Table.objects.exists()
    Event.objects.update(state="draft")
    client.post(address(event), typed(players, ["2+", "3+"], ["", ""], ["", ""]))
    assert games() == [(1, 1, 2, 1.0, True, None, None), (2, 1, 3, 1.0, True, None, None)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((["2+"], ["1+"], ["0+"]), ["error: row 1, round 1: 2+ against 1+ in row 2: the two results must add up to 1"]),
        ((["1+"], ["0-"], ["0+"]), ["error: row 1, round 1: Ada plays himself"]),
        ((["7+"], ["0-"], ["0+"]), ["error: row 1, round 1: opponent 7 does not exist: the table has 3 rows"]),
        ((["2x"], ["0-"], ["0+"]), ["error: row 1, round 1: “2x” is no result; write opponent and + - or =, such as 7+ or"
         " 7-(+2p)"]),
        ((["2+ 3+"], ["0-"], ["0+"]), ["error: row 1, round 1: one result a round"]),
        ((["2+(-2p)"], ["1-"], ["0+"]), ["error: row 1, round 1: handicap (-2p) against missing in row 2: both rows need the"
         " same handicap, one given (-) and one received (+)"]),
    ],
)  # fmt: skip
def test_errors_are_told_and_nothing_is_saved(rows, expected, client, officer, event, players):
    response = client.post(address(event), typed(players, *rows))
    assert [problem for problem in problems(response) if problem.startswith("error")] == expected
    assert "Nothing was saved." in response.content.decode()
    assert not Table.objects.exists()


def test_same_player_twice_or_none_is_told(client, officer, event, players):
    ada, ben, _ = players
    response = client.post(address(event), typed([ada, ben, ada], ["2+"], ["1-"], ["0+"]))
    assert problems(response) == ["error: row 3: Ada stands in row 1 too"]
    response = client.post(address(event), typed([ada, None, ben], ["2+"], ["1-"], ["0+"]))
    assert problems(response) == ["error: row 2: choose the player"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"last_day": "2024-01-05"}, "The last day is before the first day."),
        ({"last_day": "nonsense"}, "Enter a valid date."),
        ({"rows": "9999"}, "less than or equal to 500"),
        ({"rounds": "0"}, "greater than or equal to 1"),
        ({"row-1-player": "999999"}, "Select a valid choice."),
        ({"row-1-round-1": "2+" * 11}, "at most 20 characters"),
    ],
)
def test_bad_fields_are_told_and_nothing_is_saved(more, message, client, officer, event, players):
    data = typed(players, ["2+"], ["1-"], ["0+"]) | more
    response = client.post(address(event), data)
    assert message in response.content.decode()
    assert not Table.objects.exists()


def test_second_table_of_the_same_name_is_refused(client, officer, event, players):
    data = typed(players, ["2+"], ["1-"], ["0+"])
    client.post(address(event), data)
    assert "Another table of this event has the same name." in client.post(address(event), data).content.decode()
    assert Table.objects.count() == 1


def test_resizing_keeps_what_is_typed(client, officer, event, players):
    response = client.post(
        address(event), typed(players, ["2+"], ["1-"], ["0+"], button="resize", rows="8", rounds="3")
    )
    form = response.context["form"]
    assert (len(form.lines()), len(form.round_numbers()), form.data["row-1-round-1"]) == (8, 3, "2+")


def test_outsiders_and_simultaneous_givers_stay_what_they_are(client, officer, fesa, event, players):
    table = make_table(fesa, players, [(1, 1, 2, 1.0), (1, 1, 3, 1.0)], event=event)
    table.entries.filter(number=1).update(guest=True)
    table.entries.filter(number=3).update(fixed_rating=1500)
    initial = client.get(address(event, table.pk)).context["form"].initial
    assert [initial[f"row-{n}-round-1"] for n in (1, 2, 3)] == ["&", "1-", "1-"]
    client.post(address(event, table.pk), typed(players, ["&"], ["1="], ["1-"]))
    assert games() == [(1, 2, 1, 0.5, True, None, None), (1, 3, 1, 0.0, True, None, None)]
    kept = list(Table.objects.get().entries.values_list("number", "guest", "fixed_rating"))
    assert kept == [(1, True, None), (2, False, None), (3, False, 1500)]


def test_stranger_is_sent_to_log_in(client, event, players):
    response = client.post(address(event), typed(players, ["2+"], ["1-"], ["0+"]))
    assert response["Location"].startswith("/admin/login/")
    assert not Table.objects.exists()


def test_users_without_the_right_are_refused(client, event, organiser, players):
    for user in (make_user("reader", is_staff=True), organiser):
        client.force_login(user)
        assert client.get(address(event)).status_code == 403
        assert client.post(address(event), typed(players, ["2+"], ["1-"], ["0+"])).status_code == 403
    assert not Table.objects.exists()


def test_organiser_enters_his_own_draft_and_no_longer_when_it_is_accepted(client, event, organiser, players):
    Event.objects.update(created_by=organiser, state="draft")
    client.force_login(organiser)
    assert client.post(address(event), typed(players, ["2+"], ["1-"], ["0+"])).status_code == 302
    assert Table.objects.count() == 1
    Event.objects.update(state="accepted")
    assert client.post(address(event), typed(players, ["2-"], ["1+"], ["0+"])).status_code == 403


def test_unknown_event_or_table_is_404(client, officer, event):
    assert client.get("/admin/ratings/event/999/results/0/").status_code == 404
    assert client.get(address(event, 999)).status_code == 404
    other = make_table(None, [make_player(), make_player()], [(1, 1, 2, 1.0)])
    assert client.get(address(event, other.pk)).status_code == 404


def test_saving_rates_the_event(client, officer, event, players, rate_all):
    client.post(address(event), typed(players, ["2+"], ["1-"], ["0+"]))
    rate_all()
    assert Change.objects.filter(table__event=event, games=1).count() == 2


def test_numbers_with_gaps_are_all_shown(client, officer, fesa, event, players):
    table = make_table(fesa, players, [(1, 1, 2, 1.0)], event=event)
    table.entries.filter(number=3).update(number=7)
    form = client.get(address(event, table.pk)).context["form"]
    assert (form.initial["rows"], form.initial["row-7-player"]) == (7, players[2].pk)


def test_macmahon_points_are_whole_or_half(client, officer, event, players):
    response = client.post(address(event), typed(players, ["2+"], ["1-"], ["0+"], **{"row-1-macmahon": "1.25"}))
    assert problems(response) == ["error: row 1: MacMahon points “1.25” are no whole or half points"]
