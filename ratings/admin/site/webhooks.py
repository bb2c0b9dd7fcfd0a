from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.models import WebhookSubscription

from .staff import ReadOnlyAdmin


@admin.register(WebhookSubscription)
class WebhookSubscriptionAdmin(ReadOnlyAdmin):
    """Screen of all webhooks, for administrators: they are changed on the pages of their federations."""

    list_display = ["name", "federation", "address", "state", "owner", "failing_since", "deleted_at"]
    list_filter = ["federation", "state"]
    search_fields = ["name", "address"]
    list_select_related = ["federation", "owner"]
    readonly_fields = fields = (
        "name",
        "federation",
        "address",
        "kinds",
        "state",
        "owner",
        "created_at",
        "failing_since",
        "next_try_at",
        "previous_until",
        "deleted_at",
        "page",
    )

    @admin.display(description=_("page with the log"))
    def page(self, subscription: WebhookSubscription) -> SafeString:
        """Return a link to the page on which the webhook is changed."""
        return format_html('<a href="{}">{}</a>', subscription.get_absolute_url(), subscription.name)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)
