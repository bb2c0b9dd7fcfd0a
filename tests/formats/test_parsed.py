import pytest

from ratings.formats.parsed import Cell
from ratings.systems.values import Game

GAMES = [
    Game(2, "a", "b", 1, handicap="2p", giver="a"),
    Game(2, "a", "b", 0.5, handicap="r", giver="b"),
    Game(2, "a", "b", 0, stones=4, black="a", board=13),
    Game(2, "a", "b", 1, black="b"),
    Game(2, "a", "b", 0.5),
]
OF_A = [
    Cell(7, 1, "2p", gave=True),
    Cell(7, 0.5, "r"),
    Cell(7, 0, stones=4, black=True),
    Cell(7, 1, black=False),
    Cell(7, 0.5),
]
OF_B = [
    Cell(3, 0, "2p"),
    Cell(3, 0.5, "r", gave=True),
    Cell(3, 1, stones=4, black=False),
    Cell(3, 0, black=True),
    Cell(3, 0.5),
]


@pytest.mark.parametrize(("game", "of_a", "of_b"), list(zip(GAMES, OF_A, OF_B, strict=True)))
def test_cells_of_a_game_tell_it_from_both_sides(game, of_a, of_b):
    assert (Cell.from_game(game, "a", 7), Cell.from_game(game, "b", 3)) == (of_a, of_b)
    assert (of_a.mirrored(3), of_b.mirrored(7)) == (of_b, of_a)
    assert of_a.to_game(2, game.board) == game


def test_cell_of_a_round_without_a_game_has_its_points():
    bye = Game(2, "a", None, 1, played=False)
    assert Cell.from_game(bye, "a", 0) == Cell(0, 1)
