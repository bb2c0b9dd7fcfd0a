"""What the public may read of lists, players and events, as rows in a stable order."""

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

from .awards import with_state
from .crosstables import shown
from .keyset import Position, Slice, slice_of
from .lists import promotions, public_lists, published_standings
from .search import meant_by
from .states import LAST_PLAYED, is_absent, listed_on


def public_changes(rating_list: RatingList) -> QuerySet[Change]:
    """Every change of a rating that the public may see."""
    changes = rating_list.changes.filter(shown()).defer("state", "note")
    return changes.select_related("player", "table__event")


def past_ratings(rating_list: RatingList, day: dt.date) -> QuerySet[Standing]:
    """Everybody who was published on a list at the end of a day: the line of today, with `last`, the id of his last
    change until then. So a page of players costs the same on a list of any size.
    """
    until = rating_list.changes.filter(player=OuterRef("player"), day__lte=day).order_by("-day", "-place")
    lines = rating_list.standings.annotate(last=Subquery(until.values("pk")[:1])).order_by()
    published = listed_on(Change.objects.filter(shown(), pk=OuterRef("last")), rating_list, day)
    found: QuerySet[Standing] = lines.filter(Exists(published)).select_related("player")
    return found


def changes_by_id(ids: Iterable[int]) -> dict[int, Change]:
    return Change.objects.defer("state", "note").in_bulk(list(ids))


def last_changes(player: Player, lists: Iterable[RatingList], day: dt.date) -> list[Change]:
    """A player's last change until a day on each of some lists, where it was published then."""
    found = []
    for rating_list in lists:
        until = rating_list.changes.filter(player=player, day__lte=day).defer("state").order_by("-day", "-place")
        last: Any = until.annotate(last_played=LAST_PLAYED).first()
        if last is None or not last.published or last.hidden or last.after is None:
            continue
        if not is_absent(last.last_played, rating_list.rating_system.absent_since(day)):
            last.list = rating_list
            found.append(last)
    return found


def finished_runs(rating_list: RatingList) -> QuerySet[Run]:
    """Runs that stored something."""
    return rating_list.runs.filter(state=Run.State.FINISHED, preview=False, ended_at__isnull=False)


def public_corrections(rating_list: RatingList) -> QuerySet[Correction]:
    return Correction.objects.filter(run__list=rating_list, hidden=False).select_related("player", "run")


def public_promotions(rating_list: RatingList) -> QuerySet[Award]:
    return with_state(promotions(rating_list)).order_by()


def public_players(named: str) -> QuerySet[Player]:
    """Everybody who is not merged into another; by any parts of the names of those shown in full, or by the id."""
    players = Player.objects.filter(merged_into=None)
    return players.filter(meant_by(named)) if named.strip() else players


def accepted_events() -> QuerySet[Event]:
    events = Event.objects.filter(state=Event.State.ACCEPTED)
    return events.prefetch_related(Prefetch("lists", RatingList.objects.filter(public=True).order_by("pk")))


NEWEST_GAMES = ("-table__last_day", "-table_id", "-round", "-pk")


def games_of(
    player: Player, rating_list: RatingList | None, size: int, position: Position | None = None, *, backwards: bool
) -> Slice[Game]:
    """Some games of a player's accepted events, perhaps of those rated on one list, newest first."""
    seats = Entry.objects.filter(player=player, table__event__state=Event.State.ACCEPTED)
    if rating_list is not None:
        seats = seats.filter(table__event__in=rating_list.source.events.values("pk"))
    order = ("table__last_day", "table") if backwards else ("-table__last_day", "-table")
    several = list(seats.order_by(*order).values_list("table__last_day", "table", "pk"))
    if position is not None:
        reaches = operator.ge if backwards else operator.le
        several = [seat for seat in several if reaches(seat[:2], (dt.date.fromisoformat(position[0]), position[1]))]
    # nearly every seat has games, so that the nearest seats hold all that are wanted; if they do not, all are read
    found = _games_at(several[: size + 1], size, position, backwards=backwards)
    is_full = (found.before if backwards else found.after) is not None
    return found if is_full or len(several) <= size + 1 else _games_at(several, size, position, backwards=backwards)


def _games_at(
    seats: Sequence[tuple[dt.date, int, int]], size: int, position: Position | None, *, backwards: bool
) -> Slice[Game]:
    """Games by entry and table, both named one by one: else a database may go through everybody's games."""
    own = {entry: table for _day, table, entry in seats}
    games = Game.objects.filter(Q(a__in=list(own)) | Q(b__in=list(own)), table__in=list(own.values()))
    rows = games.select_related("table").prefetch_related("table__event", "a__player", "b__player")
    return slice_of(rows, NEWEST_GAMES, size, position, backwards=backwards)


def ratings_before(rating_list: RatingList, games: Iterable[Game]) -> dict[tuple[int, int], float | None]:
    """What the players of some games were rated before, by table and player."""
    several = list(games)
    people = {entry.player_id for game in several for entry in (game.a, game.b) if entry is not None}
    rated = rating_list.changes.filter(shown(), table__in={game.table_id for game in several}, player__in=people)
    return {(table or 0, player): before for table, player, before in rated.values_list("table", "player", "before")}


def names_at(table: Table) -> list[tuple[str, ...]]:
    """What may change of who sits at a table without any run."""
    names = ("player__public_id", "player__family_name", "player__given_name", "player__shown", "player__country")
    return list(table.entries.order_by("number").values_list(*names))


def players_at(tables: Iterable[int]) -> dict[int, int]:
    """How many players sit at each table."""
    seats = Entry.objects.filter(table__in=list(tables)).order_by()
    return dict(seats.values_list("table").annotate(Count("pk")))


def known_to_all() -> dict[str, str]:
    """A list, its first player and a table of his last event there, for examples; made-up ids where there are none."""
    found = {"list": "fesa", "player": "K7QW2RT", "event": "K7QW2RT", "table": "1"}
    rating_list = public_lists().order_by("pk").first()
    if rating_list is None:
        return found
    found["list"] = rating_list.slug
    first = published_standings(rating_list, None).order_by("-rating", "player__public_id").first()
    if first is not None:
        found["player"] = first.player.public_id
        rated = public_changes(rating_list).filter(
            player=first.player, table__isnull=False, table__event__state=Event.State.ACCEPTED
        )
        if (change := rated.order_by("-day", "-place").first()) and change.table:
            found |= {"event": change.table.event.public_id, "table": str(change.table_id)}
    return found
