"""Numbers under which other federations and registries know a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django_countries.fields import CountryField

from ratings.formats.people import outside_ids as registries
from ratings.formats.people.outside_ids import FORMS, normalize_outside_id, read_outside_id, split_key
from ratings.models.players.people import Player
from ratings.models.site.versioned import Versioned


class Registry(models.TextChoices):
    """Registries that number players; with NATIONAL, the country says which federation."""

    EGD = registries.EGD, _("European Go Database")
    FIDE = registries.FIDE, "FIDE"
    AGA = registries.AGA, _("American Go Association")
    US_CHESS = registries.US_CHESS, "US Chess"
    RIF = registries.RIF, _("Renju International Federation")
    FESA = registries.FESA, _("Federation of European Shogi Associations")
    NATIONAL = registries.NATIONAL, _("national federation")


ID_HELP: Mapping[str, Any] = {
    Registry.EGD: _("Enter the PIN: 8 digits."),
    Registry.FIDE: _("Enter the FIDE id: 4 to 10 digits, the first one not 0."),
    Registry.AGA: _("Enter the AGA id: 1 to 6 digits, the first one not 0."),
    Registry.US_CHESS: _("Enter the US Chess id: 8 digits, the first one not 0."),
    Registry.RIF: _("Enter the number: up to 7 digits, the first one not 0."),
    Registry.FESA: _("Enter the number: up to 7 digits, the first one not 0."),
    Registry.NATIONAL: _("Enter up to 20 digits, Latin letters, points, hyphens and slashes."),
}
"""Form of an id of each registry, for a person who entered another one."""
PAGES: Mapping[str, str] = {
    Registry.EGD: "https://www.europeangodatabase.eu/EGD/Player_Card.php?&key={}",
    Registry.FIDE: "https://ratings.fide.com/profile/{}",
    Registry.AGA: "https://agagd.usgo.org/player/{}/",
    Registry.US_CHESS: "https://ratings.uschess.org/player/{}",
}
"""Addresses of a player's page at the registries that have one for each id."""


class OutsideId(Versioned):
    """An id of a player in a registry, with the person who confirmed that it is this player's.

    A registry gives each id to one person. The id of an unconfirmed row is not public and identifies nobody.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="outside_ids", verbose_name=_("player"))
    registry = models.CharField(_("registry"), max_length=10, choices=Registry)
    country = CountryField(_("country"), blank=True, help_text=_("Only for the id of a national federation."))
    value = models.CharField(_("id"), max_length=20)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("id in another registry")
        verbose_name_plural = _("ids in other registries")
        ordering = ["registry", "country", "value"]
        constraints = [
            models.UniqueConstraint(
                fields=["registry", "country", "value"],
                name="outside_id_of_one_player",
                violation_error_message=_("This id belongs to another player already."),
            )
        ]
        indexes = [models.Index(fields=["value"], name="outside_ids_by_value")]

    def __str__(self) -> str:
        return f"{self.label} {self.value}"

    def clean(self) -> None:
        self.value = normalize_outside_id(self.value)
        super().clean()
        if (self.registry == Registry.NATIONAL) != bool(self.country):
            message = _("Choose the country of the national federation; leave it empty for any other registry.")
            raise ValidationError({"country": message})
        if self.registry in FORMS and read_outside_id(self.registry, self.value) is None:
            raise ValidationError({"value": ID_HELP[self.registry]})

    @classmethod
    def of_key(cls, key: str, value: str, **fields: Any) -> OutsideId:
        """Return an unsaved id of a registry, or of a national federation if the key is its country's code."""
        registry, country = split_key(key)
        return cls(registry=registry, country=country, value=value, **fields)

    @property
    def label(self) -> str:
        """The registry in short: “EGD”, “FIDE”, and the country of a national federation."""
        short: dict[str, str] = {Registry.US_CHESS: "US Chess", Registry.NATIONAL: str(self.country)}
        return short.get(self.registry, self.registry.upper())

    @property
    def page(self) -> str:
        """The address of the player's page at the registry; empty if it has none for an id."""
        return PAGES.get(self.registry, "").format(self.value)
