"""Typing a tournament's crosstable into a submission."""

import pytest

from ratings.models import Change, Game, ListPlayer, Player, RatingList, Standing, Submission, Table
from tests.factories import give_rating, give_ratings, make_event, make_list, make_player, make_table
from tests.shared import reused
from tests.submissions import accept, begin, cells, enter, list_findings, save, typed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("staff")]


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def event(fesa):
    return make_event("Cup", "2024-01-06", [fesa], state="draft")


@pytest.fixture
@reused
def players(fesa):
    several = [make_player(name) for name in ("Ada", "Ben", "Cleo")]
    give_ratings(fesa, several, 2000)
    return several


def games():
    fields = ("round", "a__number", "b__number", "score", "played", "handicap", "giver")
    return list(Game.objects.order_by("round", "a__number").values_list(*fields))


def test_typed_crosstable_becomes_a_table_and_is_rated(client, event, players):
    enter(client, event, players, ["2+", "3=(-2p)", "0-"], ["", "0+", "3+"], ["0=", "", ""])
    assert games() == [
        (1, 1, 2, 1.0, True, None, None),
        (1, 3, None, 0.5, False, None, None),
        (2, 1, 3, 0.5, True, "2p", "a"),
        (2, 2, None, 1.0, False, None, None),
        (3, 1, None, 0.0, False, None, None),
        (3, 2, 3, 1.0, True, None, None),
    ]
    assert Change.objects.filter(table=Table.objects.get(), games__gt=0).count() == 3


def test_correction_starts_from_the_typed_entries(client, event, players):
    rows = (["2+", "3=(-2p)"], ["1-", "0+"], ["0=", "1=(+2p)"])
    table = enter(client, event, players, *rows, **{"row-1-macmahon": "1.5"})
    before = games()
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = Submission.objects.get(state="working")
    assert (cells(submission), submission.content["rows"][0]["macmahon"]) == ([list(row) for row in rows], "1.5")
    save(client, submission, players, *rows, reason="none")
    accept(client, event)
    assert games() == before


def test_check_fills_mirrors_and_says_what_is_missing(client, event, players):
    submission = begin(client, event, 3, 2)
    response = save(client, submission, players, ["2+", "3+"], ["", ""], ["", ""])
    missing = "the result is missing; 0- is an absence, 0+ a bye"
    assert list_findings(response) == [f"row 2, round 2: {missing}", f"row 3, round 1: {missing}"]
    assert cells(submission) == [["2+", "3+"], ["1-", ""], ["", "1-"]]
    accept(client, event)
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((["2+"], ["1+"], ["0+"]), ["row 1, round 1: Ada and Ben both won"]),
        ((["1+"], ["0-"], ["0+"]), ["row 1, round 1: Ada plays against themselves"]),
        ((["7+"], ["0-"], ["0+"]), ["row 1, round 1: Ada: opponent 7 does not exist; the table has 3 rows"]),
        ((["2x"], ["0-"], ["0+"]), ["row 1, round 1: “2x” is not a result. Write the opponent’s row and + − or =, for example 7+"]),
        ((["2+ 3+"], ["0-"], ["0+"]), ["row 1, round 1: several results in one round: write one, for example 7+"]),
        ((["2+(-2p)"], ["1-"], ["0+"]), ["row 1, round 1: Ada has (-2p), but Ben has no handicap: both need the same handicap, one given (-) and one received (+)"]),
    ],
)  # fmt: skip
def test_errors_are_reported_and_no_table_is_made(rows, expected, client, event, players):
    submission = begin(client, event)
    assert list_findings(save(client, submission, players, *rows)) == expected
    accept(client, event)
    assert not Table.objects.exists()


def test_same_player_twice_or_none_is_reported(client, event, players):
    ada, ben, _ = players
    submission = begin(client, event)
    assert list_findings(save(client, submission, [ada, ben, ada], ["2+"], ["1-"], ["0+"])) == [
        "row 3, round None: Ada is in row 1 too"
    ]
    response = save(client, submission, [ada, None, ben], ["2+"], ["1-"], ["0+"])
    assert list_findings(response) == ["row 2, round None: the name is missing"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"resize": "1", "rows": "9999", "rounds": "3"}, "From 2 to 1000 players and from 1 to 30 rounds."),
        ({"resize": "1", "rows": "9", "rounds": "0"}, "From 2 to 1000 players and from 1 to 30 rounds."),
    ],
)
def test_invalid_size_is_reported_and_the_entries_are_saved(more, message, client, event, players):
    submission = begin(client, event)
    response = client.post(submission.get_absolute_url(), typed(players, ["2+"], ["1-"], ["0+"], **more))
    assert (response.status_code, response.context["problems"]) == (422, [message])
    submission.refresh_from_db()
    assert cells(submission) == [["2+"], ["1-"], ["0+"]]


def test_second_table_of_the_same_name_is_refused_when_it_is_accepted(client, event, players):
    enter(client, event, players, ["2+"], ["1-"], ["0+"])
    submission = begin(client, event)
    save(client, submission, players, ["2-"], ["1+"], ["0+"])
    client.post(f"/organise/events/{event.public_id}/submit/")
    response = client.post(f"/organise/events/{event.public_id}/accept/")
    assert response.context["problems"] == ["Another table of this event has the same name."]
    assert Table.objects.count() == 1


def test_officer_adds_a_table_to_an_accepted_event(client, event, players):
    enter(client, event, players, ["2+"], ["1-"], ["0+"])
    enter(client, event, players, ["2-"], ["1+"], ["0+"], name="Group B")
    assert sorted(Table.objects.values_list("name", flat=True)) == ["", "Group B"]
    assert list(event.steps.values_list("what", flat=True)) == ["submitted", "accepted", "proposed", "corrected"]


