import pytest

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.models import Table
from ratings.queries.events.crosstables import crosstables
from ratings.systems.tiebreaks import Placing
from tests.factories import make_event, make_player

pytestmark = pytest.mark.django_db


def table_of(seats, pairings, **fields):
    event = make_event("Cup")
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
        1: Placing(1, shared=False, sos=4, sodos=1),
        2: Placing(2, shared=False, sos=3, sodos=3),
        3: Placing(3, shared=False, sos=3, sodos=0),
    }


def test_game_won_by_default_has_no_opponent():
    seats = [NewEntry(make_player(), 1), NewEntry(make_player(), 2)]
    found = table_of(seats, [NumberedGame(1, 1, 2, 1.0, played=False)])
    assert found.placings == {1: Placing(1, shared=False, sos=0, sodos=0), 2: Placing(2, shared=False, sos=0, sodos=0)}


@pytest.mark.parametrize(("tournament", "guest"), [(False, False), (True, True)])
def test_event_without_places_has_no_placings(tournament, guest):
    seats = [NewEntry(make_player(), 1, guest=guest), NewEntry(make_player(), 2)]
    assert table_of(seats, [NumberedGame(1, 1, 2, 1.0)], tournament=tournament).placings == {}
