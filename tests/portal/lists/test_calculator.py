"""Calculator of imagined games, with the engine and a player's current state."""

import datetime as dt
import re

import pytest
import time_machine

from portal.lists.calculations import result_context
from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.players.merging import merge_players
from ratings.domain.runs.rerating import rerate
from ratings.models import Adjustment, Award, Change, RatingList, Standing
from ratings.queries.grades.progress import simulate_new_player
from ratings.systems import SYSTEMS
from tests.factories import give_rating, make_list, make_player
from tests.markup import markup
from tests.shared import reused

pytestmark = pytest.mark.django_db
TODAY = dt.date(2026, 11, 20)


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def kuma(fesa):
    """A 1 Dan one game short of 2 Dan by seven above 1860."""
    player = make_player("Kuma")
    give_rating(fesa, player, 1870, grade="1 Dan", mp_run=6, lb_run=[6, True])
    rerate(fesa.pk)
    return player


def ask(client, player, *games, **query):
    """`games` are the opponent's rating and the score, as they are written."""
    for number, (rating, score) in enumerate(games):
        query |= {f"game-{number}-rating": rating, f"game-{number}-score": score}
    return client.get(f"/players/{player.public_id}/calculator/", {"rows": len(games) or ""} | query)


def test_win_shows_rating_grade_progress_and_arithmetic(client, kuma):
    before = [*map(repr, Change.objects.values())]
    response = ask(client, kuma, ("1850", "1"))
    imagined = response.context["imagined"]
    assert (imagined.row.before, imagined.row.after, imagined.row.change) == (1870, 1881, 11)
    assert [(award.grade, award.how) for award in imagined.row.awards] == [("2 Dan", "games above MP")]
    assert response.context["progress"].sentence.startswith(
        "at a rating of 2080; or after 8 more games in a row at 2000 or higher"
    )
    page = markup(response)
    for text in (
        '<span class="grade dan">2 Dan</span> held the middle of the grade for enough games',
        '1881 <span class="by gain">+11</span>',
        "1 of 1 where the ratings expect 0.53. That is worth <strong>11</strong> points.",
        "<td>Game 1</td>",
        "<li>The opponents keep the ratings that were entered.</li>",
        "Sum of the",
    ):
        assert text in page
    assert ([*map(repr, Change.objects.values())], Award.objects.count()) == (before, 0)  # nothing is written


def test_page_begins_with_one_row_at_the_own_rating(client, kuma):
    response = client.get(f"/players/{kuma.public_id}/calculator/")
    (form,) = response.context["games"]
    assert (form["rating"].value(), form["score"].value(), "imagined" in response.context) == (1870, "1", False)
    link = f'href="/players/{kuma.public_id}/calculator/?list=fesa"'
    assert link in markup(client.get(kuma.get_absolute_url()))


def test_several_games_count_and_empty_rows_do_not(client, kuma):
    response = ask(client, kuma, ("1850", "1"), ("", "1"), ("1900", "0.5"), ("", "1"))
    assert [(t["opponent_rating"], t["score"]) for t in response.context["imagined"].row.terms] == [
        (1850, 1),
        (1900, 0.5),
    ]
    assert len(response.context["games"].forms) == 4
    assert 'name="rows" value="5" formaction="#id_game-4-rating">' in markup(response)


@pytest.mark.parametrize(
    ("game", "errors"),
    [
        (("", "1"), {"rating": ["This field is required."]}),
        (("abc", "1"), {"rating": ["Enter a number."]}),
        (("nan", "1"), {"rating": ["Enter a number."]}),
        (("99999", "1"), {"rating": ["Ensure this value is less than or equal to 5000."]}),
        (("1850.5", "1"), {"rating": ["This system has no such rating."]}),
        (("-3", "1"), {"rating": ["This system has no such rating."]}),
        (("1850", "2"), {"score": ["Select a valid choice. 2 is not one of the available choices."]}),
        (("1850", ""), {"score": ["This field is required."]}),
    ],
)
def test_bad_input_is_reported_beside_the_field(game, errors, client, kuma):
    response = ask(client, kuma, game)
    (form,) = response.context["games"]
    assert (response.status_code, form.errors, "imagined" in response.context) == (200, errors, False)
    (messages,) = errors.values()
    assert markup(response).count('class="errorlist"') == 1
    assert messages[0] in markup(response)


