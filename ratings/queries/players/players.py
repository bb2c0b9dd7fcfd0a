"""What a player's page tells, in a fixed number of queries however many games he has."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from ratings.models import Award, ListPlayer, Membership, Player, Standing
from ratings.systems.protocol import System

from .awards import with_state
from .careers import Career, Point
from .kept import kept
from .lists import public_lists, told_standings
from .ranks import rank_of as list_rank
from .states import is_listed
from .tallies import performed


def with_present_club(players: QuerySet[Player]) -> QuerySet[Player]:
    """Players with their present membership in `present`, a list of none or one."""
    present = Membership.objects.filter(end__isnull=True).select_related("club")
    return players.prefetch_related(Prefetch("memberships", present, to_attr="present"))


def public_standings(player: Player) -> list[Any]:
    """The player's places on all lists that show him or once did, in the order of the lists, each with the grade that
    he held before (`prior_grade`, and its `prior_evidence`; empty where there is none).
    """
    standings = player.standings.filter(list__in=public_lists())
    known = ListPlayer.objects.filter(list=OuterRef("list"), player=OuterRef("player"))
    prior = {
        f"prior_{what}": Coalesce(Subquery(known.values(f"prior_{what}")), Value("")) for what in ("grade", "evidence")
    }
    return told_standings(standings.annotate(**prior).select_related("list").order_by("list"))


@dataclass(frozen=True)
class Facts:
    """Where a player stands on a list, now or at the end of a day, or, where he is not `listed`, where he stood last;
    `category` as the list's system names it.
    """

    rating: float | None
    grade: str
    games: int
    category: str
    last_played: dt.date | None
    listed: bool


def facts_of(career: Career, standing: Standing) -> Facts | None:
    """None where he did not stand on the list yet."""
    if career.on is None and standing.published:
        return Facts(standing.rating, standing.grade, standing.games, standing.category, standing.last_played, True)
    if not career.listed:
        return None
    last = career.listed[-1]
    played = max((point.day for point in career.line if point.table and point.games), default=None)
    listed = career.on is not None and is_listed(career.player, career.rating_list, career.on)
    counts = career.rating_list.rating_system.counts_games
    games = last.games_after or 0 if counts else sum(point.games for point in career.line)
    return Facts(last.after, last.grade, games, last.category, played, listed)


def rank_of(standing: Standing, today: dt.date) -> int | None:
    """Among the active players of the list; equals share a rank. None who is not active himself."""
    since = standing.list.active_since(today)
    if not standing.published or standing.last_played is None or standing.last_played < since:
        return None
    return list_rank(standing.list, standing.rating or 0, today)


@dataclass(frozen=True)
class Step:
    """A line of the player's history on a list: a table with its score over the board, what came from outside, or a
    closing day with the tables whose contributions it added.
    """

    point: Point
    points: float
    played: int
    performance: float | None
    awards: list[Award]
    """First won first."""
    period: list[Point]


def steps_of(career: Career, awards: Iterable[Award], start: int, stop: int) -> list[Step]:
    """So many steps, counted from the newest; `awards` are those of `awards_of`. No query of its own."""
    several, points = career.line[::-1][start:stop], career.points
    system = career.rating_list.rating_system
    reckons = system.reckons_performance
    games = {} if reckons else career.games_by_table  # to read all games takes longer than the rest
    won: dict[tuple[dt.date, int], list[Award]] = defaultdict(list)
    for award in awards:
        won[award.day, award.place].insert(0, award)
    return [
        Step(
            point,
            *points.get(point.table or 0, (0.0, 0)),
            point.performance if reckons else performed(games[point.table], system) if point.games else None,
            won[point.day, point.place],
            career.closed_by(point) if point.closing else [],
        )
        for point in several
    ]


def awards_of(career: Career) -> list[Any]:
    """All grades won, with their state, newest first."""
    won = with_state(career.rating_list.awards.filter(player=career.player))
    won = won.select_related("table__event").order_by("-day", "-place", "-pk")
    awards: list[Any] = kept(career.rating_list, f"awards:{career.player.pk}", lambda: list(won))
    return awards if career.on is None else [award for award in awards if award.day <= career.on]


def graph_of(career: Career) -> list[dict[str, Any]]:
    """One point a step with a rating, oldest first: date, rating, ±, the event's name or what else moved it (not
    `played`), the grade won or lost in it.
    """
    if career.on is not None:
        return _graph(career)
    return kept(career.rating_list, f"graph:{career.player.pk}", lambda: _graph(career))


def _graph(career: Career) -> list[dict[str, Any]]:
    awards = awards_of(career) if career.rating_list.graded else []
    last: dict[tuple[dt.date, int], Any] = {}
    for award in awards:
        last.setdefault((award.day, award.place), award)
    return [
        {
            "date": point.day.isoformat(),
            "rating": point.after,
            "change": point.change,
            "event": point.what,
            "played": point.event_id is not None,
            "mark": _mark(last.get((point.day, point.place))),
        }
        for point in career.rated
    ]


def _mark(award: Any) -> dict[str, str] | None:
    """What the graph marks: the grade and whether it was won, lost, or waits for approval."""
    if award is None:
        return None
    kind = "demotion" if award.how == "demotion" else "waiting" if award.needs_approval else "promotion"
    return {"grade": award.grade, "kind": kind}


def bands_within(system: System[Any], ratings: list[float]) -> list[dict[str, Any]]:
    """The grade bands that a graph of these ratings shows, lowest first: name, from."""
    if not ratings:
        return []
    low, high = min(ratings), max(ratings)
    starts = list(system.bands)
    return [
        {"grade": name, "from": start}
        for i, (name, start) in enumerate(starts)
        if start <= high and (i + 1 == len(starts) or starts[i + 1][1] > low)
    ]
