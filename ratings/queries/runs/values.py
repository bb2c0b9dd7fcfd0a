"""Conversion of players and tables in the database to the values that the engine rates."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from ratings import models
from ratings.laboratory.conversion import convert_given_rating
from ratings.systems.ages import UNDER_21
from ratings.systems.table_arrays import GameRow, TableWithGames
from ratings.systems.table_batches import build_table
from ratings.systems.values import Player, Table


def load_table(table: models.Table) -> Table:
    """Return a table as a value."""
    return next(table_values(models.Table.objects.filter(pk=table.pk)))


def load_players(rating_list: models.RatingList, public_ids: Iterable[str]) -> dict[str, Player]:
    """Return players as values with a list's data on them, by the ids of a table's value (guests included)."""
    ids = list(public_ids)
    players, _ = player_values(rating_list, [id.partition("~")[0] for id in ids])
    return {id: guest_value(players[id.partition("~")[0]], id) if "~" in id else players[id] for id in ids}


def guest_value(player: Player, id: str) -> Player:
    """Return the value of a player who gave a simultaneous: without history, and nothing is stored for them."""
    return Player(id, player.name, player.country, unlisted=True)


MAX_PLAYERS_BY_ID = 500  # with more players, reading all is faster than naming them in a query


def player_values(
    rating_list: models.RatingList, public_ids: Collection[str] | None = None, *, pks: Collection[int] | None = None
) -> tuple[dict[str, Player], dict[str, int]]:
    """Return players as values with a list's data on them, and their database ids, both by public id.

    With more than MAX_PLAYERS_BY_ID ids all players are returned. The names are those that the public may see; no
    system uses them.
    """
    members = rating_list.source.members.all()
    players = models.Player.objects.order_by("public_id")
    if public_ids is not None and len(public_ids) <= MAX_PLAYERS_BY_ID:
        players, members = players.filter(public_id__in=public_ids), members.filter(player__public_id__in=public_ids)
    if pks is not None and len(pks) <= MAX_PLAYERS_BY_ID:
        players, members = players.filter(pk__in=pks), members.filter(player__in=pks)
    known = {row.player_id: row for row in members}
    standard = read_ratings_of_seed_list(rating_list, players)
    grades = frozenset(rating_list.rating_system.grading.ranks)
    values: dict[str, Player] = {}
    ids: dict[str, int] = {}
    fields = ("pk", "public_id", "family_name", "given_name", "shown", "country", "birth_date", "birth_year")
    for pk, id, family, given, shown, country, birth_date, birth_year in players.values_list(*fields):
        name = " ".join(models.public_name_parts(family, given, id, shown)).strip()
        value = Player(id, name, country, birth_date, birth_year)
        value = replace(value, standard=standard[pk]) if pk in standard else value
        values[id] = _add_list_data(value, known[pk], rating_list, grades) if pk in known else value
        ids[id] = pk
    return values, ids


def read_ratings_of_seed_list(
    rating_list: models.RatingList, players: QuerySet[models.Player]
) -> dict[int, tuple[tuple[dt.date, float | None], ...]]:
    """Return the ratings of players on the list that gives the first ratings, by primary key, with their days.

    Each holds from its day until the next one; it is empty for lists that take no ratings from another one.
    """
    if rating_list.seed_list_id is None:
        return {}
    changes = models.Change.objects.filter(list=rating_list.seed_list_id, table=None, player__in=players.order_by())
    found: dict[int, list[tuple[dt.date, float | None]]] = defaultdict(list)
    for pk, day, after in changes.order_by("day", "place").values_list("player", "day", "after"):
        rating = None if after is None else as_int(after)
        if (found[pk][-1][1] if found[pk] else None) != rating:
            found[pk].append((day, rating))
    return {pk: tuple(ratings) for pk, ratings in found.items() if ratings}


def _add_list_data(
    value: Player, known: models.ListPlayer, rating_list: models.RatingList, grades: frozenset[str]
) -> Player:
    """Return a player's value with the list's own data on the player."""
    opening = known.outsider_state
    if opening is not None and rating_list.comparison_to_id:
        source = rating_list.source.rating_system
        rating = convert_given_rating(opening["rating"], source, rating_list.rating_system)
        opening = None if rating is None else opening | {"rating": rating}
    return replace(
        value,
        start_year=known.start_year,
        prior_grade=known.prior_grade if known.prior_grade in grades else None,  # a comparison may not have this grade
        fixed=opening is not None,
        opening=opening,
        unlisted=known.withdrawn or not known.member,
    )


def as_int(number: float) -> float:
    """Return a whole number from the database as an int, as systems that calculate with ints and exports need it."""
    return int(number) if number == int(number) else number


def strip_table_id(id: str | None) -> str:
    """Return the public id in a player id of a table's value; guests' ids also contain the table's id."""
    return (id or "").partition("~")[0]


