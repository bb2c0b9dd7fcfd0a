"""Games that earned a grade by its rule, with the rating after each, computed again by the engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from ratings.models import Award, Change, Event, RatedTable
from ratings.queries.events.explanations import explain
from ratings.systems.values import AwardHow

TABLES_BACK = 20


@dataclass(frozen=True)
class CountedGame:
    """A rated game from the player's side; `after` is the rating right after it, which the rule uses."""

    day: dt.date
    event: Event
    round: int | None
    opponent: str
    opponent_rating: float | None
    score: float
    after: float


def counted_games(award: Award) -> list[CountedGame]:
    """Return the games that earned an award, oldest first; from several tables if its rule counts across tables."""
    change = award.list.changes.filter(player=award.player_id, table=award.table_id).first()
    if change is None or award.table_id is None:
        return []
    bound = award.list.rating_system_on(award.day).grading.minimum_run_rating(award.grade, award.how)
    if bound is None:
        return _load_games(award, change)[: award.game]
    run: list[CountedGame] = []
    for table_games in _games_backwards(award, change):
        for game in reversed(table_games):
            if game.after < bound:
                return run[::-1]
            run.append(game)
    return run[::-1]


def _games_backwards(award: Award, change: Change) -> Iterator[list[CountedGame]]:
    """Yield the games of the award's table and of each earlier one, latest first, back to the last promotion.

    A promotion ends all runs of games.
    """
    same = Q(day=award.day, place=award.place)
    earlier = Q(day__lt=award.day) | Q(day=award.day, place__lt=award.place)
    won = award.list.awards.filter(earlier | (same & Q(pk__lt=award.pk)), player=award.player_id)
    last = won.order_by("-day", "-place", "-pk").first()
    tables = award.list.changes.filter(earlier, player=award.player_id, table__isnull=False, games__gt=0)
    before = tables.select_related("player").order_by("-day", "-place")[:TABLES_BACK]
    for step in (change, *before):
        games = _load_games(award, step)[: award.game if step == change else None]
        if last is not None and (last.day, last.place) >= (step.day, step.place):
            if (last.day, last.place) == (step.day, step.place):
                yield games[_count_used_games(last) :]
            return
        yield games


def _count_used_games(won: Award) -> int:
    """Return the number of games of a table that no longer count after a promotion in it.

    A promotion by rating or by a run tests the very same game against the next grade.
    """
    if won.game is None:
        return 0
    again = (
        won.list.rating_system_on(won.day).grading.minimum_run_rating(won.grade, won.how) is not None
        or won.how == AwardHow.UPPER_BOUND
    )
    return won.game - (1 if again and won.how != AwardHow.BOUND_TO_GET_IT else 0)


def _load_games(award: Award, change: Change) -> list[CountedGame]:
    rated = RatedTable.objects.select_related("list", "table__event").get(list=award.list_id, table=change.table_id)
    explanation = explain(rated, change)
    if explanation is None:
        return []
    moments = rated.list.rating_system_on(rated.day).grading.ratings_after_games(explanation.row)
    own = Q(a__player=award.player_id) | Q(b__player=award.player_id)
    rounds = list(rated.table.games.filter(own, played=True).order_by("round").values_list("round", flat=True))
    if len(rounds) != len(moments):  # some games are not rated in this system
        rounds = [0] * len(moments)
    return [
        CountedGame(
            change.day,
            rated.table.event,
            round_ or None,
            explanation.names.get(term["opponent"], ""),
            term.get("opponent_rating"),
            term["score"],
            moment,
        )
        for term, moment, round_ in zip(explanation.row.terms, moments, rounds, strict=False)
    ]
