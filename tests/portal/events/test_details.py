"""Details of tables and games that only some systems ask for, on submissions and the table's screen."""

import io
import json

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from ratings.domain.lists.adjustments import save_list_player
from ratings.models import Change, Game, ListPlayer, Submission
from tests.factories import make_event, make_list, make_player, make_table
from tests.submissions import accept, begin, cells, enter, list_findings, save, typed
from tests.versions import opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("staff")]
ASKED = {
    "fesa-2016": set(),
    "icu-1989": set(),
    "rif-1995": {"minutes"},
    "bgf": {"tournament", "minutes", "overtime_moves", "overtime_seconds", "increment", "board", "online",
            "correspondence"},
    "egf-2021": {"tournament", "minutes", "overtime_moves", "overtime_seconds", "increment", "time_class", "board",
                 "online", "correspondence"},
    "glicko-2": set(),
    "rif-2021": {"minutes", "online", "correspondence"},
    "fide-2024": {"minutes", "overtime_moves", "overtime_seconds", "increment", "list_day", "online", "correspondence"},
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
    event = make_event(lists=[make_list("one", system=system)], state="draft")
    page = client.get(begin(client, event).get_absolute_url())
    assert set(page.context["details"].fields) == asked
    table = make_table(None, [make_player(), make_player()], [(1, 1, 2, 1.0)], event=event)
    shown = set(client.get(f"/admin/ratings/table/{table.pk}/change/").context["adminform"].form.fields)
    assert shown & set().union(*ASKED.values()) == asked - {"board", "online", "correspondence"}


def test_details_of_table_and_games_are_saved_and_come_back(client, go, players):
    event = make_event(lists=[go], state="draft")
    more = {"minutes": "45", "overtime_moves": "20", "overtime_seconds": "300", "board": "13", "online": "True"}
    table = enter(client, event, players, ["2+/b4"], [""], **more)
    assert (table.tournament, table.minutes, table.overtime) == (False, 45, {"moves": 20, "seconds": 300})
    assert games() == [(1, 1.0, 4, "a", 13, True, False)]
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = Submission.objects.get(state="working")
    form = client.get(submission.get_absolute_url()).context["details"]
    assert (form["board"].value(), form["online"].value(), cells(submission)) == (13, True, [["2+/b4"], ["1-/w4"]])


def test_details_of_the_announcement_are_on_a_new_submission(client, go, players):
    event = make_event(lists=[go], state="draft", time_control="30 min + 20 sec", mode="online")
    submission = begin(client, event)
    assert submission.content["details"] == {
        "online": True, "correspondence": False, "board": 19, "tournament": True, "minutes": 30.0,
        "overtime_moves": 1, "overtime_seconds": 20,
    }  # fmt: skip


def test_games_that_differ_stay_as_they_are(client, go, players):
    event = make_event(lists=[go])
    table = make_table(None, players, [(1, 1, 2, 1.0, {"board": 9}), (2, 1, 2, 0.0)], event=event)
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = Submission.objects.get(state="working")
    form = client.get(submission.get_absolute_url()).context["details"]
    assert (form["board"].value(), form.fields["board"].choices[0]) == (None, ("", "varies between games"))
    save(client, submission, players, ["2+", "2+"], ["1-", "1-"], board="", tournament="on", reason="r")
    accept(client, event)
    assert games() == [(1, 1.0, 0, None, 9, False, False), (2, 1.0, 0, None, 19, False, False)]


@pytest.mark.parametrize(
    ("rows", "level", "expected"),
    [
        ((["2+/b4"], ["1-/b4"]), "error", "need the same number of stones, one with /b and one with /w"),
        ((["2+/b4"], ["1-/w3"]), "error", "need the same number of stones, one with /b and one with /w"),
        ((["2+/b12"], [""]), "warning", "12 stones are more than 9: is that right?"),
        ((["2+/x"], [""]), "error", "is not a result"),
    ],
)
def test_wrong_stones_are_reported(client, go, players, rows, level, expected):
    submission = begin(client, make_event(lists=[go], state="draft"), 2)
    assert expected in list_findings(save(client, submission, players, *rows), level)[0]


def test_stones_are_for_go_only(client, players):
    submission = begin(client, make_event(lists=[make_list()], state="draft"), 2)
    stones = "handicap stones are for go; a shogi handicap is 3+(-2p)"
    assert list_findings(save(client, submission, players, ["2+/b4"], [""])) == [
        f"row {n}, round 1: {stones}" for n in (1, 2)
    ]


def test_wrong_times_are_reported_and_everything_is_kept_as_typed(client, go, players):
    submission = begin(client, make_event(lists=[go], state="draft"), 2)
    response = client.post(
        submission.get_absolute_url(), typed(players, ["2+"], [""], minutes="30", overtime_moves="20")
    )
    assert "Overtime needs moves and seconds, and excludes an increment." in response.content.decode()
    assert not response.context["checked"].ready
    submission.refresh_from_db()
    assert cells(submission) == [["2+"], ["1-"]]
    assert submission.content["typed"]["overtime_moves"] == "20"


def test_short_time_controls_are_reported_on_the_events_page(client, go, players, rate_all):
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
    [
        ("fesa-2016", {"prior_grade"}),
        ("icu-1989", {"start_year"}),
        ("rif-1997", set()),
        ("bgf", {"prior_grade"}),
        ("egf-2021", {"prior_grade"}),
        ("glicko-2", {"fixed_deviation"}),
        ("rif-2021", {"fixed_deviation"}),
    ],
)
def test_required_player_data_depends_on_the_system(system, asked, client):
    known = ListPlayer.objects.create(list=make_list("one", system=system), player=make_player())
    shown = client.get(f"/admin/ratings/listplayer/{known.pk}/change/").context["adminform"].form.fields
    assert set(shown) & {"prior_grade", "start_year", "fixed_deviation"} == asked


