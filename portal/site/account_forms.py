"""Forms of django-allauth with labels and hints in our words."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.utils.translation import gettext_lazy as _

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


class PlainForm(forms.Form):
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


def in_our_words(form: type[forms.Form], **labels: Any) -> type[forms.Form]:
    """Return a class of forms like one of django-allauth, with our labels; `labels` are those of this form only."""
    return type(form.__name__, (PlainForm, form), {"labels": labels})


EMAIL = _("Email address")
LoginForm = in_our_words(account.LoginForm)
SignupForm = in_our_words(account.SignupForm, email=EMAIL, password1=_("Password"), password2=_("Repeat the password"))
AddEmailForm = in_our_words(account.AddEmailForm, email=_("New email address"))
ChangePasswordForm = in_our_words(account.ChangePasswordForm)
SetPasswordForm = in_our_words(account.SetPasswordForm)
ResetPasswordForm = in_our_words(account.ResetPasswordForm, email=EMAIL)
ResetPasswordKeyForm = in_our_words(account.ResetPasswordKeyForm)
ReauthenticateForm = in_our_words(account.ReauthenticateForm)
AuthenticateForm = in_our_words(mfa.AuthenticateForm)
ReauthenticateCodeForm = in_our_words(mfa.ReauthenticateForm)
ActivateTOTPForm = in_our_words(totp.ActivateTOTPForm, code=_("Code in the app"))
AddWebAuthnForm = in_our_words(webauthn.AddWebAuthnForm)
EditWebAuthnForm = in_our_words(webauthn.EditWebAuthnForm)