def test_outsiders_and_simultaneous_givers_are_imported_unchanged(client, fesa, players):
    table = make_table(fesa, players, [(1, 1, 2, 1.0), (1, 1, 3, 1.0)])
    table.entries.filter(number=1).update(guest=True)
    table.entries.filter(number=3).update(fixed_rating=1500)
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = Submission.objects.get(state="working")
    assert cells(submission) == [["&"], ["1-"], ["1-"]]
    save(client, submission, players, ["&"], ["1="], ["1-"], reason="a draw")
    accept(client, table.event)
    assert games() == [(1, 2, 1, 0.5, True, None, None), (1, 3, 1, 0.0, True, None, None)]
    kept = list(Table.objects.get().entries.values_list("number", "guest", "fixed_rating"))
    assert kept == [(1, True, None), (2, False, None), (3, False, 1500)]


def test_macmahon_points_are_whole_or_half(client, event, players):
    response = save(client, begin(client, event), players, ["2+"], ["1-"], ["0+"], **{"row-1-macmahon": "1.25"})
    assert list_findings(response) == ["row 1, round None: MacMahon points “1.25”: whole or half points"]


PLACES = {"row-1-place": "2", "row-2-place": "1", "row-3-place": "3="}


def test_official_places_are_typed_stored_and_corrected(client, event, players):
    """A cup, whose final decides: who has fewer points can be first."""
    rows = (["2+", "3+"], ["1-", "0+"], ["0-", "1-"])
    submission = begin(client, event, 3, 2)
    assert 'name="row-1-place"' not in client.get(submission.get_absolute_url()).text
    save(client, submission, players, *rows, places="1")
    assert 'name="row-1-place"' in client.get(submission.get_absolute_url()).text
    save(client, submission, players, *rows, **PLACES)
    accept(client, event)
    table = Table.objects.get()
    assert list(table.entries.values_list("number", "place")) == [(1, 2), (2, 1), (3, 3)]
    client.post(f"/organise/tables/{table.pk}/correct/")
    correction = Submission.objects.get(state="working")
    assert [row["place"] for row in correction.content["rows"]] == ["2", "1", "3"]
    response = save(client, correction, players, *rows, **PLACES | {"row-1-place": "1"}, reason="none")
    assert [(line.names, line.old, line.new) for line in response.context["changes"]] == [("Ada", "✓ #2", "✓ #1")]


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"row-2-place": "first"}, "row 2, round None: invalid official place “first”: expected a whole number from 1"),
        ({"row-3-place": "0"}, "row 3, round None: invalid official place “0”: expected a whole number from 1"),
        (
            {"row-2-place": "", "row-3-place": ""},
            "row 2, round None: players without an official place: 2; enter a place for every player or for none",
        ),
    ],
)
def test_official_places_are_numbers_of_all_players(changed, finding, client, event, players):
    submission = begin(client, event)
    response = save(client, submission, players, ["2+"], ["1-"], ["0+"], **PLACES | changed)
    assert list_findings(response) == [finding]
    (name, text) = next(iter(changed.items()))
    assert f'name="{name}" value="{text}"' in response.text


def test_preview_on_the_submission_shows_what_would_change_and_stores_nothing(client, event, players):
    submission = begin(client, event, 2)
    response = save(client, submission, players[:2], ["2+"], ["1-"], button="preview")
    (one,) = response.context["previews"]
    assert {(m.player.family_name, m.before, m.after) for m in one.moved} == {
        ("Ada", 2000, 2010), ("Ben", 2000, 1990)
    }  # fmt: skip
    assert "would be rated" in response.content.decode()
    assert (Table.objects.count(), RatingList.objects.get().out_of_date_from) == (0, None)


def test_preview_of_a_correction_shows_grades_and_later_players(client, fesa, players, rate_all):
    b, c = players[1], make_player("Dora")
    give_rating(fesa, c, 1795, grade="1 Dan", lb_run=[13, True])
    table = make_table(fesa, [b, c], [(1, 1, 2, 0.0)], "2024-01-06")
    rate_all()
    assert Standing.objects.get(player=c).grade == "2 Dan"
    client.post(f"/organise/tables/{table.pk}/correct/")
    submission = Submission.objects.get(state="working")
    response = save(client, submission, [b, c], ["2+"], ["1-"], button="preview", reason="r")
    (one,) = response.context["previews"]
    assert [(m.player, m.grade_before, m.grade) for m in one.grades] == [(c, "2 Dan", "1 Dan")]
    assert Standing.objects.get(player=c).grade == "2 Dan"


def test_new_player_is_asked_for_what_the_system_needs(client, staff):
    chess = make_list("chess", system="icu-1989")
    event = make_event("Open", "2024-01-06", [chess], state="draft")
    submission = begin(client, event, 2)
    ada = make_player("Ada")
    new = {"row-2-family": "Neu", "row-2-given": "Eva", "row-2-country": "IE", "row-2-player": "new"}
    response = save(client, submission, [ada, None], ["2+"], ["1-"], **new)
    assert list_findings(response, "hint") == [
        "row 2, round None: the birth year is not known",
        "row 2, round None: the year in which they began to play is not known",
    ]
    assert (response.context["asks_birth"], response.context["asks_start"]) == (True, True)
    save(client, submission, [ada, None], ["2+"], ["1-"], **new,
         **{"row-2-birth_year": "1990", "row-2-start_year": "2005"})  # fmt: skip
    accept(client, event)
    neu = Player.objects.get(family_name="Neu")
    assert (neu.birth_year, ListPlayer.objects.get(player=neu).start_year) == (1990, 2005)
