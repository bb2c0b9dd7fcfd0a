"""Approvals of grades by an outside body, with their steps, and proposals waiting for a second person."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.events.events import Event
from ratings.models.events.tables import Table
from ratings.models.lists.adjustments import Decision
from ratings.models.lists.lists import RatingList
from ratings.models.message_fields import MessagesField
from ratings.models.players.people import Player, public_id_field, validate_name

if TYPE_CHECKING:
    from ratings.models.grades.questions import ApprovalQuestion


class Approval(models.Model):
    """The approval of one grade of a player on a list, from being earned or requested to the answer."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        PROPOSED = "proposed", _("waiting for the second approver")
        APPROVED = "approved", _("approved")
        DECLINED = "declined", _("declined")
        FALLEN = "fallen", _("fallen away: the results that earned it were corrected")
        WITHDRAWN = "withdrawn", _("request withdrawn")

    OPEN = (State.WAITING, State.SENT, State.PROPOSED)

    public_id = public_id_field()
    list = models.ForeignKey(RatingList, models.CASCADE, related_name="approvals", verbose_name=_("list"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="approvals", verbose_name=_("player"))
    grade = models.CharField(_("grade"), max_length=10)
    earned_on = models.DateField(_("earned on"))
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("earned in")
    )
    evidence = models.CharField(
        _("evidence of the grade held elsewhere"),
        max_length=300,
        blank=True,
        help_text=_("Set where an officer requested the approval; empty where results earned the grade."),
    )
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("requested by"),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    opened_at = models.DateTimeField(_("waiting since"), auto_now_add=True)
    reminded_at = models.DateTimeField(null=True, blank=True, editable=False)
    sent_on = models.DateField(_("sent on"), null=True, blank=True)
    sent_reference = models.CharField(_("reference of the letter sent"), max_length=100, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("sent by")
    )
    answer_by = models.DateField(_("answer by"), null=True, blank=True)
    granted = models.BooleanField(_("approved"), null=True, blank=True)
    answered_on = models.DateField(_("day of the answer"), null=True, blank=True)
    effective = models.DateField(_("counts from"), null=True, blank=True)
    signed_by = models.CharField(_("signed by"), max_length=100, blank=True)
    signer_office = models.CharField(
        _("office of the signer"), max_length=100, blank=True, default="", db_default="", validators=[validate_name]
    )
    reference = models.CharField(_("reference of the answer"), max_length=100, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    letter = models.BinaryField(null=True, blank=True, editable=False)
    letter_name = models.CharField(_("letter"), max_length=200, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("entered by")
    )
    decided_at = models.DateTimeField(_("entered"), null=True, blank=True)
    answered_link = models.ForeignKey(
        "AnswerLink", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("answered by link")
    )
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
                condition=Q(state__in=["waiting", "sent", "proposed", "approved", "declined", "fallen", "withdrawn"]),
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

    @property
    def is_requested(self) -> bool:
        """Return True if an officer requested this approval for a grade held elsewhere; no results earned it."""
        return bool(self.evidence)

    @property
    def is_settled(self) -> bool:
        """Return True if the answer took effect: the grade was approved or declined."""
        return self.state in (self.State.APPROVED, self.State.DECLINED)

    @property
    def open_question(self) -> ApprovalQuestion | None:
        """The question that waits for its answer; None if there is none."""
        return next((question for question in self.questions.all() if question.is_open), None)

    @property
    def shown_state(self) -> str:
        """The state in words, which names an open question."""
        return str(_("question open")) if self.is_open and self.open_question else self.get_state_display()

    @property
    def due_on(self) -> dt.date:
        """The day to answer by: the one that the letter named, or one counted from when the approval was opened."""
        return self.answer_by or self.opened_at.date() + dt.timedelta(days=self.list.answer_within)

    @property
    def own_reference(self) -> str:
        """The reference of the federation: its short name or the list's, the year, and the number of the approval."""
        name = self.list.federation.short_name or self.list.slug.upper()
        return f"{name}-{self.opened_at.year}-{self.pk:04}"


class ApprovalStep(models.Model):
    """A step of an approval: action, user, time and note."""

    class What(models.TextChoices):
        REQUESTED = "requested", _("requested")
        SENT = "sent", _("sent")
        NOT_SENT = "not sent", _("marked as not sent")
        ANSWERED = "answered", _("answer entered")
        TAKEN_BACK = "taken back", _("unconfirmed answer withdrawn")
        CONFIRMED = "confirmed", _("confirmed")
        REOPENED = "reopened", _("reopened")
        WITHDRAWN = "withdrawn", _("request withdrawn")
        MAILED = "mailed", _("letter sent by email")
        REVOKED = "revoked", _("answer link revoked")
        LOCKED = "locked", _("answer link locked after wrong codes")
        ASKED = "asked", _("question asked")
        UNASKED = "unasked", _("question withdrawn")
        REPLIED = "replied", _("question answered")
        UNREPLIED = "unreplied", _("answer to the question withdrawn")

    case = models.ForeignKey(Approval, models.CASCADE, related_name="steps", verbose_name=_("approval"))
    what = models.CharField(_("step"), max_length=10, choices=What)
    note = MessagesField(_("note"), blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    person = models.CharField(_("person without an account"), max_length=100, blank=True, default="", db_default="")
    at = models.DateTimeField(_("at"), auto_now_add=True)
    counted_from = models.DateField(
        _("day from which the withdrawn answer counted"), null=True, blank=True, editable=False
    )
    letter = models.BinaryField(null=True, blank=True, editable=False)
    letter_name = models.CharField(_("letter"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("step of an approval")
        verbose_name_plural = _("steps of approvals")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.case}: {self.get_what_display()}"


def no_content() -> dict[str, Any]:
    return {}


class Proposal(models.Model):
    """A decision, an adjustment or a prior grade that waits until a second person confirms it.

    `content` holds the fields to store, `before` the fields of the stored row when its change or removal was proposed.
    """

    class Kind(models.TextChoices):
        DECISION = "decision", _("decision on a grade")
        ADJUSTMENT = "adjustment", _("adjustment")
        LIST_PLAYER = "listplayer", _("player of the list")

    class What(models.TextChoices):
        ADD = "add", _("add")
        CHANGE = "change", _("change")
        REMOVE = "remove", _("remove")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for a second person")
        CONFIRMED = "confirmed", _("confirmed")
        WITHDRAWN = "withdrawn", _("withdrawn")

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="proposals", verbose_name=_("list"))
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="proposals", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    what = models.CharField(_("what to do"), max_length=6, choices=What)
    target = models.PositiveBigIntegerField(_("id of the stored row"), null=True, blank=True)
    content = models.JSONField(_("content"), default=no_content, blank=True, encoder=DjangoJSONEncoder)
    before = models.JSONField(_("stored content"), default=no_content, blank=True, encoder=DjangoJSONEncoder)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("proposed by")
    )
    at = models.DateTimeField(_("proposed at"), auto_now_add=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed or withdrawn by"),
    )
    closed_at = models.DateTimeField(_("confirmed or withdrawn at"), null=True, blank=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "target"],
                condition=Q(state="waiting", target__isnull=False),
                name="one_waiting_proposal_per_row",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "confirmed", "withdrawn"]),
                name="proposal_state_is_one_of_the_states",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.player or self.list}"
