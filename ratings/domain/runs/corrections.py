"""Summary of what a run changed, and corrections of the ratings of players who had not played."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from ratings.models import Correction, RatingList, Run
from ratings.queries.runs.correction_paths import path_to_json
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID

from .outcome import Outcome

BIGGEST = 10
EDGES = (-200, -100, -50, -20, -5, 0, 5, 20, 50, 100, 200)  # of the histogram, in rating points
BATCH = 500


class Line(NamedTuple):
    """A player's line on the list: rating, grade, and whether it is published."""

    rating: float | None = None
    grade: str = ""
    published: bool = False


Lines = Mapping[int, Line]
"""Lines by the player's primary key."""
NO_LINE = Line()


def load_standings(rating_list: RatingList, outcome: Outcome) -> Lines:
    """Return the current lines of the players affected by a run, or of all players if these are many."""
    lines = rating_list.standings.order_by()
    if len(outcome.states) <= MAX_PLAYERS_BY_ID:
        lines = lines.filter(player__in=list(outcome.states))
    return {pk: Line(*line) for pk, *line in lines.values_list("player", *Line._fields)}


def save_corrections(run: Run, outcome: Outcome, before: Lines, after: Lines) -> None:
    """Summarise a run on its record, and save a correction for each player whose rating changed without playing.

    Players without an earlier rating have nothing to correct.
    """
    summarise(run, before, after, {pk: player.id for pk, player in outcome.players.items()})
    run.save(update_fields=["players_changed", "biggest", "histogram", "grades"])
    if not run.list.public:
        return  # visitors have not seen the corrected ratings
    corrected = [
        Correction(
            run=run,
            player_id=pk,
            before=line.rating,
            after=after.get(pk, NO_LINE).rating,
            hidden=pk in after and not after[pk].published,
            path=_path_of(pk, outcome),
        )
        for pk, line in sorted(before.items())
        if line.rating is not None
        and pk in outcome.states
        and pk not in outcome.newly_played
        and after.get(pk, NO_LINE).rating != line.rating
    ]
    Correction.objects.bulk_create(corrected, BATCH)


def _path_of(player: int, outcome: Outcome) -> list[list[Any]] | None:
    traced = outcome.reached.get(player)
    return None if traced is None else path_to_json(traced.path())


def summarise(run: Run, before: Lines, after: Lines, ids: Mapping[int, str]) -> None:
    """Set the number of changed players, the biggest changes, the histogram and the changed grades of a run.

    `before` and `after` are by primary key; `ids` maps these to the public ids that are stored.
    """
    pairs = {pk: (before.get(pk, NO_LINE), after.get(pk, NO_LINE)) for pk in ids}
    changed = {pk: (old, new) for pk, (old, new) in pairs.items() if old[:2] != new[:2]}
    moved = [
        (ids[pk], old.rating, new.rating)
        for pk, (old, new) in changed.items()
        if old.rating is not None and new.rating is not None
    ]
    moved.sort(key=lambda move: (-abs(move[2] - move[1]), move[0]))
    run.players_changed = len(changed)
    run.biggest = [list(move) for move in moved[:BIGGEST] if move[1] != move[2]]
    run.histogram = _histogram([new - old for _, old, new in moved if new != old])
    run.grades = [[ids[pk], old.grade, new.grade] for pk, (old, new) in changed.items() if old.grade != new.grade]


def _histogram(differences: list[float]) -> list[list[float | None]]:
    """Return [from, to, players] for each interval in rating points; the outermost intervals are open."""
    edges = (None, *EDGES, None)
    rows: list[list[float | None]] = []
    for low, high in pairwise(edges):
        count = sum((low is None or low <= d) and (high is None or d < high) for d in differences)
        rows.append([low, high, count])
    return rows
