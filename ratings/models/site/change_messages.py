"""Messages about changes that other programs receive by webhooks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _


class ChangeKind(models.TextChoices):
    """Kinds of changes that messages are sent about; the values stand in payloads and never change."""

    LIST_PUBLISHED = "list.published", _("list published")
    EVENT_RATED = "event.rated", _("event rated")
    RATING_CHANGED = "rating.changed", _("rating changed")
    RATING_CORRECTED = "rating.corrected", _("rating corrected without a game")
    GRADE_ANNOUNCED = "grade.announced", _("grade announced")
    PLAYER_MERGED = "player.merged", _("player merged")
    PLAYER_HIDDEN = "player.hidden", _("player hidden")


@dataclass(frozen=True)
class ChangeMessage:
    """A change: its kind, the federations whose lists it concerns (primary keys), and its values as JSON.

    The values are public ids and numbers: no names, and nothing that is not public.
    """

    kind: ChangeKind
    federations: Collection[int]
    data: Mapping[str, Any]
