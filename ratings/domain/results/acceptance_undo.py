"""Undo of an acceptance: the results wait for an officer again, as if they had not been accepted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.lists.adjustments import delete_list_player
from ratings.domain.lists.import_records import delete_unused, list_unused
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.formats.sheet_content import content_from_json
from ratings.models import Adjustment, DatedList, Decision, Event, EventStep, ListPlayer, OutsideId, Player, Submission
from ratings.models.messages import RunReason

from .steps import lock_event, record_event_step

What = EventStep.What


def list_stored_rows(event: Event, new: Collection[Player]) -> dict[str, list[Any]]:
    """Return the primary keys of what accepting an event stored beside its tables, to be recorded with the step.

    `new` are the new players. The tables of the event had no adjustments and decisions before. Data of lists about the
    new players have their version too.
    """
    listed = ListPlayer.objects.filter(player__in=new).order_by("pk") if new else ListPlayer.objects.none()
    return {
        "players": [player.pk for player in new],
        "list_players": [[pk, version] for pk, version in listed.values_list("pk", "version")],
        "adjustments": list(Adjustment.objects.filter(before__event=event).values_list("pk", flat=True)),
        "decisions": list(Decision.objects.filter(before__event=event).values_list("pk", flat=True)),
    }


def find_acceptance_undo_problem(step: EventStep) -> str:
    """Return why the acceptance of an event cannot be undone; empty if it can.

    Whatever was built on the accepted results stays: then the event can only be voided.
    """
    event = step.event
    if event.state != Event.State.ACCEPTED:
        return _("The event is %(state)s.") % {"state": event.get_state_display()}
    if "players" not in step.data:
        return _("These results were accepted by an earlier release of the portal: void the event instead.")
    if problem := _find_other_results(step):
        return problem
    for model, own in ((Adjustment, "adjustments"), (Decision, "decisions")):
        if model._default_manager.filter(before__event=event).exclude(pk__in=step.data[own]).exists():
            return _("Adjustments or decisions refer to a table of this event: void the event instead.")
    published = DatedList.objects.filter(list__in=event.lists.all(), day__gte=event.start, published_at__gt=step.at)
    if dated := published.select_related("list").first():
        return _("%(list)s was published since: void the event instead.") % {"list": dated}
    return ""


def _find_other_results(step: EventStep) -> str:
    """Return which results of the event, beside the accepted ones, prevent the undo; empty if there are none."""
    in_progress = step.event.submissions.filter(state__in=Submission.IN_PROGRESS)
    if in_progress.exclude(table=None).exists():
        return _("A correction of this event is open: withdraw or delete it first.")
    others = step.event.tables.exclude(submissions__in=step.data["sheets"])
    if others.exists() or in_progress.exists():
        return _("The event has another table: void the event instead.")
    return ""


@transaction.atomic
def undo_acceptance(step: EventStep) -> str:
    """Undo the acceptance of an event, and return a message that names new players who stay; empty without any.

    The tables are deleted with the adjustments and decisions that the acceptance made, and the lists are marked for
    rating. New players are deleted and are new in the results again, unless other data refers to them. Raise
    ValidationError if anything was built on the accepted results.
    """
    lock_seats(exclusive=True)  # no other results may be saved with a player who is deleted here
    event = lock_event(step.event)
    step = EventStep.objects.select_related("event").get(pk=step.pk)
    if problem := find_acceptance_undo_problem(step):
        raise ValidationError(problem)
    submissions = list(event.submissions.select_for_update(of=("self",)).filter(pk__in=step.data["sheets"]))
    tables = list(event.tables.all())
    days = [table.last_day for table in tables]
    Adjustment.objects.filter(pk__in=step.data["adjustments"]).delete()
    Decision.objects.filter(pk__in=step.data["decisions"]).delete()
    for submission in submissions:
        submission.table, submission.state = None, Submission.State.SUBMITTED
        submission.accepted_by = submission.accepted_at = None
        submission.save(update_fields=["table", "state", "accepted_by", "accepted_at"])
    for table in tables:
        table.delete()
    mark_lists_out_of_date(event.lists.all(), min(days, default=None), RunReason.ACCEPTANCE_UNDONE(event=event))
    kept = _delete_new_players(submissions, step.data["players"], step.data.get("list_players", ()))
    event.state = Event.State.SUBMITTED
    event.save(update_fields=["state"])
    record_event_step(event, What.ACCEPTANCE_UNDONE, submissions=submissions)
    if not kept:
        return ""
    return _("These new players stay, because other data refers to them: %(players)s.") % {
        "players": ", ".join(player.name for player in kept)
    }


def _delete_new_players(
    submissions: Collection[Submission], new: Collection[int], listed: Iterable[Sequence[int]]
) -> list[Player]:
    """Delete the players whom these results created and whom nothing else names; return the others.

    `listed` holds primary key and version of the data of lists that the acceptance stored about them. They are deleted
    with their players; a player with other or changed data of a list stays. Rows of deleted players are new ones again.
    """
    if not new:
        return []
    chosen = _list_chosen_elsewhere(submissions)
    candidates = Player.objects.filter(pk__in=new)
    free = {player.pk: player.public_id for player in candidates if player.public_id not in chosen}
    stored, own = set(map(tuple, listed)), list[ListPlayer]()
    for known in ListPlayer.objects.filter(player__in=list(free)).select_related("list", "player"):
        if (known.pk, known.version) in stored:
            own.append(known)
        else:
            free.pop(known.player_id, None)
    unused = list_unused(list(free), with_rows=[OutsideId, ListPlayer])
    for known in own:
        if known.player_id in unused:
            delete_list_player(known)
    delete_unused(unused, with_rows=[OutsideId])
    kept = list(candidates.all())
    deleted = set(free.values()) - {player.public_id for player in kept}
    for submission in submissions:
        content = content_from_json(submission.content)
        for row in content.rows:
            if row.player in deleted:
                row.player, row.new = "", True
        submission.content = content.to_json()
        submission.save(update_fields=["content"])
    return kept


def _list_chosen_elsewhere(submissions: Collection[Submission]) -> set[str]:
    """Return the public ids of the players who are chosen in other results that are not accepted yet."""
    others = Submission.objects.filter(state__in=Submission.IN_PROGRESS).exclude(
        pk__in=[each.pk for each in submissions]
    )
    contents = others.values_list("content", flat=True).iterator(chunk_size=100)
    return {row.get("player", "") for content in contents for row in content.get("rows", ())} - {""}
