"""Players, clubs, events and lists that users follow, and the changes that their mails have to report."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.models.events.events import Event
from ratings.models.lists.lists import RatingList
from ratings.models.players.people import Club, Player


class MailFrequency(models.TextChoices):
    """Choices of how often a user gets mails."""

    AT_ONCE = "at once", _("immediately")
    WEEKLY = "weekly", _("once a week")
    NEVER = "never", _("no emails")


TARGETS = ("player", "club", "event", "list")
"""Kinds of pages that can be followed; the names of the fields of `Follow`."""


def _exactly_one_target() -> Q:
    condition = Q()
    for name in TARGETS:
        condition |= Q(**{f"{other}__isnull": other != name for other in TARGETS})
    return condition


class Follow(models.Model):
    """A player, club, event or list that a user follows."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows", verbose_name=_("user"))
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, related_name="followers", verbose_name=_("player"), editable=False
    )
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, related_name="followers", verbose_name=_("club"), editable=False
    )
    event = models.ForeignKey(
        Event, models.CASCADE, null=True, related_name="followers", verbose_name=_("event"), editable=False
    )
    list = models.ForeignKey(
        RatingList, models.CASCADE, null=True, related_name="followers", verbose_name=_("list"), editable=False
    )
    frequency = models.CharField(
        _("emails"), max_length=10, choices=MailFrequency, default=MailFrequency.AT_ONCE, editable=True
    )
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("followed page")
        verbose_name_plural = _("followed pages")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=_exactly_one_target(), name="follow_has_one_target"),
            models.CheckConstraint(condition=Q(frequency__in=MailFrequency.values), name="follow_has_known_frequency"),
            *(models.UniqueConstraint(fields=["user", name], name=f"one_follow_per_{name}") for name in TARGETS),
        ]

    def __str__(self) -> str:
        return str(self.target)

    @property
    def target(self) -> Player | Club | Event | RatingList:
        """The followed player, club, event or list."""
        target = self.player or self.club or self.event or self.list
        assert target is not None  # by the constraint follow_has_one_target
        return target


class FollowSettings(models.Model):
    """Choices of a user about mails besides the followed pages; without a row the defaults apply."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="follow_settings", verbose_name=_("user")
    )
    own_corrections = models.CharField(
        _("corrections of my rating without a new game"),
        max_length=10,
        choices=MailFrequency,
        default=MailFrequency.AT_ONCE,
    )

    class Meta:
        verbose_name = _("email setting")
        verbose_name_plural = _("email settings")
        constraints = [
            models.CheckConstraint(
                condition=Q(own_corrections__in=MailFrequency.values), name="own_corrections_have_known_frequency"
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)


class FollowedChange(models.Model):
    """A change that a user gets a mail about; the row is deleted when the mail is written.

    `data` holds public ids and numbers, never names: these are read when the mail is written. Without `follow`, it is a
    correction of the user's own rating. The database checks no foreign keys here, so that a run which stores a change
    never fails because a user stops following at the same time.
    """

    class Kind(models.TextChoices):
        RATING = "rating", pgettext_lazy("kind of change", "rating")
        CORRECTION = "correction", _("correction without a game")
        GRADE = "grade", pgettext_lazy("kind of change", "grade")
        MEMBERS = "members", _("event of club members")
        STEP = "step", _("step of an event")
        RATED = "rated", _("event rated")
        PUBLISHED = "published", _("list published")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, db_constraint=False, related_name="+", verbose_name=_("user")
    )
    follow = models.ForeignKey(
        Follow, models.CASCADE, db_constraint=False, null=True, related_name="changes", verbose_name=_("followed page")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("followed change")
        verbose_name_plural = _("followed changes")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
