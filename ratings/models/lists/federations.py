from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models.players.people import validate_name
from ratings.models.site.versioned import Versioned
from ratings.time_zones import MAX_LENGTH, get_default_time_zone, validate_time_zone


class Federation(Versioned):
    """A federation: its name, crest, colour and links, with which its rating lists are presented."""

    class House(models.TextChoices):
        INDIGO = "indigo", _("indigo")
        PINE = "pine", _("pine")
        PLUM = "plum", _("plum")
        OCEAN = "ocean", _("ocean")
        SLATE = "slate", _("slate")

    slug = models.SlugField(_("short name in addresses"), unique=True)
    name = models.CharField(_("name"), max_length=100, unique=True, validators=[validate_name])
    short_name = models.CharField(
        _("short name"), max_length=30, blank=True, help_text=_("Shown where space is short; empty: the name.")
    )
    description = models.CharField(
        _("line below the name"), max_length=80, blank=True, help_text=_("For example “Official shogi ratings”.")
    )
    house = models.CharField(_("house colour"), max_length=10, choices=House, default=House.INDIGO)
    crest = models.TextField(_("crest"), blank=True, editable=False)  # SVG that `ratings.crests` accepted
    home = models.URLField(_("home page"), blank=True)
    contact = models.URLField(_("contact page"), blank=True)
    rules = models.URLField(_("rules"), blank=True)
    privacy = models.URLField(_("privacy policy"), blank=True)
    imprint = models.URLField(_("imprint"), blank=True)
    languages = models.JSONField(
        _("languages"), default=list, blank=True, help_text=_("Offered on the federation's pages; none chosen: all.")
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=MAX_LENGTH,
        default=get_default_time_zone,
        db_default="UTC",
        validators=[validate_time_zone],
        help_text=_(
            "Days end at midnight there: closing days, days by which results are due, and the times on its pages."
        ),
    )
    records_gender = models.BooleanField(
        _("record and publish the gender of players"),
        default=False,
        db_default=False,
        help_text=_(
            "Its lists then have a filter “Women”, for players who choose to show their gender. Otherwise lists that"
            " are imported leave the gender out."
        ),
    )
    administrators = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="administrator_of",
        blank=True,
        verbose_name=_("administrators"),
        help_text=_("They edit this federation's page, beside the administrators of the portal."),
    )

    class Meta:
        verbose_name = _("federation")
        verbose_name_plural = _("federations")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("federation", args=[self.slug])

    @property
    def label(self) -> str:
        """Return the short name, or the name if there is none."""
        return self.short_name or self.name

    @property
    def links(self) -> list[tuple[str, str]]:
        """Return the labels and addresses of the links that are set."""
        labelled = {
            gettext("Home page"): self.home,
            gettext("Contact"): self.contact,
            gettext("Rules of the federation"): self.rules,
            gettext("Privacy policy"): self.privacy,
            gettext("Imprint"): self.imprint,
        }
        return [(label, address) for label, address in labelled.items() if address]
