"""Recording of steps that can be undone, and of their undoing."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import Player, RatingList, RecordedStep, Upload

from .acting import acting_user

REASON_AT_MOST = 300


def record_step(
    what: RecordedStep.What,
    values: dict[str, Any],
    *,
    player: Player | None = None,
    rating_list: RatingList | None = None,
    upload: Upload | None = None,
    reason: str = "",
) -> RecordedStep:
    """Save a record of a step that the acting user has just taken."""
    return RecordedStep.objects.create(
        what=what,
        player=player,
        list=rating_list,
        upload=upload,
        values=values,
        reason=reason[:REASON_AT_MOST],
        by=acting_user(),
    )


def lock_step(step: RecordedStep, what: RecordedStep.What) -> RecordedStep:
    """Return a step of this kind with its row locked until the transaction ends.

    ValidationError: it is undone already.
    """
    steps = RecordedStep.objects.select_for_update(of=("self",)).select_related("player", "list", "by")
    locked: RecordedStep = steps.get(pk=step.pk, what=what)
    if locked.undone_at is not None:
        raise ValidationError(_("This step was already undone."))
    return locked


def record_undo(step: RecordedStep, reason: str) -> None:
    """Save that the acting user has undone a step."""
    step.undone_by, step.undone_at, step.undone_reason = acting_user(), timezone.now(), reason[:REASON_AT_MOST]
    step.save(update_fields=["undone_by", "undone_at", "undone_reason"])
