"""Conversion of players in the database to the values that the engine rates."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from django.db.models import QuerySet

from ratings import models
from ratings.laboratory.conversion import convert_given_rating
from ratings.systems.game_records import as_int
from ratings.systems.values import Player


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


def strip_table_id(id: str | None) -> str:
    """Return the public id in a player id of a table's value; guests' ids also contain the table's id."""
    return (id or "").partition("~")[0]
