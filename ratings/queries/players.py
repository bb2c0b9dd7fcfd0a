"""What a player's page tells, in a fixed number of queries however many games he has."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from ratings.formats.parsed import Cell
from ratings.models import Award, Change, Entry, Game, Membership, Player, RatingList, Standing
from ratings.systems.protocol import System

from .awards import with_state
from .lists import public_lists


def with_present_club(players: QuerySet[Player]) -> QuerySet[Player]:
    """Players with their present membership in `present`, a list of none or one."""
    present = Membership.objects.filter(end__isnull=True).select_related("club")
    return players.prefetch_related(Prefetch("memberships", present, to_attr="present"))


def public_standings(player: Player) -> list[Standing]:
    """The player's places on all lists that show him, in the order of the lists."""
    standings = player.standings.filter(published=True, rating__isnull=False, list__in=public_lists())
    return list(standings.select_related("list").order_by("list"))


@dataclass(frozen=True)
class PlayedGame:
    """A game from the player's side, or what he has in a round without one (`opponent` is None)."""

    game: Game
    opponent: Player | None
    points: float
    rating: float | None
    cell: Cell

    @property
    def result(self) -> str:
        return {1.0: "1", 0.5: "½", 0.0: "0"}[self.points]


@dataclass(frozen=True)
class Step:
    """A line of the player's history on a list: a table with its score over the board, what came from outside, or a
    closing day with the tables whose contributions it added.
    """

    change: Change
    points: float
    awards: list[Award]
    period: list[Change]

    @property
    def mark(self) -> dict[str, str] | None:
        """What the graph marks: the grade and whether it was won, lost, or waits for approval."""
        if not self.awards:
            return None
        last = self.awards[-1]
        kind = "demotion" if last.how == "demotion" else "waiting" if last.needs_approval else "promotion"
        return {"grade": last.grade, "kind": kind}


@dataclass(frozen=True)
class Career:
    """Everything of a player on one list, newest first; awards with their state."""

    steps: list[Step]
    games: list[PlayedGame]
    awards: list[Any]

    @property
    def graph(self) -> list[dict[str, Any]]:
        """One point a day and step with a rating, oldest first: date, rating, ±, event, the grade won or lost in it."""
        return [
            {
                "date": step.change.day.isoformat(),
                "rating": step.change.after,
                "change": step.change.change,
                "event": step.change.table.event.name if step.change.table else step.change.note,
                "mark": step.mark,
            }
            for step in reversed(self.steps)
            if step.change.after is not None
        ]


def career(player: Player, rating_list: RatingList) -> Career:
    """The player's history on a list: six queries."""
    changes = list(
        rating_list.changes.filter(player=player)
        .select_related("table__event", "adjustment", "decision")
        .defer("state")
        .order_by("-day", "-place")
    )
    won = with_state(rating_list.awards.filter(player=player))
    awards: list[Any] = list(won.select_related("table__event").order_by("-day", "-place", "-pk"))
    games = _games(player, rating_list)
    points: dict[int, float] = defaultdict(float)
    for played in games:
        if played.game.played:
            points[played.game.table_id] += played.points
    by_step: dict[tuple[dt.date, int], list[Award]] = defaultdict(list)
    for award in reversed(awards):
        by_step[award.day, award.place].append(award)
    steps = [
        Step(change, points[change.table_id] if change.table_id else 0, by_step[change.day, change.place], period)
        for change, period in zip(changes, _periods(changes), strict=True)
    ]
    return Career(steps, games, awards)


def _periods(changes: list[Change]) -> list[list[Change]]:
    """Of each change, newest first, the tables that count for it if it is a closing day."""
    periods: list[list[Change]] = []
    waiting: list[Change] = []
    for change in reversed(changes):
        periods.append(waiting if change.is_closing else [])
        if change.is_closing:
            waiting = []
        elif change.table_id and change.games:
            waiting.append(change)
    return periods[::-1]


def _games(player: Player, rating_list: RatingList) -> list[PlayedGame]:
    """His games on the list, newest first, with what his opponents were rated at the start of the table."""
    entries = Entry.objects.filter(
        player=player, table__event__lists=rating_list.source, table__event__state="accepted"
    ).values("pk")
    games = list(
        Game.objects.filter(Q(a__in=entries) | Q(b__in=entries))
        .select_related("table__event", "a__player", "b__player")
        .order_by("-table__last_day", "-table__first_day", "-table__position", "-table", "-round")
    )
    rated = Change.objects.filter(list=rating_list, table__in={game.table_id for game in games})
    ratings = {
        (table, opponent): before if before is not None else after
        for table, opponent, before, after in rated.values_list("table", "player", "before", "after")
    }
    played = []
    for game in games:
        own_a = game.a.player_id == player.pk
        other = game.b if own_a else game.a
        points = game.score if own_a else 1 - game.score
        gave = bool(game.handicap) and (game.giver == "a") == own_a
        black = None if game.black is None else (game.black == "a") == own_a
        cell = Cell(other.number if other else 0, points, game.handicap, gave, game.stones, black)
        rating = ratings.get((game.table_id, other.player_id)) if other else None
        played.append(PlayedGame(game, other.player if other else None, points, rating, cell))
    return played


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
