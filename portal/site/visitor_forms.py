"""Forms that anybody can send: hidden fields that detect machines, and a limit for each address."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core import signing
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django_ratelimit.core import is_ratelimited

from portal.middleware.limits import address_of

LEAST_SECONDS, MOST_SECONDS = 2, 24 * 3600
"""Age of a form when it is sent: machines are faster than the minimum, forgotten forms older than the maximum."""
RATE = "5/h"
SALT = "report"


class VisitorForm(forms.Form):
    """Form with a hidden field `website`, which only machines fill in, and the signed time when it was opened.

    Logged-in users are not checked.
    """

    website = forms.CharField(required=False, widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}))
    opened = forms.CharField(widget=forms.HiddenInput)

    def check_sender(self, user: Any) -> None:
        """Set the user who fills in the form; called at the end of `__init__`."""
        self.is_known = user.is_authenticated
        self.fields["opened"].required = not self.is_known

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if not self.is_known and (values.get("website") or not _was_opened_in_time(values.get("opened", ""))):
            raise forms.ValidationError(_("The form was sent too quickly, or was open for too long. Send it again."))
        return values


def sign_opening() -> str:
    """Return the value of the field `opened` for a form that is shown now."""
    return signing.TimestampSigner(salt=SALT).sign("1")


def _was_opened_in_time(opened: str) -> bool:
    """Return True if a form was opened at least LEAST_SECONDS and at most MOST_SECONDS ago."""
    signer = signing.TimestampSigner(salt=SALT)
    try:
        signer.unsign(opened, max_age=MOST_SECONDS)
    except signing.BadSignature:
        return False
    try:
        signer.unsign(opened, max_age=LEAST_SECONDS)
    except signing.SignatureExpired:
        return True
    return False


def is_over_limit(request: HttpRequest, group: str) -> bool:
    """Count a form of an address, and return True if it has sent more than RATE allows."""
    return bool(is_ratelimited(request, group=group, key=address_of, rate=RATE, method="POST", increment=True))
