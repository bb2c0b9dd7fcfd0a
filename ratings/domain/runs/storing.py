"""Storage of a run's outcome: one short transaction that writes only rows that differ."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping

from django.db.models import F, Max, OuterRef, Q, Subquery, Sum, Window
from django.db.models.functions import RowNumber

from ratings.batches import in_batches
from ratings.displayed_changes import round_change
from ratings.models import Award, Change, RatedTable, RatingList, Standing
from ratings.queries.players.periods import has_closing_days
from ratings.queries.runs.rows import AwardRow, ChangeRow, StandingRow, TableRow
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID

from .copy_rows import insert_rows
from .outcome import Outcome, PlayedGames
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
    insert_rows(RatedTable, TableRow._fields, outcome.tables, len(outcome.tables))
    insert_rows(Change, ChangeRow._fields, outcome.list_changes(), outcome.count_changes())
    insert_rows(Award, AwardRow._fields, outcome.awards, len(outcome.awards))
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
    new = [row for pk, row in lines.items() if pk not in stored or row != stored[pk][1:]]
    insert_rows(Standing, StandingRow._fields, new, len(new))


def standing_rows(rating_list: RatingList, outcome: Outcome) -> list[StandingRow]:
    """Return the standings of the affected players, from their final states and the stored changes."""
    day_of_list = last_day(rating_list)
    system = rating_list.dated_system.on(day_of_list)
    closes = has_closing_days(rating_list)
    games = _read_games(rating_list, outcome.states) if closes or outcome.played is None else outcome.played
    if closes:
        games = _add_closing_days(rating_list, games)
    decimals = rating_list.decimals
    grades = {name: index for index, name in enumerate(system.grading.grades)} if rating_list.has_grades else {}
    new = []
    for pk, state in outcome.states.items():
        if pk not in games:
            continue  # the player has no rows left on the list
        standing = system.rating.standing(state, outcome.players[pk], day_of_list)
        played = games[pk]
        grade, waiting = (standing.grade or "", standing.waiting or "") if grades else ("", "")
        new.append(
            StandingRow(
                rating_list.pk,
                pk,
                standing.rating,
                standing.games if system.rating.counts_games else played.games,
                grade,
                grades.get(grade, -1),
                waiting,
                standing.category,
                standing.published,
                played.day,
                None if played.before is None else round_change(played, decimals),
            )
        )
    return new


def _read_games(rating_list: RatingList, players: Collection[int]) -> dict[int, PlayedGames]:
    """Return the rated games of those of these players who have a row on the list, by primary key."""
    changes = rating_list.changes.order_by()
    if len(players) <= MAX_PLAYERS_BY_ID:
        changes = changes.filter(player__in=players)
    row_number = Window(RowNumber(), partition_by="player", order_by=[F("day").desc(), F("place").desc()])
    total = Window(Sum("games"), partition_by="player")
    last = changes.filter(games__gt=0).annotate(total=total, number=row_number).filter(number=1)
    rows = last.values_list("player", "total", "pk", "day", "before", "after", "change")
    played = {pk: PlayedGames._make(row) for pk, *row in rows}
    without_games = [pk for pk in players if pk not in played]
    if without_games:
        if len(without_games) <= MAX_PLAYERS_BY_ID:
            changes = changes.filter(player__in=without_games)
        played = dict.fromkeys(changes.values_list("player", flat=True).distinct(), PlayedGames()) | played
    return played


def _add_closing_days(rating_list: RatingList, played: Mapping[int, PlayedGames]) -> dict[int, PlayedGames]:
    """Return played games with the change of the closing day that moved the rating for them, where one did."""
    waiting = {games.row: player for player, games in played.items() if games.row is not None and games.may_wait}
    closing = rating_list.changes.filter(
        player=OuterRef("player"), table=None, adjustment=None, decision=None, day__gte=OuterRef("day")
    )
    after = closing.filter(Q(day__gt=OuterRef("day")) | Q(place__gt=OuterRef("place"))).order_by("day", "place")
    moved = dict(played)
    for batch in in_batches(list(waiting)):
        first = Change.objects.filter(pk__in=batch).annotate(closing=Subquery(after.values("pk")[:1]))
        pairs = dict(first.exclude(closing=None).values_list("closing", "pk"))
        rows = Change.objects.filter(pk__in=list(pairs)).values_list("pk", "before", "after", "change")
        for pk, *change in rows:
            player = waiting[pairs[pk]]
            moved[player] = PlayedGames(*moved[player][:3], *change)
    return moved


def last_day(rating_list: RatingList) -> dt.date | None:
    """Return the day of a list's last step, which is the day of its current standings; None without steps."""
    tables = rating_list.rated_tables.aggregate(last=Max("day"))["last"]
    changes = rating_list.changes.aggregate(last=Max("day"))["last"]
    return max((day for day in (tables, changes) if day), default=None)
