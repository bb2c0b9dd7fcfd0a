import pytest

from ratings.domain.results.corrections import save_first_version
from ratings.queries.events.player_tables import player_tables, players_of_event
from tests.factories import make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("days", [1, 3])
def test_seats_take_five_queries_however_many_there_are(days, django_assert_num_queries):
    ada, ben = make_player("Ada"), make_player("Ben")
    for day in range(1, days + 1):
        save_first_version(make_table(None, [ada, ben], [(1, 1, 2, 1.0)], f"2024-03-0{day}"))
    with django_assert_num_queries(5):
        assert [(seat.written, seat.points, seat.games) for seat in player_tables(ada)] == [("Ada FR", 1.0, 1)] * days


def test_byes_and_absences_count_nothing():
    ada, ben = make_player("Ada"), make_player("Ben")
    table = make_table(None, [ada, ben], [(1, 1, 2, 0.5), (2, 1, None, 1.0)])
    assert [(seat.points, seat.games) for seat in player_tables(ada)] == [(0.5, 1)]
    assert (player_tables(make_player()), player_tables(ben, make_table(None, [ada], []).event)) == ([], [])
    assert players_of_event(table.event) == [ada, ben]
