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
    games = _games(award, change)[: award.game]
    bound = award.list.rating_system.counted_from(award.grade, award.how)
    if bound is None:
        return games
    run: list[CountedGame] = []
    for step in (games, *_before(award, change)):
        for game in reversed(step):
            if game.after < bound:
                return run[::-1]
            run.append(game)
    return run[::-1]


def _before(award: Award, change: Change) -> Iterator[list[CountedGame]]:
    """The player's tables before, the latest first, as far back as nothing was won: a promotion clears all runs."""
    earlier = Q(day__lt=change.day) | Q(day=change.day, place__lt=change.place)
    won = award.list.awards.filter(earlier, player=award.player_id).order_by("-day", "-place").first()
    tables = award.list.changes.filter(earlier, player=award.player_id, table__isnull=False, games__gt=0)
    for one in tables.select_related("player").order_by("-day", "-place")[:TABLES_BACK]:
        games = _games(award, one)
        if won is not None and (won.day, won.place) == (one.day, one.place):
            yield games[won.game or len(games) :]
            return
        if won is not None and (one.day, one.place) < (won.day, won.place):
            return
        yield games


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
