"""Forms of webhooks: the subscription, and the time from which its deliveries are sent again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from ratings.domain.site.webhook_sending import check_address
from ratings.domain.site.webhooks import possible_owners
from ratings.models import ChangeKind, WebhookSubscription
from ratings.versioned_forms import VersionedForm


class WebhookForm(VersionedForm[WebhookSubscription]):
    """Form of a webhook: its purpose, address, kinds of changes and owner."""

    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("The portal sends each change there by POST, for example to https://example.org/ratings."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Changes to send"),
        choices=ChangeKind.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one kind of change.")},
    )

    class Meta:
        model = WebhookSubscription
        fields = ("name", "address", "kinds", "owner")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = self.instance if self.instance.pk else None
        owners = possible_owners(self.instance.federation, known)
        field = self.fields["owner"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = User.objects.filter(pk__in=[owner.pk for owner in owners]).order_by("username")
        field.required, field.empty_label = True, None
        if known is None:
            self.initial["owner"], self.initial["kinds"] = user.pk, ChangeKind.values

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        check_address(address)
        return address


class ReplayForm(forms.Form):
    """Form with the time from which all deliveries are sent again."""

    since = forms.DateTimeField(
        label=_("Send again everything since"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
