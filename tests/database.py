"""Histories put into the database, as if people had entered them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from ratings.domain.outside import lay_down, save_list_player
from ratings.domain.tables import Pairing, Seat, save_table
from ratings.models import Adjustment, Decision, Event, ListPlayer, Player, RatingList, Table
from ratings.systems.values import History


def store(history: History, slug: str = "cases") -> tuple[RatingList, dict[str, Table]]:
    """A list with everything of a history; its tables by their ids."""
    rating_list = RatingList.objects.create(
        slug=slug, name=slug, federation=slug, system=history.system, options=dict(history.options)
    )
    players = {id: _player(rating_list, value) for id, value in history.players.items()}
    tables = {}
    for position, value in enumerate(history.tables):
        tables[value.id] = _table(rating_list, players, value, position)
    first = min(table.last_day for table in history.tables)
    for id, value in history.players.items():
        if value.opening and not value.fixed:
            _given(rating_list, first, None, player=players[id], set=value.opening)
    for one in history.adjustments:
        whom = players[one.player] if one.player else None
        _given(rating_list, one.date, tables.get(one.before or ""), player=whom, set=one.set, shift=one.shift)
    for one in history.decisions:
        lay_down(
            Decision(
                list=rating_list, player=players[one.player], grade=one.grade, ruling=one.ruling, date=one.date,
                before=tables.get(one.before or ""), reason=one.reason or "r",
            )
        )  # fmt: skip
    return rating_list, tables


def _player(rating_list: RatingList, value: Any) -> Player:
    player = Player.objects.create(public_id=value.id, family_name=value.name or value.id, birth_date=value.birth_date)
    fixed = value.opening["rating"] if value.fixed else None
    if value.prior_grade or value.start_year or value.unlisted or fixed is not None:
        save_list_player(
            ListPlayer(
                list=rating_list, player=player, prior_grade=value.prior_grade or "", start_year=value.start_year,
                withdrawn=value.unlisted, fixed_rating=fixed,
            )
        )  # fmt: skip
    return player


def _given(rating_list: RatingList, day: dt.date, before: Table | None, **fields: Any) -> None:
    lay_down(Adjustment(list=rating_list, date=day, before=before, reason="r", **fields))


def _table(rating_list: RatingList, players: dict[str, Player], value: Any, position: int) -> Table:
    event = Event.objects.create(
        name=value.event or value.id, start=value.date, end=value.last_day, state=Event.State.ACCEPTED
    )
    event.lists.add(rating_list)
    overtime = value.overtime or {}
    table = Table(
        event=event, name=value.id, first_day=value.date, last_day=value.last_day, position=position, rated=value.rated,
        tournament=value.tournament, minutes=value.minutes, overtime_moves=overtime.get("moves"),
        overtime_seconds=overtime.get("seconds"), increment=overtime.get("increment"),
    )  # fmt: skip
    numbers = {id: number for number, id in enumerate(value.players, 1)}
    seats = [Seat(players[id], number, fixed_rating=value.fixed.get(id)) for id, number in numbers.items()]
    pairings = [
        Pairing(
            game.round or 1, numbers[game.a], numbers.get(game.b or ""), game.score, game.played, game.handicap,
            game.giver, game.stones, game.black, game.board, game.online, game.correspondence,
        )
        for game in value.games
    ]  # fmt: skip
    return save_table(table, seats, pairings)
