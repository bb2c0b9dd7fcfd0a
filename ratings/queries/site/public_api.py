"""Public data of lists, players and events, as rows in a stable order."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from ratings.models import (
    Award,
    Change,
    Correction,
    Entry,
    Event,
    Game,
    Player,
    RatingList,
    Run,
    Standing,
    Table,
)
from ratings.queries.events.crosstables import public_changes_filter
from ratings.queries.grades.awards import with_state
from ratings.queries.lists.keyset import Position, Slice, slice_of
from ratings.queries.lists.lists import promotions, public_lists, published_standings
from ratings.queries.runs.states import LAST_PLAYED, is_absent, listed_on

from .search import player_filter


def public_changes(rating_list: RatingList) -> QuerySet[Change]:
    """Return the public rating changes on a list."""
    changes = rating_list.changes.filter(public_changes_filter()).defer("state", "note")
    return changes.select_related("player", "table__event")


def past_ratings(rating_list: RatingList, day: dt.date) -> QuerySet[Standing]:
    """Return the current standings of the players who were published on a list at the end of a day.

    Each has `last`, the id of the player's last change until then. So a page of players costs the same on a list of
    any size.
    """
    until = rating_list.changes.filter(player=OuterRef("player"), day__lte=day).order_by("-day", "-place")
    lines = rating_list.standings.annotate(last=Subquery(until.values("pk")[:1])).order_by()
    published = listed_on(Change.objects.filter(public_changes_filter(), pk=OuterRef("last")), rating_list, day)
    listed: QuerySet[Standing] = lines.filter(Exists(published)).select_related("player")
    return listed


def changes_by_id(ids: Iterable[int]) -> dict[int, Change]:
    return Change.objects.defer("state", "note").in_bulk(list(ids))


def last_changes(player: Player, lists: Iterable[RatingList], day: dt.date) -> list[Change]:
    """Return a player's last change until a day on each of some lists on which they were published then."""
    changes = []
    for rating_list in lists:
        until = rating_list.changes.filter(player=player, day__lte=day).defer("state").order_by("-day", "-place")
        last: Any = until.annotate(last_played=LAST_PLAYED).first()
        if last is None or not last.published or last.hidden or last.after is None:
            continue
        if not is_absent(last.last_played, rating_list.rating_system.rating.absence_cutoff(day)):
            last.list = rating_list
            changes.append(last)
    return changes


def finished_runs(rating_list: RatingList) -> QuerySet[Run]:
    """Return the runs of a list that stored their results."""
    return rating_list.runs.finished().filter(ended_at__isnull=False)


def public_corrections(rating_list: RatingList) -> QuerySet[Correction]:
    return Correction.objects.filter(run__list=rating_list, hidden=False).select_related("player", "run")


def public_promotions(rating_list: RatingList) -> QuerySet[Award]:
    return with_state(promotions(rating_list)).order_by()


def public_players(query: str) -> QuerySet[Player]:
    """Return unmerged players, all or those found by parts of a name shown in full or by public id."""
    players = Player.objects.filter(merged_into=None)
    return players.filter(player_filter(query)) if query.strip() else players


def accepted_events() -> QuerySet[Event]:
    events = Event.objects.filter(state=Event.State.ACCEPTED)
    return events.prefetch_related(Prefetch("lists", RatingList.objects.filter(public=True).order_by("pk")))


NEWEST_GAMES = ("-table__last_day", "-table_id", "-round", "-pk")


def games_of(
    player: Player, rating_list: RatingList | None, size: int, position: Position | None = None, *, backwards: bool
) -> Slice[Game]:
    """Return a slice of a player's games in accepted events, or in those rated on one list, newest first."""
    seats = Entry.objects.filter(player=player, table__event__state=Event.State.ACCEPTED)
    if rating_list is not None:
        seats = seats.filter(table__event__in=rating_list.source.events.values("pk"))
    order = ("table__last_day", "table") if backwards else ("-table__last_day", "-table")
    in_order = list(seats.order_by(*order).values_list("table__last_day", "table", "pk"))
    if position is not None:
        reaches = operator.ge if backwards else operator.le
        in_order = [seat for seat in in_order if reaches(seat[:2], (dt.date.fromisoformat(position[0]), position[1]))]
    # nearly every seat has games, so the nearest seats usually have enough of them; otherwise all seats are read
    games = _games_at(in_order[: size + 1], size, position, backwards=backwards)
    is_full = (games.before if backwards else games.after) is not None
    return games if is_full or len(in_order) <= size + 1 else _games_at(in_order, size, position, backwards=backwards)


def _games_at(
    seats: Sequence[tuple[dt.date, int, int]], size: int, position: Position | None, *, backwards: bool
) -> Slice[Game]:
    """Return games by the ids of entries and tables: otherwise a database may scan the games of all players."""
    own = {entry: table for _day, table, entry in seats}
    games = Game.objects.filter(Q(a__in=list(own)) | Q(b__in=list(own)), table__in=list(own.values()))
    rows = games.select_related("table").prefetch_related("table__event", "a__player", "b__player")
    return slice_of(rows, NEWEST_GAMES, size, position, backwards=backwards)


def ratings_before(rating_list: RatingList, games: Iterable[Game]) -> dict[tuple[int, int], float | None]:
    """Return the public ratings before some games of their players, by table id and player id."""
    rows = list(games)
    players = {entry.player_id for game in rows for entry in (game.a, game.b) if entry is not None}
    rated = rating_list.changes.filter(
        public_changes_filter(), table__in={game.table_id for game in rows}, player__in=players
    )
    return {(table or 0, player): before for table, player, before in rated.values_list("table", "player", "before")}


def player_names(table: Table) -> list[tuple[str, ...]]:
    """Return the data of a table's players that may change without a rating run."""
    names = ("player__public_id", "player__family_name", "player__given_name", "player__shown", "player__country")
    return list(table.entries.order_by("number").values_list(*names))


def player_counts(tables: Iterable[int]) -> dict[int, int]:
    """Return the number of players by table id."""
    seats = Entry.objects.filter(table__in=list(tables)).order_by()
    return dict(seats.values_list("table").annotate(Count("pk")))


def example_ids() -> dict[str, str]:
    """Return example ids: a list, its first player and a table of their last event there; made up if missing."""
    ids = {"list": "fesa", "player": "K7QW2RT", "event": "K7QW2RT", "table": "1"}
    rating_list = public_lists().order_by("pk").first()
    if rating_list is None:
        return ids
    ids["list"] = rating_list.slug
    first = published_standings(rating_list, None).order_by("-rating", "player__public_id").first()
    if first is not None:
        ids["player"] = first.player.public_id
        rated = public_changes(rating_list).filter(
            player=first.player, table__isnull=False, table__event__state=Event.State.ACCEPTED
        )
        if (change := rated.order_by("-day", "-place").first()) and change.table:
            ids |= {"event": change.table.event.public_id, "table": str(change.table_id)}
    return ids
