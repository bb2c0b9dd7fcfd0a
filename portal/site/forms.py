from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from ratings.access import APPROVERS, OFFICERS, ORGANISERS, Action
from ratings.domain.site.accounts import ROLE_NAMES
from ratings.models import Club


class InviteForm(forms.Form):
    """Form to invite a user by mail to a role."""

    APPOINTED_BY: ClassVar = {
        ORGANISERS: Action.KEEP_PLAYERS,
        OFFICERS: Action.KEEP_OFFICERS,
        APPROVERS: Action.KEEP_OFFICERS,
    }
    mail = forms.EmailField(label=_("Email address"), max_length=254)
    role = forms.ChoiceField(label=_("Role"))
    club = forms.ModelChoiceField(
        Club.objects.filter(closed=None), label=_("Club whose events they manage"), required=False
    )

    def __init__(self, *args: Any, roles: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [(role, capfirst(ROLE_NAMES[role])) for role in roles]  # type: ignore[attr-defined] # a choice field
