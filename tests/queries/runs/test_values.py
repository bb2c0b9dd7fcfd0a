"""Tables as values: the same for whatever order the database returns their games in."""

import pytest

from ratings.models import Game
from ratings.queries.runs.tables import load_table
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def test_games_of_a_round_are_ordered_by_both_sides():
    players = [make_player(public_id=f"P{number}") for number in range(1, 6)]
    games = [(1, 1, number, 1.0) for number in (2, 3, 4, 5)] + [(2, 4, 5, 0.5), (2, 2, 3, 0.0)]
    table = make_table(make_list(), players, games)
    rows = list(table.games.order_by("-pk"))
    Game.objects.filter(table=table).delete()
    for row in rows:
        row.pk = None
    Game.objects.bulk_create(rows)
    pairs = [(game.round, game.a, game.b) for game in load_table(table).games]
    assert pairs == [
        (1, "P1", "P2"),
        (1, "P1", "P3"),
        (1, "P1", "P4"),
        (1, "P1", "P5"),
        (2, "P2", "P3"),
        (2, "P4", "P5"),
    ]
