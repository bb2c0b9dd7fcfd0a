"""Data of a player's page, in a number of queries that does not depend on the number of games."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from ratings.displayed_changes import round_change
from ratings.models import Approval, Award, ListPlayer, Membership, NameVisibility, Player, RatingList, Standing
from ratings.queries.lists.activity import is_active
from ratings.queries.lists.deviations import deviation_of
from ratings.queries.lists.lists import public_lists, standings_with_last_rating
from ratings.queries.lists.ranks import Ranks, ranks_of
from ratings.queries.runs.states import is_listed
from ratings.systems.protocol import System
from ratings.systems.values import AwardHow

from .breakdowns import performance_over_games
from .careers import Career, Point


def with_current_club(players: QuerySet[Player]) -> QuerySet[Player]:
    """Return players with their current membership in `present`, a list of at most one."""
    present = Membership.objects.filter(end__isnull=True).select_related("club")
    return players.prefetch_related(Prefetch("memberships", present, to_attr="present"))


def players_by_initial(letter: str, rating_list: RatingList | None) -> QuerySet[Player]:
    """Return the players shown by full name whose folded family name begins with a letter, by name.

    They have a published rating on `rating_list`, or on any public list if it is None.
    """
    rated = Standing.objects.filter(player=OuterRef("pk"), published=True, rating__isnull=False)
    lists = public_lists().filter(comparison_to=None).values("pk")
    on_list = rated.filter(list__in=lists) if rating_list is None else rated.filter(list=rating_list)
    named = Player.objects.filter(shown=NameVisibility.FULL, search_name__startswith=letter.lower())
    return named.filter(Exists(on_list)).order_by("search_name", "public_id")


def public_standings(player: Player) -> list[Any]:
    """Return the player's standings on all public lists that show or once showed the player, in the order of the lists.

    Each standing has `prior_grade`, the grade held before the list's first rated table, and its `prior_evidence`; both
    are empty if there is none.
    """
    standings = player.standings.filter(list__in=public_lists())
    details = ListPlayer.objects.filter(list=OuterRef("list"), player=OuterRef("player"))
    prior = {field: Coalesce(Subquery(details.values(field)), Value("")) for field in ("prior_grade", "prior_evidence")}
    return standings_with_last_rating(standings.annotate(**prior).select_related("list").order_by("list"))


@dataclass(frozen=True)
class Facts:
    """The rating, grade and games of a player on a list, now or at the end of a day.

    For a player who is not `listed`, they are the last ones with which the player was listed. `category` is named as in
    the list's system.
    """

    rating: float | None
    grade: str
    games: int
    category: str
    last_played: dt.date | None
    listed: bool
    deviation: float | None = None
    """Deviation of the rating on the day, in rating points; None on lists without deviations."""


def has_withdrawn_rating(player: Player) -> bool:
    """Return True if a federation has withdrawn the player's rating from a public list."""
    return ListPlayer.objects.filter(player=player, withdrawn=True, list__in=public_lists()).exists()


def facts_of(career: Career, standing: Standing) -> Facts | None:
    """Return the player's facts at the end of a career; None if the player was not on the list yet."""
    today = timezone.now().date()
    if career.on is None and standing.published:
        deviation = deviation_of(career.player, career.rating_list, today, is_present=True)
        last_played = standing.last_played
        return Facts(standing.rating, standing.grade, standing.games, standing.category, last_played, True, deviation)
    if not career.listed:
        return None
    last = career.listed[-1]
    played = max((point.day for point in career.steps if point.table and point.games), default=None)
    listed = career.on is not None and is_listed(career.player, career.rating_list, career.on)
    counts = career.rating_list.rating_system.rating.counts_games
    games = last.games_after or 0 if counts else sum(point.games for point in career.steps)
    deviation = deviation_of(career.player, career.rating_list, career.on or today) if listed else last.deviation
    return Facts(last.after, last.grade, games, last.category, played, listed, deviation)


def count_games_before_events(career: Career, facts: Facts) -> int:
    """Return the number of rated games that a player brought to the list, as by an import; 0 if rules count none."""
    if not career.rating_list.rating_system.rating.counts_games:
        return 0
    return max(0, facts.games - sum(point.games for point in career.steps if point.table))


def rank_of(standing: Standing, today: dt.date) -> int | None:
    """Return the rank among the active players of the list; None for an inactive player. Equal ratings share a rank."""
    ranked = rank_among_active(standing, today)
    return ranked and ranked.rank


