"""Explanation of one correction: its path with players, events and results, and other corrections beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import F, Q
from django.db.models.functions import Abs

from ratings.displayed_changes import round_difference
from ratings.models import Change, Correction, Event, Game, Player, RatingList, Run, Table
from ratings.models.runs.derived import is_carried_over
from ratings.queries.events.events import WITH_RESULTS

from .correction_paths import PathStep, path_from_json

TableAndPlayer = tuple[int | None, str]
"""Primary key of a table and public id of a player."""


@dataclass(frozen=True)
class ExplainedStep:
    """A step of a path with its player and event; `opponent` is the player through whom the correction came, if any.

    `scores` are the player's results against the opponent in the table.
    """

    step: PathStep
    player: Player
    event: Event | None
    opponent: Player | None
    scores: Sequence[float]
    has_explanation: bool
    """True if a page explains the player's present change in the table."""
    hidden: bool

    @property
    def counts_later(self) -> bool:
        """Return True if the step changed points that count on a later day, and not the rating."""
        old, new = self.step.points
        return is_carried_over(self.step.table, self.step.rating[0], self.step.rating[1], (old or 0) - (new or 0))

    @property
    def values(self) -> tuple[float | None, float | None]:
        """The rating after the step, or else the points that count later, before and after the correction."""
        return (None, None) if self.hidden else self.step.points if self.counts_later else self.step.rating

    @property
    def difference(self) -> float | None:
        """The exact difference of the values, in rating points."""
        old, new = self.values
        return None if old is None or new is None else new - old

    def round_difference(self, decimals: int) -> float | None:
        """Return the difference of the values as it is displayed, in rating points."""
        old, new = self.values
        return None if old is None or new is None else round_difference(old, new, decimals)


@dataclass(frozen=True)
class ExplainedCorrection:
    """A correction with the steps from the corrected event to the player; None if they are not known.

    `others` are the largest other corrections of the run, `players` the number of all that it corrected, and `own` are
    other corrections of the player, newest first.
    """

    correction: Correction
    steps: list[ExplainedStep] | None
    others: list[Correction]
    players: int
    own: list[Correction]


def find_correction(rating_list: RatingList, run: int, public_id: str) -> Correction | None:
    """Return the public correction of a player by a run of a list; None if there is none."""
    corrections = Correction.objects.filter(
        run=run, run__list=rating_list, run__state=Run.State.FINISHED, player__public_id=public_id, hidden=False
    )
    return corrections.select_related("player", "run").first()


def explain_correction(correction: Correction, number: int) -> ExplainedCorrection:
    """Return the explanation of a correction, with up to `number` other corrections of each kind."""
    public = Correction.objects.filter(hidden=False)
    of_run = public.filter(run=correction.run_id).select_related("player")
    own = public.filter(player=correction.player_id, run__list=correction.run.list_id).select_related("run")
    path = None if correction.path is None else path_from_json(correction.path)
    largest = of_run.exclude(pk=correction.pk).order_by(Abs(F("after") - F("before")).desc(nulls_last=True), "pk")
    return ExplainedCorrection(
        correction,
        None if path is None else _explain_steps(correction, path),
        list(largest[:number]),
        of_run.count(),
        list(own.exclude(pk=correction.pk).order_by("-run_id", "-pk")[:number]),
    )


def _explain_steps(correction: Correction, path: Sequence[PathStep]) -> list[ExplainedStep]:
    players = {player.public_id: player for player in Player.objects.filter(public_id__in={s.player for s in path})}
    tables = Table.with_deleted.select_related("event").in_bulk([step.table for step in path if step.table])
    explained, hidden = _find_changes(correction, players.values(), tables)
    previous = (None, *(players.get(step.player) for step in path[:-1]))
    scores = _read_scores(path)
    steps = []
    for step, opponent in zip(path, previous, strict=True):
        player, table = players.get(step.player), tables.get(step.table or 0)
        if player is None:
            continue
        event = table.event if table is not None else None
        has_explanation = (step.table, step.player) in explained and event is not None and event.state in WITH_RESULTS
        steps.append(
            ExplainedStep(
                step,
                player,
                event,
                opponent,
                scores.get((step.table, step.player), ()),
                has_explanation,
                step.hidden or player.pk in hidden,
            )
        )
    return steps


def _find_changes(
    correction: Correction, players: Collection[Player], tables: Mapping[int, Table]
) -> tuple[set[TableAndPlayer], set[int]]:
    """Return the tables and players with a change that a page explains, and the players not to be displayed now."""
    changes = Change.objects.filter(Q(table__in=tables) | Q(hidden=True), list=correction.run.list_id)
    rows = changes.filter(player__in=players).order_by().values_list("table", "player__public_id", "player", "hidden")
    found = list(rows)
    return {(table, id) for table, id, _, hidden in found if not hidden}, {pk for *_, pk, hidden in found if hidden}


def _read_scores(path: Sequence[PathStep]) -> dict[TableAndPlayer, list[float]]:
    """Return the results of each player of a path against the one before, by table, in the order of rounds."""
    pairs = {(step.table, step.player, before.player) for before, step in pairwise(path)}
    if not pairs:
        return {}
    ids = {step.player for step in path}
    games = Game.objects.filter(
        table__in={table for table, *_ in pairs},
        a__player__public_id__in=ids,
        b__player__public_id__in=ids,
        played=True,
    )
    sides = ("table", "a__player__public_id", "b__player__public_id", "score")
    scores: dict[TableAndPlayer, list[float]] = defaultdict(list)
    for table, a, b, score in games.order_by("round", "pk").values_list(*sides):
        if (table, a, b) in pairs:
            scores[table, a].append(score)
        if (table, b, a) in pairs:
            scores[table, b].append(1 - score)
    return dict(scores)