ENTRY_FIELDS = (
    "pk",
    "table_id",
    "number",
    "player__public_id",
    "player__birth_date",
    "player__birth_year",
    "guest",
    "fixed_rating",
)
GAME_FIELDS = (
    "table_id",
    "round",
    "a_id",
    "b_id",
    "score",
    "played",
    "handicap",
    "giver",
    "stones",
    "black",
    "board",
    "online",
    "correspondence",
    "kind",
)


def table_values(tables: QuerySet[models.Table]) -> Iterator[Table]:
    """Yield tables with their players and games as values, in no particular order."""
    return map(build_table, read_tables(tables))


def read_tables(tables: QuerySet[models.Table]) -> Iterator[TableWithGames]:
    """Yield tables with their games as rows, in order of round and of the numbers of both sides."""
    entries: dict[int, list[Any]] = defaultdict(list)
    ids, numbers = dict[int | None, str | None]({None: None}), dict[int, int]()
    seats = models.Entry.objects.filter(table__in=tables).order_by("number")
    for entry in seats.values_list(*ENTRY_FIELDS, named=True):
        entries[entry.table_id].append(entry)
        ids[entry.pk], numbers[entry.pk] = _player_id(entry), entry.number
    # sorted here, because the database would need a join for each side
    games: dict[int, list[GameRow]] = defaultdict(list)
    played = models.Game.objects.filter(table__in=tables).order_by().values_list(*GAME_FIELDS)
    for row in sorted(played, key=lambda row: (row[1], numbers[row[2]], numbers.get(row[3], 0))):
        table, round_, a, b, score, *details = row
        games[table].append((round_, ids[a], ids[b], as_int(score), *details))
    for table in tables.select_related("event"):
        yield TableWithGames(_table_value(table, entries[table.pk]), games[table.pk])


def _player_id(entry: Any) -> str:
    """Return the id of an entry's player in the table's value; the id of a guest ends with that of the table."""
    return f"{entry.player__public_id}~{entry.table_id}" if entry.guest else entry.player__public_id


def results_text(table: Table) -> str:
    """Return a table's results as text, to order tables that are otherwise equal."""
    return " ".join(
        f"{g.round}:{strip_table_id(g.a)}-{strip_table_id(g.b)}:{g.score}:{g.played}:{g.handicap}:{g.stones}:{g.board}"
        for g in table.games
    )


def _table_value(table: models.Table, entries: list[Any]) -> Table:
    return Table(
        str(table.pk),
        table.first_day,
        tuple(map(_player_id, entries)),
        (),
        str(table),
        table.last_day if table.last_day != table.first_day else None,
        tournament=table.tournament,
        minutes=None if table.minutes is None else as_int(table.minutes),
        overtime=table.overtime,
        time_class=table.time_class,
        list_day=table.list_day,
        fixed={_player_id(e): as_int(e.fixed_rating) for e in entries if e.fixed_rating is not None},
        under_21=frozenset(_player_id(e) for e in entries if _under_21_by_year(e, table)),
        rated=table.rated,
    )


def _under_21_by_year(entry: Any, table: models.Table) -> bool:
    """Return True if only the birth year is known and proves that the player was under 21."""
    if entry.player__birth_date is not None or entry.player__birth_year is None:
        return False
    return bool(table.first_day.year - entry.player__birth_year < UNDER_21)