class RankAmong(NamedTuple):
    """A rank, and the number of players who are ranked.

    `interval` holds the ranks with a rating one deviation higher and one lower; None for a rating without a deviation.
    """

    rank: int
    players: int
    interval: tuple[int, int] | None = None


def rank_among(ranks: Ranks, rating: float, deviation: float | None = None) -> RankAmong:
    """Return the rank of a player whose present rating is among `ranks`."""
    interval = None if deviation is None else ranks.rank_interval(rating, deviation)
    return RankAmong(ranks.rank(rating), len(ranks), interval)


def rank_among_active(standing: Standing, today: dt.date, deviation: float | None = None) -> RankAmong | None:
    """Return the rank among the active players of the list, and their number; None for an inactive player.

    `deviation` is that of the player's rating, in rating points.
    """
    if not standing.published or not is_active(standing, today):
        return None
    return rank_among(ranks_of(standing.list, today), standing.rating or 0, deviation)


@dataclass(frozen=True)
class Step:
    """A row of a player's history on a list: a table, an adjustment, a decision, or a closing day.

    `points` and `played` are the score over the board and its number of games. `period` holds the tables whose
    contributions a closing day added.
    """

    point: Point
    points: float
    played: int
    performance: float | None
    awards: list[Award]
    """In the order in which they were won."""
    period: list[Point]


def steps_of(career: Career, start: int, stop: int) -> list[Step]:
    """Return the steps from `start` until before `stop`, counted from the newest.

    Runs no queries besides those of the career.
    """
    page, scores = career.steps[::-1][start:stop], career.points
    system = career.rating_list.rating_system
    has_performance = system.presentation.defines_performance
    games = {} if has_performance else career.games_by_table  # reading all games takes longer than the rest
    won: dict[tuple[dt.date, int], list[Award]] = defaultdict(list)
    for award in career.awards:
        won[award.day, award.place].insert(0, award)
    return [
        Step(
            point,
            *scores.get(point.table or 0, (0.0, 0)),
            point.performance
            if has_performance
            else performance_over_games(games[point.table], system)
            if point.games
            else None,
            won[point.day, point.place],
            career.closed_by(point) if point.is_closing else [],
        )
        for point in page
    ]


def graph_of(career: Career) -> list[dict[str, Any]]:
    """Return the points of a rating graph, one for each step with a rating, oldest first.

    Each has the date, rating, deviation, change, the event's name or else the reason of the change (not `played`), the
    table's primary key, whether games were `rated`, whether it is a `closing` day, the grade won or lost unless it
    was declined, and a `gap` if the player had no public rating just before. None is `idle`, as a period without games
    is.
    """
    last: dict[tuple[dt.date, int], Any] = {}
    marked = (award for award in career.awards if award.case != Approval.State.DECLINED)
    for award in marked if career.rating_list.has_grades else ():
        last.setdefault((award.day, award.place), award)
    decimals = career.rating_list.decimals
    unrated_since = {after: before.after is None for before, after in pairwise(career.steps)}
    return [
        {
            "date": point.day.isoformat(),
            "rating": point.after,
            "change": round_change(point, decimals),
            "deviation": point.deviation,
            "event": point.what,
            "played": point.event_id is not None,
            "table": point.table,
            "rated": point.games > 0,
            "closing": point.is_closing,
            "gap": unrated_since.get(point, False),
            "idle": False,
            "mark": _describe_mark(last.get((point.day, point.place))),
        }
        for point in career.rated
    ]


def _describe_mark(award: Any) -> dict[str, str] | None:
    """Return the grade to mark in the graph, and whether it was won, lost, or waits for approval."""
    if award is None:
        return None
    kind = AwardHow.DEMOTION if award.how == AwardHow.DEMOTION else "waiting" if award.needs_approval else "promotion"
    return {"grade": award.grade, "kind": kind}


def bands_in_graph(system: System[Any], ratings: list[float]) -> list[dict[str, Any]]:
    """Return the grade bands in a graph of these ratings, lowest first: name of the grade, and first rating."""
    if not ratings:
        return []
    low, high = min(ratings), max(ratings)
    starts = list(system.grading.bands)
    return [
        {"grade": name, "from": start}
        for i, (name, start) in enumerate(starts)
        if start <= high and (i + 1 == len(starts) or starts[i + 1][1] > low)
    ]
