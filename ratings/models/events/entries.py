"""Entries for an event before it is played: the settings of its entry list, and each player's entry."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxLengthValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_countries.fields import CountryField

from ratings.models.players.people import Player, validate_name, validate_text
from ratings.models.site.versioned import Versioned

from .events import Event

MAX_MESSAGE_LENGTH = 1000
KEY_LENGTH, BATCH_LENGTH = 32, 12


def new_entry_key() -> str:
    """Return the secret part of the address of an entry, which only its sender and the organisers know."""
    return get_random_string(KEY_LENGTH)


class EntryList(Versioned):
    """The settings of an event's entries. An event without one takes no entries."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="entry_list", verbose_name=_("event"))
    is_open = models.BooleanField(_("players can enter here"), default=True)
    closes_at = models.DateTimeField(
        _("entries close"),
        null=True,
        blank=True,
        help_text=_("Leave empty to take entries until the first day."),
    )
    limit = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Further players go to the waiting list. Leave empty for no limit."),
    )
    is_public = models.BooleanField(
        _("show the entered players to everybody"),
        default=True,
        help_text=_("With ratings and grades. Players who chose to be anonymous are never listed."),
    )

    class Meta:
        verbose_name = _("entry list")
        verbose_name_plural = _("entry lists")

    def __str__(self) -> str:
        return str(self.event)


class EventEntry(Versioned):
    """A player's entry for an event: a known player, or a name that was typed.

    `email` and `message` are for the organisers only and are deleted some time after the event. `key` leads its sender
    to the page on which it can be withdrawn. `previous_state` is the state that the last change can be undone to; it is
    empty if there is none. `batch` is the same for all entries that were last changed by one click. `was_matched` says
    that the last change chose the player for a typed name. `position` orders the waiting list.
    """

    class State(models.TextChoices):
        ASKED = "asked", pgettext_lazy("entry", "to be confirmed")
        CONFIRMED = "confirmed", pgettext_lazy("entry", "entered")
        WAITING = "waiting", pgettext_lazy("entry", "on the waiting list")
        WITHDRAWN = "withdrawn", pgettext_lazy("entry", "withdrawn")
        REFUSED = "refused", pgettext_lazy("entry", "refused")
        REMOVED = "removed", pgettext_lazy("entry", "removed")

    ACTIVE = (State.ASKED, State.CONFIRMED, State.WAITING)

    event = models.ForeignKey(Event, models.CASCADE, related_name="player_entries", verbose_name=_("event"))
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="event_entries", verbose_name=_("player")
    )
    family_name = models.CharField(_("family name"), max_length=100, blank=True, validators=[validate_name])
    given_name = models.CharField(_("given name"), max_length=100, blank=True, validators=[validate_name])
    country = CountryField(_("country"), blank=True)
    club = models.CharField(_("club"), max_length=100, blank=True, validators=[validate_name])
    email = models.EmailField(_("email address"), blank=True)
    message = models.TextField(
        _("message to the organisers"),
        blank=True,
        max_length=MAX_MESSAGE_LENGTH,
        validators=[MaxLengthValidator(MAX_MESSAGE_LENGTH), validate_text],
    )
    is_listed = models.BooleanField(_("my name may appear in the public list of entries"), default=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.ASKED)
    previous_state = models.CharField(max_length=10, choices=State, blank=True, default="", editable=False)
    batch = models.CharField(max_length=BATCH_LENGTH, blank=True, default="", db_default="", editable=False)
    was_matched = models.BooleanField(default=False, db_default=False, editable=False)
    position = models.PositiveIntegerField(default=0, editable=False)
    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_entry_key, editable=False)
    entered_at = models.DateTimeField(_("entered"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("changed by")
    )

    class Meta:
        verbose_name = _("entry for an event")
        verbose_name_plural = _("entries for events")
        ordering = ["event", "position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player"],
                condition=Q(player__isnull=False),
                name="one_entry_per_player_and_event",
                violation_error_message=_("This player has an entry for the event already."),
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False) | ~Q(family_name=""),
                name="event_entry_has_a_player_or_a_name",
                violation_error_message=_("Choose a player, or enter a name."),
            ),
        ]
        indexes = [models.Index(fields=["event", "state"])]

    def __str__(self) -> str:
        return str(self.player) if self.player else self.typed_name

    @property
    def typed_name(self) -> str:
        return f"{self.family_name} {self.given_name}".strip()

    @property
    def is_active(self) -> bool:
        """Return True if the player wants to play: the entry is not withdrawn, refused or removed."""
        return self.state in self.ACTIVE
