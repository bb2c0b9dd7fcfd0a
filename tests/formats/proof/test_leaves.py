"""Leaves of the trees that runs and published lists are proved by."""

import datetime as dt
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from ratings.formats.history.file import describe_table
from ratings.formats.proof.leaves import Result, encode_leaf, make_result_leaf, make_table_leaf, make_table_leaves
from ratings.systems.game_records import TableWithGames
from ratings.systems.values import Game, Table

NUMBERS = st.none() | st.integers(-3000, 3000) | st.floats(allow_nan=False, allow_infinity=False)
IDS = st.text(min_size=1, max_size=8)
GAMES = st.builds(
    Game,
    st.none() | st.integers(1, 99),
    IDS,
    st.none() | IDS,
    st.sampled_from([None, 0, 0.5, 1.0]),
    played=st.booleans(),
    handicap=st.none() | st.just("lance"),
    stones=st.integers(0, 9),
    online=st.booleans(),
)


@given(st.builds(Result, st.dates(), st.integers(0, 9), IDS, NUMBERS, NUMBERS, NUMBERS, st.integers(0, 99), IDS))
def test_leaf_of_a_result_is_json_with_sorted_keys(result):
    document = result._asdict() | {"day": f"{result.day}", "state": sha256(result.state.encode()).hexdigest()}
    assert make_result_leaf(result) == encode_leaf(document)


def test_leaf_of_a_result_has_whole_numbers_without_point_and_null_for_none():
    result = Result(dt.date(2026, 1, 31), 2, "ADA", None, 1500.0, None, 3, "{}")
    assert make_result_leaf(result) == (
        b'{"after":1500,"before":null,"change":null,"day":"2026-01-31","games":3,"place":2,"player":"ADA",'
        b'"state":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}'
    )


@given(st.lists(GAMES, max_size=4).map(tuple))
def test_leaf_of_a_table_holds_what_differs_from_an_ordinary_game(games):
    table = Table("7", dt.date(2026, 1, 31), ("A", "B"), games, event="Cup")
    described = describe_table(table)
    usual = {"played": True, "handicap": None, "giver": None, "stones": 0, "black": None, "board": 19}
    usual |= {"online": False, "correspondence": False}
    for game, entry in zip(games, described["games"], strict=True):
        read = {name: getattr(game, name) for name in ("round", "a", "b", "score", *usual)}
        expected = {name: value for name, value in read.items() if name == "b" or value != usual.get(name)}
        assert entry == expected
    kept = {name: value for name, value in described.items() if name not in ("id", "event")}
    for game in kept["games"]:
        game |= {side: game[side].split("~")[0] + "~" for side in "ab" if game.get(side) and "~" in game[side]}
    assert make_table_leaf(table) == encode_leaf(kept | {"date": f"{table.date}"})


SEATS = st.sampled_from(["A", "B", "Ü~7"])
STORED_GAMES = st.builds(
    Game,
    st.integers(1, 99),
    SEATS,
    st.none() | SEATS,
    st.sampled_from([0, 0.5, 1]),
    played=st.booleans(),
    handicap=st.sampled_from([None, "b", "2p"]),
    giver=st.sampled_from([None, "a", "b"]),
    stones=st.integers(0, 9),
    black=st.sampled_from([None, "a", "b"]),
    board=st.sampled_from([9, 19]),
    online=st.booleans(),
    correspondence=st.booleans(),
    kind=st.sampled_from(["", "unrated", "both lost"]),
)
TABLES = st.builds(
    lambda usual, games: Table("7", dt.date(2026, 1, 31), ("A", "B", "Ü~7"), (*usual, *games)),
    st.lists(st.builds(Game, st.integers(1, 9), SEATS, SEATS, st.sampled_from([0, 0.5, 1])), max_size=3),
    st.lists(STORED_GAMES, max_size=2),
)


@given(st.lists(TABLES, max_size=3))
def test_leaves_of_several_tables_are_those_of_each(tables):
    read = [TableWithGames.of(table) for table in tables]
    assert make_table_leaves(read) == [make_table_leaf(table) for table in tables]
    assert [tuple(one.list_games()) for one in read] == [table.games for table in tables]
