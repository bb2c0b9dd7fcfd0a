"""Storage of a run's outcome: one short transaction that writes only rows that differ."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db.models import Case, F, Max, Sum, When, Window
from django.db.models.functions import RowNumber

from ratings.batches import in_batches
from ratings.models import Award, Change, RatedTable, RatingList, Standing
from ratings.queries.runs.rows import StandingRow
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID

from .copy_rows import insert_rows
from .outcome import Outcome
from .table_facts import delete_outdated_facts


def store(rating_list: RatingList, outcome: Outcome) -> None:
    """Delete and insert the rows of an outcome, and update the standings of the affected players."""
    delete_outdated_facts(rating_list, outcome)
    for model, gone in (
        (Award, outcome.removed_awards),
        (Change, outcome.removed_changes),
        (RatedTable, outcome.removed_tables),
    ):
        for batch in in_batches(gone):
            model.objects.filter(pk__in=batch).delete()
    insert_rows(RatedTable, outcome.tables)
    insert_rows(Change, outcome.changes)
    insert_rows(Award, outcome.awards)
    refresh_standings(rating_list, outcome)


def refresh_standings(rating_list: RatingList, outcome: Outcome) -> None:
    """Replace the standings of the affected players where they differ from the stored ones."""
    rows = rating_list.standings.order_by()
    if len(outcome.states) <= MAX_PLAYERS_BY_ID:
        rows = rows.filter(player__in=list(outcome.states))
    fields = ("pk", *StandingRow._fields)
    stored = {row[2]: row for row in rows.values_list(*fields) if row[2] in outcome.states}
    lines = {row.player_id: row for row in standing_rows(rating_list, outcome)}
    gone = [pk for pk, *row in stored.values() if lines.get(row[1]) != tuple(row)]
    for batch in in_batches(gone):
        Standing.objects.filter(pk__in=batch).delete()
    insert_rows(Standing, [row for pk, row in lines.items() if pk not in stored or row != stored[pk][1:]])


def standing_rows(rating_list: RatingList, outcome: Outcome) -> list[StandingRow]:
    """Return the standings of the affected players, from their final states and the stored changes."""
    day_of_list = last_day(rating_list)
    system = rating_list.dated_system.on(day_of_list)
    games = _games(rating_list, outcome.states)
    grades = {name: index for index, name in enumerate(system.grading.grades)} if rating_list.has_grades else {}
    new = []
    for pk, state in outcome.states.items():
        if pk not in games:
            continue  # the player has no rows left on the list
        standing = system.rating.standing(state, outcome.players[pk], day_of_list)
        total, day, change = games[pk]
        grade, waiting = (standing.grade or "", standing.waiting or "") if grades else ("", "")
        new.append(
            StandingRow(
                rating_list.pk,
                pk,
                standing.rating,
                standing.games if system.rating.counts_games else total,
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


PlayedGames = tuple[int, dt.date | None, float | None]
"""Rated games, the last day with any, and the rating change then, which is None without an earlier rating."""


def _games(rating_list: RatingList, players: Collection[int]) -> dict[int, PlayedGames]:
    """Return the rated games of those of these players who have a row on the list, by primary key."""
    changes = rating_list.changes.order_by()
    if len(players) <= MAX_PLAYERS_BY_ID:
        changes = changes.filter(player__in=players)
    played: dict[int, PlayedGames] = dict.fromkeys(changes.values_list("player", flat=True).distinct(), (0, None, None))
    row_number = Window(RowNumber(), partition_by="player", order_by=[F("day").desc(), F("place").desc()])
    total = Window(Sum("games"), partition_by="player")
    last = changes.filter(games__gt=0).annotate(total=total, number=row_number).filter(number=1)
    known_change = Case(When(before__isnull=False, then="change"))
    played |= {pk: tuple(row) for pk, *row in last.values_list("player", "total", "day", known_change)}
    return played


def last_day(rating_list: RatingList) -> dt.date | None:
    """Return the day of a list's last step, which is the day of its current standings; None without steps."""
    tables = rating_list.rated_tables.aggregate(last=Max("day"))["last"]
    changes = rating_list.changes.aggregate(last=Max("day"))["last"]
    return max((day for day in (tables, changes) if day), default=None)
