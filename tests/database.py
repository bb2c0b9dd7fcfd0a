"""Histories put into the database, as if people had entered them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import User

from ratings.domain.events.tables import NewEntry, NumberedGame, save_table
from ratings.domain.grades.grade_approval import ListStart, get_list_start
from ratings.domain.lists.adjustments import save_adjustment, save_list_player
from ratings.domain.lists.federations import get_or_create_federation
from ratings.domain.site.acting import act_as
from ratings.models import Adjustment, Decision, Event, ListPlayer, Player, RatingList, Table
from ratings.systems.values import History


def store(history: History, slug: str = "cases") -> tuple[RatingList, dict[str, Table]]:
    """A list with everything of a history; its tables by their ids."""
    rating_list = RatingList(
        slug=slug,
        name=slug,
        federation=get_or_create_federation(slug),
        system=history.system,
        options=dict(history.options),
    )
    rating_list.set_option_changes(history.option_changes)
    rating_list.save()
    with act_as(User.objects.create_superuser("importer")):
        start = get_list_start(rating_list)
    players = {id: _player(rating_list, value, start) for id, value in history.players.items()}
    tables = {}
    for position, value in enumerate(history.tables):
        tables[value.id] = _table(rating_list, players, value, position)
    first = min(table.last_day for table in history.tables)
    for id, value in history.players.items():
        if value.opening and not value.fixed:
            day, opening = first, dict(value.opening)
            if history.system == "rif-2021":
                day = _get_opening_day(history, value)
            days = [*(table.date for table in history.tables), *(one.date for one in history.adjustments)]
            if history.system == "glicko-2":  # unknown, and not the day of the adjustment
                day, opening = min(days) - dt.timedelta(days=1), {"last_played": None} | opening
            if history.system == "fide-2024":  # in force before the first table begins
                day = min(days).replace(day=1) - dt.timedelta(days=1)
            _given(start, day, None, player=players[id], set=opening)
    for one in history.adjustments:
        whom = players[one.player] if one.player else None
        _given(start, one.date, tables.get(one.before or ""), player=whom, set=one.set, shift=one.shift)
    for one in history.decisions:
        save_adjustment(
            Decision(
                list=rating_list, player=players[one.player], grade=one.grade, ruling=one.ruling, date=one.date,
                before=tables.get(one.before or ""), reason=one.reason or "r", source=slug,
            ),
            start=start,
        )  # fmt: skip
    return rating_list, tables


def _get_opening_day(history: History, player: Any) -> dt.date:
    """The day of an opening where it matters: the player's last table before, else the first one here."""
    tables = [table.last_day for table in history.tables if player.id in table.players]
    last = player.opening.get("last_played")
    return dt.date.fromisoformat(last) if last else min(tables)


def _player(rating_list: RatingList, value: Any, start: ListStart) -> Player:
    player = Player.objects.create(
        public_id=value.id,
        family_name=value.name or value.id,
        birth_date=value.birth_date,
        birth_year=value.birth_year,
    )
    fixed = value.opening["rating"] if value.fixed else None
    deviation = value.opening.get("deviation") if value.fixed else None
    if value.prior_grade or value.start_year or value.unlisted or fixed is not None:
        save_list_player(
            ListPlayer(
                list=rating_list, player=player, prior_grade=value.prior_grade or "", start_year=value.start_year,
                withdrawn=value.unlisted, fixed_rating=fixed, fixed_deviation=deviation, prior_evidence=rating_list.slug,
            ),
            start=start,
        )  # fmt: skip
    return player


def _given(start: ListStart, day: dt.date, before: Table | None, **fields: Any) -> None:
    source = start.rating_list.slug
    save_adjustment(
        Adjustment(list=start.rating_list, date=day, before=before, reason="r", source=source, **fields), start=start
    )


def _table(rating_list: RatingList, players: dict[str, Player], value: Any, position: int) -> Table:
    event = Event.objects.create(
        name=value.event or value.id, start=value.date, end=value.last_day, state=Event.State.ACCEPTED
    )
    event.lists.add(rating_list)
    overtime = value.overtime or {}
    table = Table(
        event=event, name=value.id, first_day=value.date, last_day=value.last_day, position=position, rated=value.rated,
        tournament=value.tournament, minutes=value.minutes, overtime_moves=overtime.get("moves"),
        overtime_seconds=overtime.get("seconds"), increment=overtime.get("increment"), time_class=value.time_class, list_day=value.list_day,
    )  # fmt: skip
    numbers = {id: number for number, id in enumerate(value.players, 1)}
    seats = [NewEntry(players[id], number, fixed_rating=value.fixed.get(id)) for id, number in numbers.items()]
    pairings = [
        NumberedGame(
            game.round or 1, numbers[game.a], numbers.get(game.b or ""), game.score, game.played, game.handicap,
            game.giver, game.stones, game.black, game.board, game.online, game.correspondence,
        )
        for game in value.games
    ]  # fmt: skip
    return save_table(table, seats, pairings)
