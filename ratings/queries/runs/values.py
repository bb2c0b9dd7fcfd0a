"""Players and tables of the database as the values that the engine rates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from ratings import models
from ratings.systems.icu import UNDER_21
from ratings.systems.values import Game, Player, Table


def load_table(table: models.Table) -> Table:
    """One table as a value."""
    return next(table_values(models.Table.objects.filter(pk=table.pk)))


def load_players(rating_list: models.RatingList, public_ids: Iterable[str]) -> dict[str, Player]:
    """What a list knows of some players, by the ids of a table's value (guests included)."""
    ids = list(public_ids)
    players, _ = player_values(rating_list, [id.partition("~")[0] for id in ids])
    return {id: guest(players[id.partition("~")[0]], id) if "~" in id else players[id] for id in ids}


def guest(player: Player, id: str) -> Player:
    """Who gave a simultaneous counts as without history, and nothing is kept of him."""
    return Player(id, player.name, player.country, unlisted=True)


MANY = 500  # beyond, reading all is quicker than naming them


def player_values(
    rating_list: models.RatingList, public_ids: Collection[str] | None = None, *, pks: Collection[int] | None = None
) -> tuple[dict[str, Player], dict[str, int]]:
    """What a list knows of players, and their database ids, by public id; where many are asked for, of all.

    They bear the names that the public may see; no system looks at names.
    """
    members = rating_list.source.members.all()
    several = models.Player.objects.order_by("public_id")
    if public_ids is not None and len(public_ids) <= MANY:
        several, members = several.filter(public_id__in=public_ids), members.filter(player__public_id__in=public_ids)
    if pks is not None and len(pks) <= MANY:
        several, members = several.filter(pk__in=pks), members.filter(player__in=pks)
    known = {row.player_id: row for row in members}
    grades = frozenset(rating_list.rating_system.grades)
    values: dict[str, Player] = {}
    ids: dict[str, int] = {}
    fields = ("pk", "public_id", "family_name", "given_name", "shown", "country", "birth_date")
    for pk, id, family, given, shown, country, birth_date in several.values_list(*fields):
        value = Player(id, " ".join(models.public_parts(family, given, id, shown)).strip(), country, birth_date)
        values[id] = _known_value(value, known[pk], grades) if pk in known else value
        ids[id] = pk
    return values, ids


def _known_value(value: Player, known: models.ListPlayer, grades: frozenset[str]) -> Player:
    """With what the list itself knows of him."""
    return replace(
        value,
        start_year=known.start_year,
        prior_grade=known.prior_grade if known.prior_grade in grades else None,  # a comparison may not have it
        fixed=known.fixed_rating is not None,
        opening=None if known.fixed_rating is None else {"rating": plain(known.fixed_rating)},
        unlisted=known.withdrawn or not known.member,
    )


def plain(number: float) -> float:
    """A whole number of the database as an integer: so systems that keep integers get it, and exports write it."""
    return int(number) if number == int(number) else number


def named(id: str | None) -> str:
    """The public id behind a guest's, which bears his table's id."""
    return (id or "").partition("~")[0]


OF_ENTRY = (
    "pk", "table_id", "player__public_id", "player__birth_date", "player__birth_year", "guest", "fixed_rating",
)  # fmt: skip
OF_GAME = (
    "table_id", "round", "a_id", "b_id", "score", "played", "handicap", "giver", "stones", "black", "board", "online",
    "correspondence",
)  # fmt: skip


def table_values(tables: QuerySet[models.Table]) -> Iterator[Table]:
    """Tables with their players and games, in no order."""
    entries: dict[int, list[Any]] = defaultdict(list)
    seats = models.Entry.objects.filter(table__in=tables).order_by("number")
    for entry in seats.values_list(*OF_ENTRY, named=True):
        entries[entry.table_id].append(entry)
    games: dict[int, list[Any]] = defaultdict(list)
    played = models.Game.objects.filter(table__in=tables).order_by("round", "a__number")
    for game in played.values_list(*OF_GAME, named=True):
        games[game.table_id].append(game)
    for table in tables.select_related("event"):
        yield _table_value(table, entries[table.pk], games[table.pk])


def results_text(table: Table) -> str:
    """A table's results as text, which orders tables that are alike in all else."""
    return " ".join(
        f"{g.round}:{named(g.a)}-{named(g.b)}:{g.score}:{g.played}:{g.handicap}:{g.stones}:{g.board}"
        for g in table.games
    )


def _table_value(table: models.Table, entries: list[Any], games: list[Any]) -> Table:
    ids = {e.pk: f"{e.player__public_id}~{table.pk}" if e.guest else e.player__public_id for e in entries}
    return Table(
        str(table.pk),
        table.first_day,
        tuple(ids.values()),
        tuple(game_value(game, ids) for game in games),
        str(table),
        table.last_day if table.last_day != table.first_day else None,
        tournament=table.tournament,
        minutes=None if table.minutes is None else plain(table.minutes),
        overtime=table.overtime,
        fixed={ids[e.pk]: plain(e.fixed_rating) for e in entries if e.fixed_rating is not None},
        under_21=frozenset(ids[e.pk] for e in entries if _under_21_by_year(e, table)),
        rated=table.rated,
    )


def _under_21_by_year(entry: Any, table: models.Table) -> bool:
    """Where only the birth year is known: whether it alone tells that he was under 21."""
    if entry.player__birth_date is not None or entry.player__birth_year is None:
        return False
    return bool(table.first_day.year - entry.player__birth_year < UNDER_21)


def game_value(game: Any, ids: Mapping[int, str]) -> Game:
    """A game (or a row of OF_GAME) with its players named by their entries' ids."""
    b = None if game.b_id is None else ids[game.b_id]
    return Game(
        game.round,
        ids[game.a_id],
        b,
        plain(game.score),
        game.played,
        game.handicap,
        game.giver,
        game.stones,
        game.black,
        game.board,
        game.online,
        game.correspondence,
    )
