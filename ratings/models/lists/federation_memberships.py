from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models.lists.federations import Federation
from ratings.models.players.people import Player
from ratings.models.site.versioned import Versioned


class FederationMembership(Versioned):
    """The last day of a player's membership of a federation. It is never public and changes no rating."""

    federation = models.ForeignKey(Federation, models.CASCADE, related_name="memberships", verbose_name=_("federation"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="federation_memberships", verbose_name=_("player"))
    until = models.DateField(_("member until"), help_text=_("The last day of the membership."))

    class Meta:
        verbose_name = _("membership of a federation")
        verbose_name_plural = _("memberships of federations")
        ordering = ["federation", "player"]
        constraints = [
            models.UniqueConstraint(fields=["federation", "player"], name="one_membership_per_federation_and_player")
        ]

    def __str__(self) -> str:
        return f"{self.player} – {self.federation}"