def test_class_of_a_table_is_entered_kept_counted_and_exported(client, players, rate_all):
    go = make_list("go", system="egf-2021")
    for player in players:
        ListPlayer.objects.create(list=go, player=player, prior_grade="1 Dan")
    table = enter(client, make_event(lists=[go], state="draft"), players, ["2+"], [""], minutes="30", time_class="B")
    assert (table.time_class, table.minutes) == ("B", 30)
    rate_all()
    # 1 dan is 2100: con 17.580936 and bonus 0.515778 by the published formulas, class B counts 0.75
    won = Change.objects.get(table=table, player=players[0])
    assert won.change == pytest.approx(0.75 * (17.580936 / 2 + 0.515778), abs=1e-6)
    page = client.get(f"/lists/go/tables/{table.pk}/{players[0].public_id}/").content.decode()
    assert "The federation gave this event the class B." in page
    out = io.StringIO()
    call_command("export_history", list="go", stdout=out)
    assert [exported["class"] for exported in json.loads(out.getvalue())["tables"]] == ["B"]
    client.post(f"/organise/tables/{table.pk}/correct/")
    correction = Submission.objects.get(state="working")
    form = client.get(correction.get_absolute_url()).context["details"]
    assert form["time_class"].value() == "B"
    save(client, correction, players, ["2-"], [""], tournament="on", board="19", time_class="B", reason="r")
    accept(client, table.event)
    table.refresh_from_db()
    assert (table.time_class, Game.objects.get().score) == ("B", 0)


def test_class_of_a_table_is_changed_in_the_admin(client, players, rate_all):
    go = make_list("go", system="egf-2021")
    table = make_table(go, players, [(1, 1, 2, 1.0)], time_class="A")
    address = f"/admin/ratings/table/{table.pk}/change/"
    field = client.get(address).context["adminform"].form["time_class"]
    assert (field.value(), [value for value, _ in field.field.choices]) == ("A", ["", "A", "B", "C", "D"])
    data = {
        "event": table.event.pk,
        "name": table.name,
        "first_day": f"{table.first_day}",
        "position": 0,
        "rated": "on",
    }
    data |= {"last_day": f"{table.last_day}", "tournament": "on", "time_class": "C"}
    assert client.post(address, data | opened(table)).status_code == 302
    table.refresh_from_db()
    go.refresh_from_db()
    assert (table.time_class, f"{go.out_of_date_from}") == ("C", f"{table.last_day}")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"fixed_rating": 1600, "fixed_deviation": 900}, {"fixed_rating": ["invalid deviation: 900"]}),
        ({"fixed_deviation": 50}, {"fixed_deviation": ["A deviation needs a rating as an outsider."]}),
    ],
)
def test_deviation_of_an_outsider_is_checked(fields, problem):
    known = ListPlayer(list=make_list("one", system="glicko-2"), player=make_player(), **fields)
    with pytest.raises(ValidationError) as error:
        known.full_clean()
    assert error.value.message_dict == problem


def test_deviation_of_an_outsider_counts_for_the_opponents(players, rate_all):
    one, (ada, ben) = make_list("one", system="glicko-2"), players
    save_list_player(ListPlayer(list=one, player=ben, fixed_rating=1600, fixed_deviation=120))
    table = make_table(one, players, [(1, 1, 2, 1.0)])
    rate_all()
    # a newcomer of 1500 and 350 beats 1600 with a deviation of 120, by the formulas of the paper
    assert Change.objects.get(table=table, player=ada).after == pytest.approx(1728.066355, abs=1e-6)
    out = io.StringIO()
    call_command("export_history", list="one", stdout=out)
    openings = {player["id"]: player.get("opening") for player in json.loads(out.getvalue())["players"]}
    assert openings == {ada.public_id: None, ben.public_id: {"rating": 1600, "deviation": 120}}


def test_prior_grades_are_offered_once(client):
    fesa = make_list()
    make_list("old", system="fesa-2000", comparison_to=fesa)
    make_list("twin", system="fesa-2016", comparison_to=fesa)
    event = make_event(lists=[fesa, make_list("other")], state="draft")
    page = client.get(begin(client, event).get_absolute_url())
    assert page.context["grades"] == [*reversed(fesa.rating_system.grading.grades)]
