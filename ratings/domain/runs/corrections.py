"""What a run changed: for whom, by how much, and for whom although he had not played."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ratings.models import Correction, RatingList, Run, Standing
from ratings.queries.values import MANY

from .outcome import Outcome

BIGGEST = 10
EDGES = (-200, -100, -50, -20, -5, 0, 5, 20, 50, 100, 200)  # of the histogram, in rating points
CHUNK = 500

Was = Mapping[int, tuple[float | None, str]]
"""Rating and grade by the player's database id."""


def standings(rating_list: RatingList, outcome: Outcome) -> Was:
    """How those stand now whom a run concerns (and where these are many, everybody)."""
    lines = rating_list.standings.order_by()
    if len(outcome.states) <= MANY:
        lines = lines.filter(player__in=list(outcome.states))
    return {pk: (rating, grade) for pk, rating, grade in lines.values_list("player", "rating", "grade")}


def keep_corrections(run: Run, outcome: Outcome, before: Was) -> None:
    """Summarise a run on its record, and write a line for everybody whose rating changed though he did not play.

    Who had no rating before has nothing that could be corrected.
    """
    after = standings(run.list, outcome)
    summarise(run, before, after, {pk: player.id for pk, player in outcome.players.items()})
    run.save(update_fields=["players_changed", "biggest", "histogram", "grades"])
    if not run.list.public:
        return  # nobody has seen what is corrected
    hidden = set(Standing.objects.filter(list=run.list, published=False).values_list("player", flat=True))
    corrected = [
        Correction(run=run, player_id=pk, before=rating, after=after.get(pk, (None, ""))[0], hidden=pk in hidden)
        for pk, (rating, _) in sorted(before.items())
        if rating is not None
        and pk in outcome.states
        and pk not in outcome.played_now
        and after.get(pk, (None, ""))[0] != rating
    ]
    Correction.objects.bulk_create(corrected, CHUNK)


def summarise(run: Run, before: Was, after: Was, ids: Mapping[int, str]) -> None:
    """Players changed, biggest changes, histogram and grades that come or go, by public id."""
    nothing: tuple[float | None, str] = (None, "")
    changed = [pk for pk in ids if before.get(pk, nothing) != after.get(pk, nothing)]
    moved = [
        (ids[pk], old, new)
        for pk in changed
        if (old := before.get(pk, nothing)[0]) is not None and (new := after.get(pk, nothing)[0]) is not None
    ]
    moved.sort(key=lambda move: (-abs(move[2] - move[1]), move[0]))
    run.players_changed = len(changed)
    run.biggest = [list(move) for move in moved[:BIGGEST] if move[1] != move[2]]
    run.histogram = _histogram([new - old for _, old, new in moved if new != old])
    run.grades = [
        [ids[pk], before.get(pk, nothing)[1], after.get(pk, nothing)[1]]
        for pk in changed
        if before.get(pk, nothing)[1] != after.get(pk, nothing)[1]
    ]


def _histogram(differences: list[float]) -> list[list[float | None]]:
    """[from, to, players] of each interval; the outermost are open."""
    edges = (None, *EDGES, None)
    rows: list[list[float | None]] = []
    for low, high in pairwise(edges):
        count = sum((low is None or low <= d) and (high is None or d < high) for d in differences)
        rows.append([low, high, count])
    return rows
