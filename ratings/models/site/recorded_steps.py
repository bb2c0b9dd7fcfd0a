"""Records of steps on the managing pages that can be undone or that appear on a timeline."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models.lists.lists import RatingList
from ratings.models.message_fields import MessageField
from ratings.models.players.people import Player
from ratings.models.results.submissions import Upload


def no_values() -> dict[str, Any]:
    return {}


class RecordedStep(models.Model):
    """A step on a player or a list: action, user, time and reason, and whether it was undone.

    `values` holds the data needed to undo the step, as primary keys and public ids: never names, which may have to be
    hidden. Merges and moves of results have their own records, see `Merge`.
    """

    class What(models.TextChoices):
        LIST_IMPORTED = "list imported", _("rating list imported")
        RESULTS_IMPORTED = "results imported", _("results imported")
        GRADE_ANNOUNCED = "grade announced", _("grade announced")
        CLAIM_ANSWERED = "claim answered", _("claim answered")
        PAGE_RELEASED = "page released", _("page disconnected from its account")
        ERASURE_REQUESTED = "erasure requested", _("erasure requested")
        PERSON_ERASED = "person erased", _("person erased")
        VISIBILITY_CHANGED = "visibility changed", _("visibility changed")

    what = models.CharField(_("what"), max_length=20, choices=What)
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="recorded_steps", verbose_name=_("player")
    )
    list = models.ForeignKey(
        RatingList, models.CASCADE, null=True, blank=True, related_name="recorded_steps", verbose_name=_("list")
    )
    upload = models.ForeignKey(
        Upload, models.SET_NULL, null=True, blank=True, related_name="recorded_steps", verbose_name=_("file")
    )
    values = models.JSONField(default=no_values, editable=False)
    reason = MessageField(_("reason"), max_length=300, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), default=timezone.now)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("undone by")
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_reason = models.CharField(_("why it was undone"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("recorded step")
        verbose_name_plural = _("recorded steps")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(player__isnull=False) | models.Q(list__isnull=False),
                name="recorded_step_has_a_player_or_a_list",
            )
        ]
        indexes = [models.Index(fields=["what", "list", "-at"])]

    def __str__(self) -> str:
        return f"{self.get_what_display()} {self.at:%Y-%m-%d %H:%M}"
