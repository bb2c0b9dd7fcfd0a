"""What earned a grade: the games that its rule counted, with the rating after each, made again by the engine."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from ratings.models import Award, Change, Event, RatedTable

from .explanations import explain

TABLES_BACK = 20


@dataclass(frozen=True)
class CountedGame:
    """A rated game from the player's side; `after` is the rating of the moment, by which the rule judges."""

    day: dt.date
    event: Event
    round: int | None
    opponent: str
    opponent_rating: float | None
    score: float
    after: float


def evidence(award: Award) -> list[CountedGame]:
    """The run of games that an award rests on, oldest first; across tables where its rule counts so."""
    change = award.list.changes.filter(player=award.player_id, table=award.table_id).first()
    if change is None or award.table_id is None:
        return []
    bound = award.list.rating_system.counted_from(award.grade, award.how)
    if bound is None:
        return _games(award, change)[: award.game]
    run: list[CountedGame] = []
    for step in _backwards(award, change):
        for game in reversed(step):
            if game.after < bound:
                return run[::-1]
            run.append(game)
    return run[::-1]


def _backwards(award: Award, change: Change) -> Iterator[list[CountedGame]]:
    """The games of its table and of those before, the latest first, back to the last promotion: it clears all runs."""
    same = Q(day=award.day, place=award.place)
    earlier = Q(day__lt=award.day) | Q(day=award.day, place__lt=award.place)
    won = award.list.awards.filter(earlier | (same & Q(pk__lt=award.pk)), player=award.player_id)
    last = won.order_by("-day", "-place", "-pk").first()
    tables = award.list.changes.filter(earlier, player=award.player_id, table__isnull=False, games__gt=0)
    before = tables.select_related("player").order_by("-day", "-place")[:TABLES_BACK]
    for one in (change, *before):
        games = _games(award, one)[: award.game if one == change else None]
        if last is not None and (last.day, last.place) >= (one.day, one.place):
            if (last.day, last.place) == (one.day, one.place):
                yield games[_first_after(last) :]
            return
        yield games


def _first_after(won: Award) -> int:
    """How many games of a table come before those that count after a promotion in it.

    A promotion by rating or by a run tests the very same game against the next grade.
    """
    if won.game is None:
        return 0
    again = won.list.rating_system.counted_from(won.grade, won.how) is not None or won.how == "upper bound"
    return won.game - (1 if again and won.how != "bound to get it" else 0)


def _games(award: Award, change: Change) -> list[CountedGame]:
    rated = RatedTable.objects.select_related("list", "table__event").get(list=award.list_id, table=change.table_id)
    made = explain(rated, change)
    if made is None:
        return []
    moments = rated.list.rating_system.moments(made.row)
    own = Q(a__player=award.player_id) | Q(b__player=award.player_id)
    rounds = list(rated.table.games.filter(own, played=True).order_by("round").values_list("round", flat=True))
    if len(rounds) != len(moments):  # some of them are not rated in this system
        rounds = [0] * len(moments)
    return [
        CountedGame(
            change.day,
            rated.table.event,
            round_ or None,
            made.names.get(term["opponent"], ""),
            term.get("opponent_rating"),
            term["score"],
            moment,
        )
        for term, moment, round_ in zip(made.row.terms, moments, rounds, strict=False)
    ]
