import datetime as dt

from ratings.laboratory.games import collect_games
from ratings.systems.values import Game, History, Player, Table


def test_columns_hold_the_games_that_can_be_predicted():
    young, other = Player("a", birth_year=2008), Player("b", birth_date=dt.date(1980, 5, 5))
    players = {"a": young, "b": other, "c": Player("c"), "f": Player("f", fixed=True, opening={"rating": 1500})}
    everybody = tuple(players)
    games = (
        Game(1, "a", "b", 1.0),
        Game(1, "c", "f", 1.0),  # against a player with a fixed rating
        Game(2, "b", "c", 0.5),
        Game(2, "a", None, 1.0, played=False),
        Game(3, "b", "c", 1.0, played=False),
    )
    tables = (
        Table("t1", dt.date(2023, 12, 30), everybody, games, event="Open", end_date=dt.date(2024, 1, 2)),
        Table("t2", dt.date(2024, 2, 1), everybody, games[:1], event="Open"),
        Table("t3", dt.date(2025, 2, 1), everybody, games[:1], event="Open"),
        Table("t4", dt.date(2030, 2, 1), everybody, games[:1]),
        Table("t5", dt.date(2030, 2, 1), everybody, games[:1], rated=False),
    )
    columns = collect_games(History("fesa-2016", players, tables))
    assert columns.games == {
        "t1": [(0, games[0]), (1, games[2])],
        "t2": [(2, games[0])],
        "t3": [(3, games[0])],
        "t4": [(4, games[0])],
    }
    assert columns.event.tolist() == [0, 0, 0, 1, 2]
    assert columns.year.tolist() == [2024, 2024, 2024, 2025, 2030]
    assert columns.score.tolist() == [1.0, 0.5, 1.0, 1.0, 1.0]
    assert columns.junior.tolist() == [True, False, True, True, False]


def test_history_without_games_has_empty_columns():
    columns = collect_games(History("fesa-2016", {}, ()))
    assert (len(columns), columns.games, columns.event.tolist()) == (0, {}, [])
