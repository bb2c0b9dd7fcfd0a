"""Merges of duplicate players and moves of results, with the data needed to undo them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Player


def nothing_moved() -> dict[str, Any]:
    return {}


class Merge(models.Model):
    """A merge of two players, or a move of some tables' results from one player to another.

    `moved` lists the moved rows by kind, as {"adjustment": [ids], …}. Undone merges remain as records. Entries are
    identified by their tables, as a corrected table gets new entries.
    """

    gone = models.ForeignKey(Player, models.CASCADE, related_name="merges_away", verbose_name=_("from player"))
    kept = models.ForeignKey(Player, models.CASCADE, related_name="merges_here", verbose_name=_("to player"))
    whole = models.BooleanField(
        _("merged"), default=True, help_text=_("If not set, only the results of some tables were moved.")
    )
    moved = models.JSONField(default=nothing_moved, blank=True, editable=False)
    reason = models.CharField(_("reason"), max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("undone by")
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(gone=models.F("kept")), name="nobody_is_merged_into_himself"),
            models.UniqueConstraint(
                fields=["gone"],
                condition=models.Q(undone_at__isnull=True, whole=True),
                name="merged_into_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"
