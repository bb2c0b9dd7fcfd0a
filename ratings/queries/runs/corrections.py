"""Queries for corrections by rating runs."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Abs

from ratings.localize import translate_message
from ratings.models import Correction, Event, EventStep, Player, RatingList, Run
from ratings.queries.events.events import CORRECTED
from ratings.queries.players.names import contain_hidden_names, put_public_names

SEPARATOR = "; "
STEP_MARGIN = dt.timedelta(minutes=10)
"""Maximum time from a step to the request of its run; both are saved in one transaction."""


def correcting_runs(rating_list: RatingList) -> QuerySet[Run]:
    """Return the runs that changed ratings of players who had not played, newest first, each with their number."""
    players = Count("corrections", filter=Q(corrections__hidden=False))
    return rating_list.runs.finished().annotate(players=players).filter(players__gt=0).latest_first()


def with_biggest_corrections(runs: QuerySet[Run], most: int) -> QuerySet[Run]:
    """Return runs, each with its biggest corrections in `lines`, `most` of them at most."""
    return runs.prefetch_related(Prefetch("corrections", _select_lines()[:most], to_attr="lines"))


def corrections_by(run: Run) -> QuerySet[Correction]:
    """Return the public corrections of a run, biggest first."""
    return _select_lines().filter(run=run)


UNQUOTED = (EventStep.What.ACCEPTED, EventStep.What.REMAPPED)
"""Steps whose notes the public does not see."""


@dataclass(frozen=True)
class Reason:
    """An event that was accepted, corrected or voided, or lost a table, with the note that says why.

    The note is empty if it may name a hidden player, and for events that were only accepted.
    """

    event: Event
    results_moved: bool
    """True if results were moved to another player."""
    note: str


def reasons_of(rating_list: RatingList, runs: Collection[Run]) -> dict[int, list[Reason]]:
    """Return, by run id, the events whose acceptance or correction the run followed."""
    if not runs:
        return {}
    rated_by = Subquery(rating_list.runs.finished().ended_since(OuterRef("at")).values("pk")[:1])
    earliest = min(run.asked_at for run in runs) - STEP_MARGIN
    kinds = (*CORRECTED, EventStep.What.ACCEPTED, EventStep.What.VOIDED, EventStep.What.TABLE_DELETED)
    steps = EventStep.objects.filter(what__in=kinds, event__lists=rating_list.source, at__gte=earliest)
    rated_steps = list(steps.annotate(run=rated_by).select_related("event").order_by("pk"))
    rated_steps = [step for step in rated_steps if step.run in {run.pk for run in runs}]
    quoted = [step for step in rated_steps if step.what not in UNQUOTED]
    hidden = contain_hidden_names(step.note for step in quoted)
    reasons: dict[int, list[Reason]] = defaultdict(list)
    for step in rated_steps:
        note = "" if step.what in UNQUOTED or hidden else step.note
        reasons[step.run].append(Reason(step.event, step.what == EventStep.What.REMAPPED, note))
    return reasons


def named_reasons(runs: Collection[Run]) -> dict[int, str]:
    """Return the reasons of runs, by run id, in the visitor's language and with public names in place of ids."""
    texts = put_public_names([SEPARATOR.join(map(translate_message, run.reasons)) for run in runs])
    return {run.pk: text for run, text in zip(runs, texts, strict=True)}


def _select_lines() -> QuerySet[Correction]:
    public = Correction.objects.filter(hidden=False).select_related("player")
    return public.order_by(Abs(F("after") - F("before")).desc(nulls_last=True), "pk")


def corrections_of(player: Player, rating_list: RatingList) -> QuerySet[Correction]:
    """Return the public corrections of a player on a list, newest first."""
    return (
        player.corrections.filter(run__list=rating_list, hidden=False).select_related("run").order_by("-run_id", "-pk")
    )
