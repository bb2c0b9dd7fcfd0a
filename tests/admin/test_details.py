"""Details of tables and games that only some systems ask for, in the results form and the table's screen."""

import pytest

from ratings.models import Change, Game, ListPlayer, Table
from tests.admin.test_results import address, officer, problems, typed  # noqa: F401 - officer is a fixture
from tests.factories import make_event, make_list, make_player, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("officer")]
ASKED = {
    "fesa-2016": set(),
    "icu-1989": set(),
    "rif-1995": {"minutes"},
    "bgf": {"tournament", "minutes", "overtime_moves", "overtime_seconds", "increment", "board", "online",
            "correspondence"},
}  # fmt: skip


@pytest.fixture
def go():
    return make_list("go", system="bgf")


@pytest.fixture
def players():
    return [make_player(name) for name in ("Ada", "Ben")]


def games():
    fields = ("round", "score", "stones", "black", "board", "online", "correspondence")
    return list(Game.objects.order_by("round").values_list(*fields))


@pytest.mark.parametrize(("system", "asked"), ASKED.items())
def test_details_are_asked_on_lists_whose_system_needs_them(system, asked, client):
    event = make_event(lists=[make_list("one", system=system)])
    assert set(client.get(address(event)).context["form"].details) == asked
    table = make_table(None, [make_player(), make_player()], [(1, 1, 2, 1.0)], event=event)
    shown = set(client.get(f"/admin/ratings/table/{table.pk}/change/").context["adminform"].form.fields)
    assert shown & set().union(*ASKED.values()) == asked - {"board", "online", "correspondence"}


def test_details_of_table_and_games_are_saved_and_come_back(client, go, players):
    event = make_event(lists=[go])
    more = {"minutes": "45", "overtime_moves": "20", "overtime_seconds": "300", "board": "13", "online": "True"}
    client.post(address(event), typed(players, ["2+/b4"], [""], **more))
    table = Table.objects.get()
    assert (table.tournament, table.minutes, table.overtime) == (False, 45, {"moves": 20, "seconds": 300})
    assert games() == [(1, 1.0, 4, "a", 13, True, False)]
    form = client.get(address(event, table.pk)).context["form"]
    assert (form["board"].value(), form["online"].value(), form["row-2-round-1"].value()) == ("13", "True", "1-/w4")


def test_games_that_differ_stay_as_they_are(client, go, players):
    event = make_event(lists=[go])
    table = make_table(None, players, [(1, 1, 2, 1.0, {"board": 9}), (2, 1, 2, 0.0)], event=event)
    form = client.get(address(event, table.pk)).context["form"]
    assert (form["board"].value(), form.fields["board"].choices[0]) == ("", ("", "differs from game to game"))
    client.post(address(event, table.pk), typed(players, ["2+", "2+"], ["", ""], board="", tournament="on"))
    assert games() == [(1, 1.0, 0, None, 9, False, False), (2, 1.0, 0, None, 19, False, False)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((["2+/b4"], ["1-/b4"]), "need the same number of stones, one with /b and one with /w"),
        ((["2+/b4"], ["1-/w3"]), "need the same number of stones, one with /b and one with /w"),
        ((["2+/b12"], [""]), "12 stones are more than 9: is that right?"),
        ((["2+/x"], [""]), "is no result"),
    ],
)
def test_wrong_stones_are_told(client, go, players, rows, expected):
    told = problems(client.post(address(make_event(lists=[go])), typed(players, *rows, button="check")))
    assert any(expected in problem for problem in told)


def test_stones_are_for_go_only(client, players):
    told = problems(client.post(address(make_event(lists=[make_list()])), typed(players, ["2+/b4"], [""])))
    assert "is no result" in told[0]


def test_wrong_times_are_told_and_nothing_is_saved(client, go, players):
    event = make_event(lists=[go])
    response = client.post(address(event), typed(players, ["2+"], [""], minutes="30", overtime_moves="20"))
    assert "Overtime needs moves and seconds, and excludes an increment." in response.content.decode()
    assert not Table.objects.exists()


def test_games_too_fast_are_told_on_the_events_page(client, go, players, rate_all):
    table = make_table(go, players, [(1, 1, 2, 1.0)], minutes=30)
    rate_all()
    assert set(Change.objects.values_list("games", "note")) == {
        (0, "neither a rating nor a declared rank: the games are not rated")
    }
    page = client.get(table.event.get_absolute_url()).content.decode()
    assert "the games are too fast to be rated" in page
    assert "Ada has neither a rating nor a declared rank" in page


@pytest.mark.parametrize(
    ("system", "asked"),
    [("fesa-2016", {"prior_grade"}), ("icu-1989", {"start_year"}), ("rif-1997", set()), ("bgf", {"prior_grade"})],
)
def test_what_a_list_must_know_of_players_is_asked_by_its_system(system, asked, client):
    known = ListPlayer.objects.create(list=make_list("one", system=system), player=make_player())
    shown = client.get(f"/admin/ratings/listplayer/{known.pk}/change/").context["adminform"].form.fields
    assert set(shown) & {"prior_grade", "start_year"} == asked