@pytest.mark.parametrize(
    ("rows", "shown"), [("abc", 1), ("-1", 1), ("0", 1), ("10", 10), ("13", 13), ("41", 40), ("99999999", 1), ("²", 1)]
)
def test_there_are_at_most_forty_rows(rows, shown, client, kuma):
    response = ask(client, kuma, ("1850", "1"), rows=rows)
    assert (len(response.context["games"].forms), response.context["imagined"].row.games) == (shown, 1)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_answers(system, client):
    one, player = make_list("one", system=system), make_player(birth_date="1990-01-01")
    state = one.rating_system.rating.write(
        one.rating_system.rating.with_rating(one.rating_system.rating.newcomer(), 1500)
    )
    save_adjustment(Adjustment(list=one, player=player, date="2024-01-01", set=dict(state), reason="r"))
    rerate(one.pk)
    response = ask(client, player, ("1500", "1"), ("1500", "0"))
    assert (response.status_code, response.context["imagined"].row.games) == (200, 2)
    assert (response.context["progress"] is not None) is bool(one.rating_system.grading.grades)


@pytest.mark.parametrize(
    ("opening", "scores", "sentence", "last"),
    [
        # PD of equal ratings is .50, so 20 × .5 (8.3); three points of five games against 2000: the average with two
        # opponents of 1800 is 1942.86, p = 4/7 = .57 and dp = 50 (8.2, 8.1.1)
        ({"rating": 2000, "games": 100}, [1.0], "The list of 1 Dec 2026 would have the rating 2010 (+10).", 2010),
        (None, [1.0, 1.0, 1.0, 0.0, 0.0], "The list of 1 Dec 2026 would have the first rating 1993.", 1993),
    ],
)
def test_calculator_says_the_rating_on_the_next_list(db, opening, scores, sentence, last):
    made = make_list("new", system="fide-2024")
    games = [(2000, score) for score in scores]
    context = result_context(simulate_new_player(made, opening, games, TODAY), games, made)
    assert context["sentences"][1] == sentence
    assert "No other games count for the next list." in context["assumptions"]
    assert context["list_lines"][-1].value == last


def test_calculator_of_a_whole_history_begins_at_the_present_rating(db):
    """A win against an equal opponent moves a certain rating less than an uncertain one."""
    made = make_list("renju", system="rif-2021")
    changes = []
    for deviation in (40, 160):
        opening = {"rating": 2000, "deviation": deviation, "games": 30}
        day, row = simulate_new_player(made, opening, [(2000, 1.0)], TODAY).next_list
        assert day == dt.date(2026, 12, 31)
        changes.append(row.change)
    assert 0 < changes[0] < changes[1]


def test_calculator_of_a_system_that_rates_at_once_has_no_next_list(fesa):
    opening = {"rating": 1500, "games": 100, "bonus_games": 100}
    assert simulate_new_player(fesa, opening, [(1500, 1.0)], TODAY).next_list is None


def test_official_rating_waits_for_the_next_list(client):
    renju, player = make_list("renju", system="rif-1995"), make_player()
    save_adjustment(Adjustment(list=renju, player=player, date="2024-01-01", set={"rating": 1500}, reason="r"))
    rerate(renju.pk)
    with time_machine.travel("2024-06-01"):
        page = markup(ask(client, player, ("1600", "1")))
    assert "The list of 31 Aug 2024 would have the rating 1520 (+20)." in page
    assert re.search(r'<dt>Rating on 31 Aug 2024 ?</dt> ?<dd>1520 <span class="by \w+">\+20</span>', page)


def test_list_is_chosen_by_the_address(client, fesa, kuma):
    chess = make_list("chess", system="icu-1989")
    save_adjustment(
        Adjustment(list=chess, player=kuma, date="2024-01-01", set={"rating": 1500, "games": 30}, reason="r")
    )
    rerate(chess.pk)
    assert ask(client, kuma, ("1600", "1"), list="chess").context["imagined"].row.before == 1500
    assert ask(client, kuma, ("1600", "1"), list="nope").context["rating_list"] == fesa


def test_state_of_another_system_is_not_imagined_on(client, kuma):
    RatingList.objects.update(system="bgf")
    response = ask(client, kuma, ("1850", "1"))
    assert response.context["problem"] == "This list is being rated again. Try again in a few minutes."


@pytest.mark.parametrize("games", [1, 10])
def test_calculator_needs_the_same_queries_for_any_number_of_games(games, client, kuma, django_assert_num_queries):
    with django_assert_num_queries(7):
        ask(client, kuma, *[("1850", "1")] * games)


def test_calculator_of_an_unknown_player_is_404_and_read_only(client, fesa, kuma):
    unrated = make_player()
    address = f"/players/{kuma.public_id}/calculator/"
    assert client.get("/players/NOBODY/calculator/").status_code == 404
    assert client.get(f"/players/{unrated.public_id}/calculator/").status_code == 404
    assert client.post(address).status_code == 405
    Standing.objects.update(published=False)
    assert client.get(address).status_code == 404


def test_merged_player_leads_to_the_other(client, fesa, kuma):
    double = make_player()
    merge_players(double, kuma, reason="one")
    response = client.get(f"/players/{double.public_id}/calculator/")
    assert (response.status_code, response["Location"]) == (302, f"/players/{kuma.public_id}/calculator/")
