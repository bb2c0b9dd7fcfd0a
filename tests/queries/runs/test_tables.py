"""Tables as values: the same for whatever order the database returns their games in."""

import datetime as dt

import pytest
from django.db import OperationalError

from ratings.models import Entry, Game, Table
from ratings.queries.runs.tables import Entries, load_table, read_tables, read_tables_by_key
from ratings.systems.values import Game as GameValue
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


def test_table_has_guests_outsiders_and_players_under_21_by_their_ids():
    players = [
        make_player(public_id="P1", birth_year=2004),
        make_player(public_id="P2", birth_year=2003),
        make_player(public_id="P3", birth_date=dt.date(2010, 1, 1)),
        make_player(public_id="P4"),
    ]
    table = make_table(make_list(), players, [(1, 1, 2, 1.0)], "2024-01-06")
    Entry.objects.filter(table=table, number=2).update(fixed_rating=1700.5)
    Entry.objects.filter(table=table, number=4).update(guest=True, fixed_rating=None)
    value = load_table(table)
    assert value.players == ("P1", "P2", "P3", f"P4~{table.pk}")
    assert (value.fixed, value.under_21) == ({"P2": 1700.5}, {"P1"})


def test_every_detail_of_a_game_is_read():
    players = [make_player(public_id=f"P{number}") for number in range(1, 4)]
    details = [
        {"handicap": "2p", "giver": "b"},
        {"stones": 3, "black": "a", "board": 13, "online": True},
        {"played": False, "kind": "both lost"},
        {"correspondence": True},
    ]
    games = [(n, 1, 2, 0.0, detail) for n, detail in enumerate(details, 1)] + [(5, 3, None, 0.5)]
    table = make_table(make_list(), players, games)
    assert load_table(table).games == (
        GameValue(1, "P1", "P2", 0, handicap="2p", giver="b"),
        GameValue(2, "P1", "P2", 0, stones=3, black="a", board=13, online=True),
        GameValue(3, "P1", "P2", 0, played=False, kind="both lost"),
        GameValue(4, "P1", "P2", 0, correspondence=True),
        GameValue(5, "P3", None, 0.5, played=False),
    )


def test_entries_that_were_read_before_are_not_read_again(django_assert_num_queries):
    fesa, players = make_list(), [make_player(public_id=f"P{number}") for number in range(1, 5)]
    first, second = (make_table(fesa, part, [(1, 1, 2, 1.0)]) for part in (players[:2], players[2:]))
    entries = Entries(Table.objects.all())
    assert (entries.get_ids(first.pk), entries.get_players(second.pk)) == (
        ["P1", "P2"],
        [player.pk for player in players[2:]],
    )
    assert entries.pks == {player.public_id: player.pk for player in players}
    with django_assert_num_queries(2):
        (read,) = read_tables(Table.objects.filter(pk=second.pk), entries)
    assert read.list_pairs() == [("P3", "P4")]


def test_table_without_entries_has_no_players():
    table = make_table(make_list(), [], [])
    assert (load_table(table).players, load_table(table).games) == ((), ())
    assert Entries(Table.objects.none()).get_ids(table.pk) == []


def test_game_of_an_entry_that_was_added_meanwhile_is_an_error_of_the_database():
    fesa, players = make_list(), [make_player() for _ in range(3)]
    table = make_table(fesa, players[:2], [(1, 1, 2, 1.0)], "2024-01-01")
    read_before = Entries(Table.objects.filter(pk=table.pk))
    added = Entry.objects.create(table=table, number=3, player=players[2])
    Game.objects.filter(table=table).update(b=added)
    with pytest.raises(OperationalError, match="entries were changed"):
        list(read_tables(Table.objects.filter(pk=table.pk), read_before))


def test_table_that_was_deleted_meanwhile_is_an_error_of_the_database():
    with pytest.raises(OperationalError, match="tables were deleted"):
        read_tables_by_key([0])
