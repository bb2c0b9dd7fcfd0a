"""Grades that somebody outside has to approve: what was asked of him, and what he answered."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .events import Event
from .given import Decision
from .lists import RatingList
from .people import Player, public_id_field
from .tables import Table


class Approval(models.Model):
    """One grade's way from being earned to being approved or declined; it hangs on list, player, grade and day."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        PROPOSED = "proposed", _("waiting for the second approver")
        APPROVED = "approved", _("approved")
        DECLINED = "declined", _("declined")
        FALLEN = "fallen", _("fallen away: the results that earned it were corrected")

    OPEN = (State.WAITING, State.SENT, State.PROPOSED)

    public_id = public_id_field()
    list = models.ForeignKey(RatingList, models.CASCADE, related_name="approvals", verbose_name=_("list"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="approvals", verbose_name=_("player"))
    grade = models.CharField(_("grade"), max_length=10)
    earned_on = models.DateField(_("earned on"))
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("earned in")
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    opened_at = models.DateTimeField(_("waiting since"), auto_now_add=True)
    reminded_at = models.DateTimeField(null=True, blank=True, editable=False)
    sent_on = models.DateField(_("sent on"), null=True, blank=True)
    sent_reference = models.CharField(_("reference of the letter sent"), max_length=100, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("sent by")
    )
    granted = models.BooleanField(_("approved"), null=True, blank=True)
    answered_on = models.DateField(_("day of the answer"), null=True, blank=True)
    effective = models.DateField(_("counts from"), null=True, blank=True)
    signed_by = models.CharField(_("signed by"), max_length=100, blank=True)
    reference = models.CharField(_("reference of the answer"), max_length=100, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    letter = models.BinaryField(null=True, blank=True, editable=False)
    letter_name = models.CharField(_("letter"), max_length=200, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("entered by")
    )
    decided_at = models.DateTimeField(_("entered"), null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    decision = models.OneToOneField(
        Decision, models.SET_NULL, null=True, blank=True, related_name="approval", verbose_name=_("decision")
    )

    class Meta:
        verbose_name = _("approval of a grade")
        verbose_name_plural = _("approvals of grades")
        ordering = ["-pk"]
        permissions = [("approve_grade", "Can approve grades")]
        constraints = [
            models.UniqueConstraint(
                fields=["list", "player", "grade"],
                condition=Q(state__in=["waiting", "sent", "proposed"]),
                name="one_open_approval_per_grade",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sent", "proposed", "approved", "declined", "fallen"]),
                name="approval_state_is_one_of_the_states",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.grade}"

    def get_absolute_url(self) -> str:
        return reverse("approval", args=[self.public_id])

    @property
    def event(self) -> Event | None:
        return self.table.event if self.table else None

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN
