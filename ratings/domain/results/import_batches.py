"""Records of imports of result files, by which a whole import can be undone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import shorten

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from ratings.domain.lists.adjustments import delete_list_player
from ratings.domain.lists.import_records import delete_unused
from ratings.domain.lists.list_permissions import check_officer
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.recording import REASON_AT_MOST, lock_step, record_step, record_undo
from ratings.models import (
    Adjustment,
    Decision,
    Event,
    EventStep,
    Game,
    ListPlayer,
    Player,
    RatingList,
    RecordedStep,
    Upload,
)
from ratings.models.messages import RunReason

IMPORTED = RecordedStep.What.RESULTS_IMPORTED


@dataclass
class Batch:
    """Files, events and players stored so far by a running import."""

    files: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    list_players: set[int] = field(default_factory=set)
    """Primary keys of the list's ListPlayer rows before the import."""


def begin_batch(rating_list: RatingList) -> Batch:
    """Return an empty batch for an import that begins now."""
    return Batch(list_players=set(rating_list.members.values_list("pk", flat=True)))


def record_batch(rating_list: RatingList, batch: Batch) -> RecordedStep | None:
    """Record an import with everything that it stored, and return the step; None if it stored nothing."""
    if not batch.events:
        return None
    events = [event.pk for event in batch.events]
    values = {
        "events": events,
        "players": [player.pk for player in batch.players],
        "adjustments": list(Adjustment.objects.filter(before__event__in=events).values_list("pk", flat=True)),
        "decisions": list(Decision.objects.filter(before__event__in=events).values_list("pk", flat=True)),
        "list_players": sorted(set(rating_list.members.values_list("pk", flat=True)) - batch.list_players),
        "last_step": EventStep.objects.filter(event__in=events).aggregate(last=Max("pk"))["last"],
        "day": str(min(event.start for event in batch.events)),
    }
    reason = shorten(", ".join(batch.files), REASON_AT_MOST, placeholder=" …")
    return record_step(IMPORTED, values, rating_list=rating_list, reason=reason)


@transaction.atomic
def undo_batch(step: RecordedStep, *, reason: str = "") -> list[Player]:
    """Delete the events of an import with their results, adjustments and decisions, and rate their lists again.

    Players created by the import are deleted if nothing else belongs to them; the others are returned. The files can
    be imported again. Raise ValidationError if something was changed or decided since, and PermissionDenied if the
    acting user is not an officer of every list concerned.
    """
    lock_seats(exclusive=True)  # no other results may be saved with a player who is deleted here
    rating_list = RatingList.objects.get(recorded_steps=step)
    events = list(Event.objects.select_for_update().filter(pk__in=step.values["events"]).order_by("pk"))
    RatingList.objects.select_for_update().get(pk=rating_list.pk)
    check_officer({rating_list, *RatingList.objects.filter(events__in=events)})
    step = lock_step(step, IMPORTED)
    if refusal := batch_undo_problem(step):
        raise ValidationError(refusal)
    values, day = step.values, dt.date.fromisoformat(step.values["day"])
    lists = list(RatingList.objects.filter(events__in=events).distinct())
    Adjustment.objects.filter(pk__in=values["adjustments"]).delete()
    Decision.objects.filter(pk__in=values["decisions"]).delete()
    Upload.objects.filter(event__in=events).delete()
    for event in events:
        event.delete()
    for row in ListPlayer.objects.filter(pk__in=values["list_players"]).select_related("list", "player"):
        if not row.player.entries.filter(table__event__lists=rating_list).exists():
            delete_list_player(row)
    mark_lists_out_of_date(lists, day, RunReason.RESULTS_IMPORT_UNDONE(files=step.reason))
    record_undo(step, reason)
    for affected_list in lists:
        rerate(affected_list.pk)
    return delete_unused(values["players"])


def describe_batch(step: RecordedStep) -> list[str]:
    """Return what undoing an import of results deletes, with counts, to be displayed before it is undone."""
    events = Event.objects.filter(pk__in=step.values["events"])
    games = Game.objects.filter(table__event__in=events, played=True)
    counts = (
        (len(step.values["events"]), _("events with their tables: %(count)d")),
        (games.count(), _("games: %(count)d")),
        (len(step.values["players"]), _("new players, unless other data refers to them: %(count)d")),
        (len(step.values["adjustments"]), _("adjustments: %(count)d")),
        (len(step.values["decisions"]), _("decisions: %(count)d")),
    )
    return [text % {"count": count} for count, text in counts if count]


def batch_undo_problem(step: RecordedStep) -> str:
    """Return why an import of results cannot be undone now and what to do about it; empty if it can."""
    events = Event.objects.filter(pk__in=step.values["events"])
    sharing = (EventStep.What.SHARED, EventStep.What.UNSHARED)  # changes nothing of the results
    steps = EventStep.objects.filter(event__in=events, pk__gt=step.values.get("last_step") or 0)
    changed = steps.exclude(what__in=sharing).order_by("-pk").select_related("event").first()
    if changed is not None:
        message = _("“%(event)s” was changed since (%(step)s). Void the events one by one on their pages.")
        return message % {"event": changed.event, "step": changed.get_what_display()}
    if events.filter(submissions__state__in=["working", "submitted", "returned"]).exists():
        return _("A correction of these results is open: submit or delete it first.")
    return _find_later_decision(step, [event.pk for event in events])


def _find_later_decision(step: RecordedStep, events: Sequence[int]) -> str:
    for model, own in ((Adjustment, step.values["adjustments"]), (Decision, step.values["decisions"])):
        others = model._default_manager.filter(before__event__in=events).exclude(pk__in=own)
        if others.exists():
            return _(
                "Adjustments or decisions refer to a table of this import (“just before the table”): delete or"
                " move them first."
            )
    players = Player.objects.filter(entries__table__event__in=events).values("pk")
    later = Decision.objects.filter(player__in=players, list=step.list, made_at__gt=step.at)
    if decision := later.select_related("player").first():
        message = _("Grades of %(player)s were decided or announced since. Undo those decisions first.")
        return message % {"player": decision.player}
    return ""
