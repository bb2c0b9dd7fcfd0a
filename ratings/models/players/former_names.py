"""Former names of players."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.players.people import Player, validate_name
from ratings.models.players.searchable import Searchable
from ratings.models.site.versioned import Versioned


class FormerName(Versioned, Searchable):
    """A name that a player had before, as written in results of that time. It is not public."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="former_names", verbose_name=_("player"))
    family_name = models.CharField(_("family name"), max_length=100, validators=[validate_name])
    given_name = models.CharField(_("given name"), max_length=100, blank=True, validators=[validate_name])
    until = models.DateField(
        _("last day"), null=True, blank=True, help_text=_("The last day of this name; empty if it is not known.")
    )

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        ordering = ["-until", "family_name", "given_name"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "family_name", "given_name"],
                name="former_name_of_a_player_once",
                violation_error_message=_("This player already has this former name."),
            ),
            models.CheckConstraint(condition=~Q(family_name=""), name="former_name_has_a_family_name"),
        ]
        indexes = [
            models.Index(fields=["search_name"], opclasses=["text_pattern_ops"], name="former_names_by_search_name")
        ]

    def __str__(self) -> str:
        return f"{self.family_name} {self.given_name}".strip()

    @property
    def searched(self) -> str:
        return str(self)
