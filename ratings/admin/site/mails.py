from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ratings.domain.site.outbox import retry_mails
from ratings.models import OutgoingMail

from .staff import StaffAdmin


@admin.register(OutgoingMail)
class OutgoingMailAdmin(StaffAdmin):
    """Screen of waiting mails, for administrators, without their texts: some contain links that set a password."""

    list_display = [
        "subject",
        "recipients",
        "priority",
        "created_at",
        "attempts",
        "next_try_at",
        "given_up_at",
        "error",
    ]
    list_filter = ["priority", ("given_up_at", admin.EmptyFieldListFilter)]
    actions = ["try_again"]
    readonly_fields = fields = (
        "sender",
        "recipients",
        "subject",
        "priority",
        "created_at",
        "attempts",
        "next_try_at",
        "given_up_at",
        "error",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_delete_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    @admin.action(description=_("Try again now"), permissions=["delete"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[OutgoingMail]) -> None:
        number = retry_mails(queryset)
        text = ngettext("%(number)d mail will be tried again now.", "%(number)d mails will be tried again now.", number)
        messages.success(request, text % {"number": number})
