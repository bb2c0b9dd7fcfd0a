from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django_countries.fields import CountryField

from ratings.addresses import address_of, name_in_address
from ratings.formats.parsed import ROUNDS_AT_MOST as MAX_ROUNDS
from ratings.models.players.people import Club, public_id_field, validate_name, validate_text
from ratings.models.players.searchable import Searchable
from ratings.models.site.versioned import Versioned

from .tie_breaks import TIE_BREAK_LENGTH, validate_tie_breaks

MAX_SCHEDULE_LENGTH = 2000
"""Maximum number of characters of an event's schedule."""


class Event(Versioned, Searchable):
    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        ACCEPTED = "accepted", _("accepted")
        VOID = "void", _("void")
        DELETED = "deleted", _("deleted")

    OPEN = (State.DRAFT, State.RETURNED)
    """States in which results can be entered: nothing has been submitted, or it was returned."""
    CHANGEABLE = (*OPEN, State.ACCEPTED)
    """States in which results can be entered or corrected; those of a submitted event wait for an officer."""

    class VoidReason(models.TextChoices):
        RULES = "rules", _("The event did not meet the rules.")
        NOT_GENUINE = "not genuine", _("The results are not genuine.")
        TWICE = "twice", _("The event was rated twice.")
        REQUEST = "request", _("The organiser asked for it.")
        OTHER = "other", _("Another reason.")

    class Mode(models.TextChoices):
        BOARD = "board", _("over the board")
        ONLINE = "online", _("online")
        CORRESPONDENCE = "correspondence", _("by correspondence")

    public_id = public_id_field()
    name = models.CharField(_("name"), max_length=200, validators=[validate_name])
    place = models.CharField(_("place"), max_length=100, blank=True, validators=[validate_name])
    address = models.CharField(
        _("venue"),
        max_length=200,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("Building, street and town, for the map."),
    )
    country = CountryField(_("country"), blank=True)
    start = models.DateField(_("first day"))
    end = models.DateField(_("last day"))
    start_time = models.TimeField(
        _("start time"),
        null=True,
        blank=True,
        help_text=_("When play starts on the first day, in local time. For example 19:30."),
    )
    organiser = models.CharField(_("organiser"), max_length=100, blank=True, validators=[validate_name])
    time_control = models.CharField(_("time control"), max_length=100, blank=True)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_ROUNDS)],
        help_text=_("Templates for the results have as many rounds."),
    )
    tie_breaks = models.CharField(
        _("tie-breaks"),
        max_length=TIE_BREAK_LENGTH,
        blank=True,
        default="",
        db_default="",
        validators=[validate_tie_breaks],
        help_text=_("Tie-breaks rank players with equal points. Official places in the results take precedence."),
    )
    state = models.CharField(
        _("state"),
        max_length=10,
        choices=State,
        default=State.DRAFT,
        help_text=_("Only accepted events are rated and shown to the public."),
    )
    lists = models.ManyToManyField(
        "ratings.RatingList",
        related_name="events",
        blank=True,
        verbose_name=_("rated on the lists"),
        limit_choices_to={"comparison_to": None},
    )
    mode = models.CharField(_("mode"), max_length=15, choices=Mode, default=Mode.BOARD)
    link = models.URLField(_("link to the announcement"), blank=True)
    schedule = models.TextField(
        _("schedule"),
        max_length=MAX_SCHEDULE_LENGTH,
        blank=True,
        default="",
        db_default="",
        validators=[MaxLengthValidator(MAX_SCHEDULE_LENGTH), validate_text],
        help_text=_("For example “Saturday 9:30 registration, 10:00 first round”. One line per entry."),
    )
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("An email address or a text. Everybody can see it."),
    )
    registration = models.URLField(_("link to the registration"), blank=True, default="", db_default="")
    announced_at = models.DateTimeField(
        _("announced"), null=True, blank=True, editable=False, help_text=_("Since then the calendar shows it.")
    )
    void_reason = models.CharField(
        _("reason for voiding"), max_length=20, choices=VoidReason, blank=True, editable=False
    )
    void_explanation = models.TextField(_("explanation for voiding"), blank=True, max_length=2000, editable=False)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)
    token = models.UUIDField(
        null=True,
        unique=True,
        editable=False,
        help_text=_("Of the form that made it, so that it makes one event only."),
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, editable=False, related_name="events"
    )
    club = models.ForeignKey(
        Club,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="events",
        verbose_name=_("club"),
        help_text=_("Whose organisers look after the event together."),
    )
    organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="shared_events",
        blank=True,
        verbose_name=_("shared with"),
        help_text=_("They may enter and change its results like whoever made it."),
    )

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-end", "-start", "name"]
        permissions = [("accept_event", "Can accept events, and so have them rated")]
        indexes = [models.Index(fields=["state", "-end"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gte=F("start")),
                name="event_ends_after_its_start",
                violation_error_message=_("The last day is before the first day."),
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "submitted", "returned", "accepted", "void", "deleted"]),
                name="state_is_one_of_the_states",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def searched(self) -> str:
        """Text to search by; includes the year, as most events come every year with the same name."""
        return f"{self.name} {self.place} {str(self.end)[:4]}"

    def get_absolute_url(self) -> str:
        return address_of("event", self.public_id, name_in_address(self.name))

    @property
    def is_open(self) -> bool:
        """Return True if results can be entered."""
        return self.state in self.OPEN
