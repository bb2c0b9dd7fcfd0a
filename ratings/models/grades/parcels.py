"""Letters to an approving body as they were sent, and links by which its answers are given."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models.grades.approvals import Approval
from ratings.models.site.mails import OutgoingMail


class AnswerLink(models.Model):
    """A link by which a person without an account gives one answer to an approval, together with a code.

    Neither the token in the link nor the code is stored: `token_digest` and `code_digest` only confirm them.
    """

    class State(models.TextChoices):
        OPEN = "open", _("not used")
        USED = "used", _("used")
        REVOKED = "revoked", _("revoked")
        EXPIRED = "expired", _("expired")

    case = models.ForeignKey(Approval, models.CASCADE, related_name="answer_links", verbose_name=_("approval"))
    person = models.CharField(_("person"), max_length=100)
    office = models.CharField(_("office"), max_length=100, blank=True)
    mail = models.EmailField(_("email"))
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    code_digest = models.CharField(max_length=64, editable=False)
    wrong_codes = models.PositiveSmallIntegerField(_("wrong codes"), default=0)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("sent by")
    )
    made_at = models.DateTimeField(_("sent"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("revoked by")
    )

    class Meta:
        verbose_name = _("answer link")
        verbose_name_plural = _("answer links")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.case}: {self.person}"

    @property
    def state(self) -> AnswerLink.State:
        """State of the link now."""
        if self.used_at is not None:
            return self.State.USED
        if self.revoked_at is not None:
            return self.State.REVOKED
        return self.State.EXPIRED if self.expires_at <= timezone.now() else self.State.OPEN

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN


class Parcel(models.Model):
    """A letter to the approving body with its files, as it was sent; the stored text is without the answer link.

    `mail` is the mail until the mail server has accepted it.
    """

    case = models.ForeignKey(Approval, models.CASCADE, related_name="parcels", verbose_name=_("approval"))
    person = models.CharField(_("person"), max_length=100)
    address = models.EmailField(_("email"))
    subject = models.CharField(_("subject"), max_length=300)
    body = models.TextField(_("letter"))
    reference = models.CharField(_("reference"), max_length=100)
    dossier = models.BinaryField(null=True, editable=False)
    certificate = models.BinaryField(null=True, editable=False)
    link = models.OneToOneField(
        AnswerLink, models.SET_NULL, null=True, blank=True, related_name="parcel", verbose_name=_("answer link")
    )
    mail = models.OneToOneField(OutgoingMail, models.SET_NULL, null=True, blank=True, related_name="parcel")
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("sent by")
    )
    sent_at = models.DateTimeField(_("sent"), auto_now_add=True)

    class Meta:
        verbose_name = _("letter to the approving body")
        verbose_name_plural = _("letters to the approving body")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.case}: {self.subject}"
