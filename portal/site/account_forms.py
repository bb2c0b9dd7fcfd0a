"""Forms of django-allauth with labels and hints in our words."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

LABELS = {
    "login": _("Username or email"),
    "remember": _("Stay signed in"),
    "oldpassword": _("Current password"),
    "password1": _("New password"),
    "password2": _("Repeat the new password"),
    "code": _("Code"),
    "passwordless": _("Sign in with this key alone, without a password"),
    "name": _("Name of the key"),
}
"""Labels by the name of the field."""
HINTS = {
    "passwordless": _("The key then asks for your fingerprint, your face or a PIN."),
}
"""Hints by the name of the field."""
ERRORS = (
    gettext_noop("You must type the same password each time."),
    gettext_noop("Please type your current password."),
)
"""Errors of django-allauth that our catalogues translate, because its own German ones say “du”."""


class LabelledForm(forms.Form):
    """Form whose fields have our labels and hints, and no placeholders that repeat the label."""

    labels: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = LABELS | self.labels
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in labels:
                field.label = labels[name]
            if name in HINTS:
                field.help_text = HINTS[name]


def with_our_labels(form: type[forms.Form], **labels: Any) -> type[forms.Form]:
    """Return a class of forms like one of django-allauth, with our labels; `labels` are those of this form only."""
    return type(form.__name__, (LabelledForm, form), {"labels": labels})


EMAIL = _("Email address")
LoginForm = with_our_labels(account.LoginForm)
SignupForm = with_our_labels(
    account.SignupForm, email=EMAIL, password1=_("Password"), password2=_("Repeat the password")
)
AddEmailForm = with_our_labels(account.AddEmailForm, email=_("New email address"))
ChangePasswordForm = with_our_labels(account.ChangePasswordForm)
SetPasswordForm = with_our_labels(account.SetPasswordForm)
ResetPasswordForm = with_our_labels(account.ResetPasswordForm, email=EMAIL)
ResetPasswordKeyForm = with_our_labels(account.ResetPasswordKeyForm)
ReauthenticateForm = with_our_labels(account.ReauthenticateForm)
AuthenticateForm = with_our_labels(mfa.AuthenticateForm)
ReauthenticateCodeForm = with_our_labels(mfa.ReauthenticateForm)
ActivateTOTPForm = with_our_labels(totp.ActivateTOTPForm, code=_("Code in the app"))
AddWebAuthnForm = with_our_labels(webauthn.AddWebAuthnForm)
EditWebAuthnForm = with_our_labels(webauthn.EditWebAuthnForm)
