"""What a change would do to ratings and grades: made, computed by the same engine, and taken back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction

from ratings.models import Player, RatingList, Standing

from .computing import compute
from .outcome import UnratableError, silently


@dataclass(frozen=True)
class Moved:
    """How a player stands now, and how he would stand; None for not on the list."""

    player: Player
    before: float | None
    after: float | None
    grade_before: str
    grade: str
    waiting_before: str = ""
    waiting: str = ""

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True)
class Preview:
    """One list after a change that was not made: how many tables were rated for it, and who would move."""

    rating_list: RatingList
    tables: int
    moved: list[Moved]
    problem: str = ""
    held: Sequence[tuple[Player, str]] = ()
    """Announced grades that stay although what earned them goes."""

    @property
    def waiting(self) -> list[Moved]:
        """Those on whom a grade would begin or cease to wait for approval."""
        return [moved for moved in self.moved if moved.waiting_before != moved.waiting]

    @property
    def grades(self) -> list[Moved]:
        """Those whose grade would come or go."""
        return [moved for moved in self.moved if moved.grade_before != moved.grade]


def preview(change: Callable[[], object]) -> list[Preview]:
    """Make a change, compute every list that it puts out of date, and leave everything as it was."""
    with transaction.atomic():
        change()
        marked = RatingList.objects.filter(out_of_date_from__isnull=False).select_related("comparison_to")
        previews = [_previewed(rating_list) for rating_list in marked.order_by("pk")]
        transaction.set_rollback(True)
    return previews


def _previewed(rating_list: RatingList) -> Preview:
    try:
        outcome = compute(rating_list, rating_list.out_of_date_from or dt.date.min, silently)
    except UnratableError as error:
        return Preview(rating_list, 0, [], str(error))
    system = rating_list.rating_system
    players = Player.objects.in_bulk(outcome.states)
    standings = {line.player_id: line for line in Standing.objects.filter(list=rating_list, player__in=outcome.states)}
    moved = []
    for pk, state in outcome.states.items():
        now = standings.get(pk)
        then = None if state is None else system.standing(state, outcome.players[pk])
        grade = (then.grade or "") if then and rating_list.graded else ""
        before, after = now.rating if now else None, then.rating if then else None
        waits = (then.waiting or "") if then and rating_list.graded else ""
        line = Moved(
            players[pk], before, after, now.grade if now else "", grade, now.waiting if now else "", waits
        )  # fmt: skip
        if (line.before, line.grade_before, line.waiting_before) != (line.after, line.grade, line.waiting):
            moved.append(line)
    moved.sort(key=lambda line: (-abs(line.change or 0), line.player.name))
    held = [(players[award.player_id], award.grade) for award in outcome.awards if award.how == "kept"]
    return Preview(rating_list, outcome.visited, moved, held=held)
