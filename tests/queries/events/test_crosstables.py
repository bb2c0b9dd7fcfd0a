import pytest

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.models import Table
from ratings.queries.events.crosstables import crosstables
from ratings.systems.tiebreaks import Placing, TieBreak
from tests.factories import make_event, make_list, make_player

pytestmark = pytest.mark.django_db


def table_of(seats, pairings, tie_breaks="sos,sodos", **fields):
    event = make_event("Cup", tie_breaks=tie_breaks)
    save_table(Table(event=event, first_day=event.start, last_day=event.end, **fields), seats, pairings)
    (found,) = crosstables(event, None)
    return found


def test_places_count_macmahon_points_and_games_that_were_played():
    """A starts with 2 points, B with 1, C with none. A beats C; B has a bye; then B beats A, and C has a forfeit from
    nobody. MMS: A 3, B 3, C 1. A met C and B: SOS 1 + 3, SODOS 1. B met A: SOS 3, SODOS 3. C met A: SOS 3.
    """
    seats = [NewEntry(make_player(), number, start) for number, start in ((1, 2.0), (2, 1.0), (3, None))]
    pairings = [NumberedGame(1, 1, 3, 1.0), NumberedGame(1, 2, None, 1.0, played=False), NumberedGame(2, 2, 1, 1.0),
                NumberedGame(2, 3, None, 1.0, played=False)]  # fmt: skip
    found = table_of(seats, pairings)
    assert [(row.won, row.points) for row in found.rows] == [(1, 3), (2, 3), (1, 1)]
    assert found.placings == {
        1: Placing(1, shared=False, values=(4, 1)),
        2: Placing(2, shared=False, values=(3, 3)),
        3: Placing(3, shared=False, values=(3, 0)),
    }


def test_game_won_by_default_has_no_opponent():
    seats = [NewEntry(make_player(), 1), NewEntry(make_player(), 2)]
    found = table_of(seats, [NumberedGame(1, 1, 2, 1.0, played=False)])
    assert found.placings == {1: Placing(1, shared=False, values=(0, 0)), 2: Placing(2, shared=False, values=(0, 0))}


@pytest.mark.parametrize(("tournament", "guest"), [(False, False), (True, True)])
def test_event_without_places_has_no_placings(tournament, guest):
    seats = [NewEntry(make_player(), 1, guest=guest), NewEntry(make_player(), 2)]
    assert table_of(seats, [NumberedGame(1, 1, 2, 1.0)], tournament=tournament).placings == {}


def three_games(*places):
    """A round of three players: 2 beats 1 and 3, 3 beats 1."""
    seats = [NewEntry(make_player(), number, None, place) for number, place in enumerate(places, 1)]
    return seats, [NumberedGame(1, 1, 2, 0.0), NumberedGame(2, 2, 3, 1.0), NumberedGame(3, 3, 1, 1.0)]


def test_official_places_come_before_stated_tie_breaks():
    """A cup: the player with fewer points won the final."""
    found = table_of(*three_games(3, 2, 1))
    assert found.has_official_places
    assert [(row.entry.number, row.points) for row in found.finishing_order] == [(3, 1), (2, 2), (1, 0)]
    assert {number: placing.place for number, placing in found.placings.items()} == {1: 3, 2: 2, 3: 1}


def test_incomplete_places_are_not_official():
    found = table_of(*three_games(None, 2, 1))
    assert not found.has_official_places
    assert {number: placing.place for number, placing in found.placings.items()} == {1: 3, 2: 1, 3: 2}


def test_without_a_statement_players_are_listed_by_points_without_places():
    found = table_of(*three_games(None, None, None), tie_breaks="")
    assert (found.tie_breaks, found.placings) == (None, {})
    assert [row.entry.number for row in found.finishing_order] == [2, 3, 1]
    assert found.computed[2].values == (1, 1)


def test_list_states_the_tie_breaks_of_events_that_state_none():
    rating_list = make_list("fesa-2016", tie_breaks="wins")
    event = make_event("Cup", lists=[rating_list])
    save_table(Table(event=event, first_day=event.start, last_day=event.end), *three_games(None, None, None))
    (found,) = crosstables(event, rating_list)
    assert (found.tie_breaks, found.placings[2]) == ((TieBreak.WINS,), Placing(1, shared=False, values=(2,)))
