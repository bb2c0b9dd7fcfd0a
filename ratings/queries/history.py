"""A list's inputs as the values that the engine rates."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet

from ratings import models
from ratings.systems.values import Adjustment, Decision, Game, History, Player, Table


@dataclass(frozen=True)
class Loaded:
    """`history` with players by public id, tables and the rest by their database id as text."""

    history: History
    pks: Mapping[str, int]


def tables_of(rating_list: models.RatingList, since: dt.date | None = None) -> QuerySet[models.Table]:
    """The tables that count for a list: those of its accepted events."""
    tables = models.Table.objects.filter(event__lists=rating_list, event__state=models.Event.State.ACCEPTED)
    return tables if since is None else tables.filter(last_day__gte=since)


def load_history(rating_list: models.RatingList, since: dt.date | None = None) -> Loaded:
    """All inputs of a list whose step lies on or after `since`, tables in their total order."""
    counted = tables_of(rating_list, since)
    tables = [value for _, value in sorted(_tables(counted), key=lambda pair: pair[0])]
    # what stands before a table goes with it: where the table does not count, neither does that
    in_force = Q(before__in=counted) | Q(before__isnull=True, **({} if since is None else {"date__gte": since}))
    adjustments = [
        Adjustment(a.date, _public_id(a.player), _before(a), a.set, a.shift, a.reason, str(a.pk))
        for a in rating_list.adjustments.filter(in_force).select_related("player")
    ]
    decisions = [
        Decision(d.date, d.player.public_id, d.grade, d.ruling, _before(d), d.reason, str(d.pk))
        for d in rating_list.decisions.filter(in_force).select_related("player")
    ]
    # what people entered orders steps of one day, never the time of saving
    adjustments.sort(key=lambda a: (a.date, a.player or "", json.dumps(a.set, sort_keys=True), a.shift or 0, a.reason))
    decisions.sort(key=lambda d: (d.date, d.player, d.ruling, d.grade, d.reason))
    players, pks = _players(rating_list)
    guests = {id: _guest(players[id.partition("~")[0]], id) for t in tables for id in t.players if "~" in id}
    history = History(
        rating_list.system,
        players | guests,
        tuple(tables),
        tuple(adjustments),
        tuple(decisions),
        rating_list.options,
    )
    return Loaded(history, pks)


def load_table(table: models.Table) -> Table:
    """One table as a value."""
    return next(value for _, value in _tables(models.Table.objects.filter(pk=table.pk)))


def load_players(rating_list: models.RatingList, public_ids: Iterable[str]) -> dict[str, Player]:
    """What a list knows of some players, by the ids of a table's value (guests included)."""
    ids = list(public_ids)
    players, _ = _players(rating_list, [id.partition("~")[0] for id in ids])
    return {id: _guest(players[id.partition("~")[0]], id) if "~" in id else players[id] for id in ids}


def _public_id(player: models.Player | None) -> str | None:
    return None if player is None else player.public_id


def _before(given: models.Adjustment | models.Decision) -> str | None:
    return None if given.before_id is None else str(given.before_id)


def _guest(player: Player, id: str) -> Player:
    """Who gave a simultaneous counts as without history, and nothing is kept of him."""
    return Player(id, player.name, player.country, unlisted=True)


def _players(
    rating_list: models.RatingList, public_ids: Iterable[str] | None = None
) -> tuple[dict[str, Player], dict[str, int]]:
    known = {row.player_id: row for row in rating_list.members.all()}
    several = models.Player.objects.order_by("public_id")
    if public_ids is not None:
        several = several.filter(public_id__in=list(public_ids))
    values, pks = {}, {}
    for player in several.only("public_id", "family_name", "given_name", "country", "birth_date"):
        values[player.public_id] = _player_value(player, known.get(player.pk))
        pks[player.public_id] = player.pk
    return values, pks


def _player_value(player: models.Player, known: models.ListPlayer | None) -> Player:
    value = Player(player.public_id, player.name, str(player.country), player.birth_date)
    if known is None:
        return value
    return replace(
        value,
        start_year=known.start_year,
        prior_grade=known.prior_grade or None,
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


OrderKey = tuple[Any, ...]


def _tables(tables: QuerySet[models.Table]) -> Iterable[tuple[OrderKey, Table]]:
    """Table values with the key of their total order: only what people entered, never an id of the database."""
    entries: dict[int, list[models.Entry]] = defaultdict(list)
    for entry in models.Entry.objects.filter(table__in=tables).select_related("player").order_by("number"):
        entries[entry.table_id].append(entry)
    games: dict[int, list[models.Game]] = defaultdict(list)
    for game in models.Game.objects.filter(table__in=tables).order_by("round", "a__number"):
        games[game.table_id].append(game)
    for table in tables.select_related("event"):
        value = _table_value(table, entries[table.pk], games[table.pk])
        results = " ".join(
            f"{g.round}:{named(g.a)}-{named(g.b)}:{g.score}:{g.played}:{g.handicap}" for g in value.games
        )
        key = (table.last_day, table.first_day, table.position, table.event.name, table.name, results)
        yield key, value


def _table_value(table: models.Table, entries: list[models.Entry], games: list[models.Game]) -> Table:
    ids = {e.pk: f"{e.player.public_id}~{table.pk}" if e.guest else e.player.public_id for e in entries}
    return Table(
        str(table.pk),
        table.first_day,
        tuple(ids.values()),
        tuple(_game_value(game, ids) for game in games),
        str(table),
        table.last_day if table.last_day != table.first_day else None,
        fixed={ids[e.pk]: plain(e.fixed_rating) for e in entries if e.fixed_rating is not None},
        rated=table.rated,
    )


def _game_value(game: models.Game, ids: Mapping[int, str]) -> Game:
    b = None if game.b_id is None else ids[game.b_id]
    return Game(game.round, ids[game.a_id], b, plain(game.score), game.played, game.handicap, game.giver)


def export_history(rating_list: models.RatingList) -> History:
    """The inputs of a list to be written: only players that occur, tables named t1, t2 … in rating order."""
    history = load_history(rating_list).history
    names = {table.id: f"t{number}" for number, table in enumerate(history.tables, 1)}

    def renamed(player: str) -> str:
        public_id, tilde, table = player.partition("~")
        return f"{public_id}~{names[table]}" if tilde else player

    outside: list[Adjustment | Decision] = [*history.adjustments, *history.decisions]
    seen = {id for table in history.tables for id in table.players} | {given.player for given in outside}
    tables = tuple(
        replace(
            table,
            id=names[table.id],
            players=tuple(map(renamed, table.players)),
            fixed={renamed(id): rating for id, rating in table.fixed.items()},
            games=tuple(replace(g, a=renamed(g.a), b=g.b and renamed(g.b)) for g in table.games),
        )
        for table in history.tables
    )
    return replace(
        history,
        players={renamed(id): replace(p, id=renamed(id)) for id, p in history.players.items() if id in seen},
        tables=tables,
        adjustments=tuple(replace(a, before=names.get(a.before or "")) for a in history.adjustments),
        decisions=tuple(replace(d, before=names.get(d.before or "")) for d in history.decisions),
    )
