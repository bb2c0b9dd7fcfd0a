"""Writing what a run found: in one short transaction, only rows that differ."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db.models import Case, F, Max, Sum, When, Window
from django.db.models.functions import RowNumber

from ratings.models import Award, Change, RatedTable, RatingList, Standing
from ratings.queries.rows import StandingRow
from ratings.queries.values import MANY

from .bulk import in_batches, insert_rows
from .outcome import Outcome


def store(rating_list: RatingList, outcome: Outcome) -> None:
    """Take away and write what the outcome says, and bring the standings of everybody concerned up to date."""
    for model, gone in (
        (Award, outcome.gone_awards), (Change, outcome.gone_changes), (RatedTable, outcome.gone_tables)
    ):  # fmt: skip
        for some in in_batches(gone):
            model.objects.filter(pk__in=some).delete()
    insert_rows(RatedTable, outcome.tables)
    insert_rows(Change, outcome.changes)
    insert_rows(Award, outcome.awards)
    refresh_standings(rating_list, outcome)


def refresh_standings(rating_list: RatingList, outcome: Outcome) -> None:
    """The lines of the current list of everybody concerned, where they differ from the stored ones."""
    several = rating_list.standings.order_by()
    if len(outcome.states) <= MANY:
        several = several.filter(player__in=list(outcome.states))
    fields = ("pk", *StandingRow._fields)
    stored = {row[2]: row for row in several.values_list(*fields) if row[2] in outcome.states}
    lines = {row.player_id: row for row in standing_rows(rating_list, outcome)}
    gone = [pk for pk, *row in stored.values() if lines.get(row[1]) != tuple(row)]
    for some in in_batches(gone):
        Standing.objects.filter(pk__in=some).delete()
    insert_rows(Standing, [row for pk, row in lines.items() if pk not in stored or row != stored[pk][1:]])


def standing_rows(rating_list: RatingList, outcome: Outcome) -> list[StandingRow]:
    """The lines as they should be, by the states at the end and the stored changes."""
    system = rating_list.rating_system
    today = last_day(rating_list)
    games = _games(rating_list, outcome.states)
    grades = {name: index for index, name in enumerate(system.grades)} if rating_list.graded else {}
    new = []
    for pk, state in outcome.states.items():
        if pk not in games:
            continue  # nothing of him is left
        standing = system.standing(state, outcome.players[pk], today)
        total, day, change = games[pk]
        grade, waiting = (standing.grade or "", standing.waiting or "") if grades else ("", "")
        new.append(
            StandingRow(
                rating_list.pk,
                pk,
                standing.rating,
                standing.games if system.counts_games else total,
                grade,
                grades.get(grade, -1),
                waiting,
                standing.category,
                standing.published,
                day,
                change,
            )
        )
    return new


Played = tuple[int, dt.date | None, float | None]
"""Rated games, the last day with any, and the change then; None of who had no rating before."""


def _games(rating_list: RatingList, players: Collection[int]) -> dict[int, Played]:
    """Of everybody among these who has any row on the list."""
    changes = rating_list.changes.order_by()
    if len(players) <= MANY:
        changes = changes.filter(player__in=players)
    found: dict[int, Played] = dict.fromkeys(changes.values_list("player", flat=True).distinct(), (0, None, None))
    of_player = Window(RowNumber(), partition_by="player", order_by=[F("day").desc(), F("place").desc()])
    total = Window(Sum("games"), partition_by="player")
    last = changes.filter(games__gt=0).annotate(total=total, number=of_player).filter(number=1)
    known = Case(When(before__isnull=False, then="change"))
    found |= {pk: tuple(row) for pk, *row in last.values_list("player", "total", "day", known)}
    return found


def last_day(rating_list: RatingList) -> dt.date | None:
    """The day of a list's last step, on which its current list stands."""
    tables = rating_list.rated_tables.aggregate(last=Max("day"))["last"]
    changes = rating_list.changes.aggregate(last=Max("day"))["last"]
    return max((day for day in (tables, changes) if day), default=None)
