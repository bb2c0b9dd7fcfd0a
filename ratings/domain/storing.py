"""Writing what a run found: in one short transaction, only rows that differ."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

from django.db import connection, models
from django.db.models import Max, OuterRef, Subquery, Sum

from ratings.models import Award, Change, RatedTable, RatingList, Standing

from .outcome import Outcome

BATCH = 500
COPY_FROM = 1000  # rows for which COPY is worth it
PLAIN = (models.ForeignKey, models.DateField, models.FloatField, models.IntegerField, models.BooleanField)


def store(rating_list: RatingList, outcome: Outcome) -> None:
    """Take away and write what the outcome says, and bring the standings of everybody concerned up to date."""
    for model, gone in (
        (Award, outcome.gone_awards), (Change, outcome.gone_changes), (RatedTable, outcome.gone_tables)
    ):  # fmt: skip
        for some in in_batches(gone):
            model.objects.filter(pk__in=some).delete()
    for rows in (outcome.tables, outcome.changes, outcome.awards):
        insert(rows)
    refresh_standings(rating_list, outcome)


def in_batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))


def insert(rows: Sequence[models.Model]) -> None:
    """Many rows of one model: by COPY on PostgreSQL, else in batches."""
    if not rows:
        return
    model = type(rows[0])
    if connection.vendor != "postgresql" or len(rows) < COPY_FROM:
        model._default_manager.bulk_create(rows, BATCH)
        return
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = attrgetter(*(field.attname for field in fields))
    # only what is no plain value has to be prepared for the database
    prepared = [(i, f) for i, f in enumerate(fields) if not (isinstance(f, PLAIN) or type(f) is models.CharField)]
    with connection.cursor() as cursor, cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN') as copy:
        for row in rows:
            written = list(values(row))
            for i, field in prepared:
                written[i] = field.get_db_prep_save(written[i], connection)
            copy.write_row(written)


def refresh_standings(rating_list: RatingList, outcome: Outcome) -> None:
    """The lines of the current list of everybody concerned."""
    lines = dict(rating_list.standings.values_list("player", "pk"))
    for some in in_batches([lines[pk] for pk in outcome.states if pk in lines]):
        Standing.objects.filter(pk__in=some).delete()
    insert(standing_rows(rating_list, outcome))


def standing_rows(rating_list: RatingList, outcome: Outcome) -> list[Standing]:
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
        new.append(
            Standing(
                list=rating_list,
                player_id=pk,
                rating=standing.rating,
                games=standing.games if system.counts_games else total,
                grade=(grades and standing.grade) or "",
                grade_index=grades.get(standing.grade or "", -1),
                waiting=(grades and standing.waiting) or "",
                category=standing.category,
                published=standing.published,
                last_played=day,
                last_change=change,
            )
        )
    return new


Played = tuple[int, dt.date | None, float | None]
"""Rated games, the last day with any, and the change then."""


def _games(rating_list: RatingList, players: Collection[int]) -> dict[int, Played]:
    """Of everybody who has any row on the list, among these."""
    found: dict[int, Played] = {}
    for some in in_batches(list(players)):
        changes = rating_list.changes.filter(player__in=some)
        found |= dict.fromkeys(changes.order_by().values_list("player", flat=True).distinct(), (0, None, None))
        played = changes.filter(games__gt=0)
        of_player = played.filter(player=OuterRef("player")).order_by("-day", "-place")
        totals = played.values("player").annotate(
            total=Sum("games"), last=Max("day"), change_then=Subquery(of_player.values("change")[:1])
        )
        found |= {row["player"]: (row["total"], row["last"], row["change_then"]) for row in totals}
    return found


def last_day(rating_list: RatingList) -> dt.date | None:
    """The day of a list's last step, on which its current list stands."""
    tables = rating_list.rated_tables.aggregate(last=Max("day"))["last"]
    changes = rating_list.changes.aggregate(last=Max("day"))["last"]
    return max((day for day in (tables, changes) if day), default=None)
