"""Rating runs that followed the steps of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from ratings.models import Event, EventStep, Player, RatingList, Run
from ratings.systems.messages import Message

What = EventStep.What
RATED_STEPS = (
    What.ACCEPTED,
    What.ACCEPTANCE_UNDONE,
    What.CORRECTED,
    What.REMAPPED,
    What.TABLE_DELETED,
    What.TABLE_RESTORED,
    What.VOIDED,
    What.UNVOIDED,
)
"""Steps after which the lists of an event are rated again."""


@dataclass(frozen=True)
class StepRun:
    """A finished run of a list of an event, the last of the event's steps that it rated, and the players of the event.

    `players` are those of the event's tables, by public id. A run can rate other events as well: what it changed for
    other players is not for the organisers of this one.
    """

    run: Run
    rating_list: RatingList
    step: EventStep
    players: dict[str, Player]

    @property
    def is_shared(self) -> bool:
        """Return True if the run has a reason that is not about this event: it rated other changes as well."""
        return any(not _is_about(reason, self.step.event.name) for reason in self.run.reasons)


def read_step_runs(event: Event, lists: Sequence[RatingList]) -> list[StepRun]:
    """Return the first finished run of each list after each step of an event that changes ratings, oldest step first.

    A run that followed several steps is returned once, with the last of them. Three queries at most.
    """
    steps = EventStep.objects.filter(event=event, what__in=RATED_STEPS).select_related("event").order_by("pk")
    by_run: dict[int, tuple[RatingList, EventStep]] = {}
    for step in steps.annotate(**{f"run_{each.pk}": _find_run(each) for each in lists}):
        by_run |= {pk: (each, step) for each in lists if (pk := getattr(step, f"run_{each.pk}")) is not None}
    runs = Run.objects.in_bulk(list(by_run))
    players = _read_players(event) if runs else {}
    return [StepRun(runs[pk], *by_run[pk], players) for pk in sorted(by_run)]


def _is_about(reason: str, name: str) -> bool:
    """Return True if a reason of a run names an event of this name, or one of its tables."""
    values = reason.values if isinstance(reason, Message) else {}
    named = str(values.get("event") or values.get("table") or "")
    return named == name or named.startswith(f"{name} – ")


def _find_run(rating_list: RatingList) -> Subquery:
    """Return the first run of a list that ended after a step."""
    return Subquery(rating_list.runs.finished().ended_since(OuterRef("at")).values("pk")[:1])


def _read_players(event: Event) -> dict[str, Player]:
    seated = Player.objects.filter(entries__table__event=event).distinct()
    return {player.public_id: player for player in seated}
