"""Players whose names match what a visitor typed, with what tells namesakes apart."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Club, Event, Player, RatingList, Standing, Table
from ratings.queries.lists.lists import standings_with_last_rating
from ratings.queries.lists.recent_changes import read_recent_changes

from .players import with_current_club


@dataclass(frozen=True)
class PlayerChoice:
    """A player with their club, standing and last event on a list; each is None if there is none."""

    player: Player
    club: Club | None
    standing: Standing | None
    last_event: Event | None


def describe_choices(players: Sequence[Player], rating_list: RatingList | None, today: dt.date) -> list[PlayerChoice]:
    """Return the players in their order, with the details that tell namesakes apart; no club of anonymous players."""
    keys = [player.pk for player in players]
    known = with_current_club(Player.objects.all()).in_bulk(keys)
    on_list = Standing.objects.filter(list=rating_list, player__in=keys).select_related("list")
    standings = {standing.player_id: standing for standing in standings_with_last_rating(on_list)}
    tables = {}
    if rating_list is not None:
        recent = read_recent_changes(rating_list, list(standings.values()), today)
        tables = {player: changes.table for player, changes in recent.items() if changes.table is not None}
    events = {table.pk: table.event for table in Table.objects.filter(pk__in=tables.values()).select_related("event")}
    return [
        PlayerChoice(player, _club_of(player), standings.get(player.pk), events.get(tables.get(player.pk, 0)))
        for player in map(known.__getitem__, keys)
    ]


def _club_of(player: Player) -> Club | None:
    memberships = [] if player.is_anonymous else player.present  # type: ignore[attr-defined] # set by with_current_club
    return memberships[0].club if memberships else None
