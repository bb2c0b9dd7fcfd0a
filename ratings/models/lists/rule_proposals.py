from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.message_fields import MessageField
from ratings.models.players.people import Player

from .lists import RatingList
from .studies import Study

LONGEST_TEXT = 5000


class RuleProposal(models.Model):
    """Proposed change of a list's rules: other options from a day on, or a successor list by another system.

    `options` are the new values of the options that change, or all options of the successor list, whose rating system
    is `system`. `figures` and the effects on players are computed as if the rules had applied from `since` on; the
    figures have `on_day` if the effects have the rating on the day too, which older ones lack.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("not published")
        OPEN = "open", _("open for comments")
        ADOPTED = "adopted", _("adopted")
        REJECTED = "rejected", _("rejected")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class Work(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("finished")
        FAILED = "failed", _("failed")

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="rule_proposals", verbose_name=_("list"))
    study = models.ForeignKey(Study, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("study"))
    title = models.CharField(_("title"), max_length=120)
    reason = models.TextField(_("why"), validators=[MaxLengthValidator(LONGEST_TEXT)])
    proposed_by = models.CharField(_("proposed by"), max_length=120)
    system = models.CharField(_("rating system"), max_length=20)
    options = models.JSONField(_("options"), default=dict, blank=True)
    successor_slug = models.SlugField(_("short name of the successor list in addresses"), blank=True)
    successor_name = models.CharField(_("name of the successor list"), max_length=100, blank=True)
    in_force = models.DateField(_("in force from"))
    comments_until = models.DateField(_("comments until"), null=True, blank=True)
    since = models.DateField(_("effects as if in force from"))
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.DRAFT)
    work = models.CharField(_("computation of the effects"), max_length=7, choices=Work.choices, default=Work.WAITING)
    work_at = models.DateTimeField(_("last computed"), null=True, blank=True)
    error = MessageField(_("error"), blank=True)
    figures = models.JSONField(_("figures"), null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    changed_at = models.DateTimeField(_("last change of its state"), null=True, blank=True)

    class Meta:
        verbose_name = _("proposed change of the rules")
        verbose_name_plural = _("proposed changes of the rules")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("rule_proposal", args=[self.list.slug, self.pk])

    @property
    def starts_successor(self) -> bool:
        """True if the list is to be continued by another one, False if its options are to change."""
        return bool(self.successor_slug)

    @property
    def is_adopted(self) -> bool:
        return self.state == self.State.ADOPTED

    @property
    def successor(self) -> RatingList | None:
        """The successor list, once it has started."""
        started = self.list.successor if self.starts_successor and self.is_adopted else None
        return started if started is not None and started.slug == self.successor_slug else None


class RuleProposalStep(models.Model):
    """A step in the life of a proposal, with the reason that its author gave."""

    class What(models.TextChoices):
        PUBLISHED = "published", _("published")
        ADOPTED = "adopted", _("adopted")
        REJECTED = "rejected", _("rejected")
        WITHDRAWN = "withdrawn", _("withdrawn")
        REOPENED = "reopened", _("reopened")
        STARTED = "started", _("successor list started")

    proposal = models.ForeignKey(RuleProposal, models.CASCADE, related_name="steps", verbose_name=_("proposal"))
    what = models.CharField(_("step"), max_length=9, choices=What.choices)
    reason = models.TextField(_("reason"), blank=True, validators=[MaxLengthValidator(LONGEST_TEXT)])
    at = models.DateTimeField(_("at"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )

    class Meta:
        verbose_name = _("step of a proposal")
        verbose_name_plural = _("steps of proposals")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.proposal}: {self.get_what_display()}"


class RuleEffect(models.Model):
    """A player's rating by the present rules, on the day of proposed ones and by these, and the grades by both.

    All are in rating points of the proposed rules.
    """

    proposal = models.ForeignKey(RuleProposal, models.CASCADE, related_name="effects", verbose_name=_("proposal"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="rule_effects", verbose_name=_("player"))
    present = models.FloatField(_("rating by the present rules"))
    on_day = models.FloatField(
        _("rating on the day"), null=True, blank=True, help_text=_("Empty for players who are not on the list then.")
    )
    rating = models.FloatField(_("rating by the proposed rules"))
    grade_present = models.CharField(_("grade by the present rules"), max_length=10, blank=True)
    grade = models.CharField(_("grade by the proposed rules"), max_length=10, blank=True)

    class Meta:
        verbose_name = _("effect of a proposal")
        verbose_name_plural = _("effects of proposals")
        constraints = [models.UniqueConstraint(fields=["proposal", "player"], name="one_effect_per_player")]

    def __str__(self) -> str:
        return f"{self.proposal}: {self.player_id}"

    @property
    def change(self) -> float:
        """The difference that the proposed rules make, in rating points."""
        return self.rating - self.present
