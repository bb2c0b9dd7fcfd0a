"""The question who is meant by a name, the same on the results page, the command line, the API and forms (O7)."""

import datetime as dt

import pytest

from ratings.models import Club, Membership
from ratings.queries.players.candidate_questions import CandidateFacts, ask_similar, find_similar_players
from ratings.queries.players.player_details import players_with_details
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(rate_all):
    """A list, and two rated players who played on 6 January 2024, the first with club and birth year."""
    rating_list = make_list()
    players = [
        make_player("Ericsson", "Sören", country="SE", birth_year=1990, public_id="E2"),
        make_player("Eriksson", "Sören", country="DK", public_id="E3"),
    ]
    make_table(rating_list, players, [(1, 1, 2, 1.0)], "2024-01-06")
    rate_all()
    return rating_list, players


def rating_of(rating_list, player):
    return f"{rating_list.standings.get(player=player).rating:.0f}"


def test_question_names_rating_country_and_last_event_of_each_candidate(rated, django_assert_num_queries):
    rating_list, players = rated
    detailed = players_with_details(["E2", "E3"])
    with django_assert_num_queries(2):
        facts = CandidateFacts.read(list(detailed.values()), [rating_list])
    first, second = (rating_of(rating_list, player) for player in players)
    asked = facts.ask([detailed["E2"], detailed["E3"]])
    assert asked == (
        f"Did you mean Ericsson Sören (SE, {first}, 1990, last event 6 Jan 2024); "
        f"Eriksson Sören (DK, {second}, last event 6 Jan 2024)?"
    )
    only = f"Did you mean E3 Eriksson Sören (DK, {second}, last event 6 Jan 2024)?"
    assert facts.ask([detailed["E3"]], with_ids=True) == only
    assert facts.ask([]) == ""


def test_public_description_leaves_out_club_birth_year_and_unpublished_ratings(rated):
    rating_list, players = rated
    club = Club.objects.create(name="Lund")
    Membership.objects.create(player=players[0], club=club, start=dt.date(2020, 1, 1))
    player = players_with_details(["E2"])["E2"]
    rating = rating_of(rating_list, player)
    facts = CandidateFacts.read([player], [rating_list])
    assert facts.describe(player) == f"Ericsson Sören (SE, {rating}, Lund, 1990, last event 6 Jan 2024)"
    rating_list.standings.filter(player=player).update(published=True)
    facts = CandidateFacts.read([player], [rating_list])
    assert facts.describe(player, is_public=True) == f"Ericsson Sören (SE, {rating}, last event 6 Jan 2024)"
    rating_list.standings.filter(player=player).update(published=False)
    facts = CandidateFacts.read([player], [rating_list])
    assert facts.describe(player, is_public=True) == "Ericsson Sören (SE, last event 6 Jan 2024)"


def test_question_names_at_most_three_candidates():
    players = [make_player("Ito", f"A{number}", public_id=f"I{number}") for number in range(2, 6)]
    asked = CandidateFacts().ask(players)
    assert (asked.count("Ito "), asked.endswith("; …?")) == (3, True)


@pytest.mark.parametrize("written", ["Ericson Soren", "Soren Ericson"])
def test_similar_players_are_found_with_the_last_name_anywhere(rated, written):
    assert find_similar_players(written, [rated[0]])[0] == rated[1][0]


def test_question_about_a_typed_name_has_the_ids_to_enter(rated):
    rating_list, players = rated
    rating = rating_of(rating_list, players[0])
    expected = f"Did you mean E2 Ericsson Sören (SE, {rating}, 1990, last event 6 Jan 2024)?"
    assert ask_similar("Ericsson Sören", lists=[rating_list], players=[players[0]]) == expected
    assert ask_similar("Ericson Soren", lists=[rating_list]).startswith("Did you mean E2 Ericsson Sören (SE, ")
    assert ask_similar("Qwertz Uiopü") == ""
