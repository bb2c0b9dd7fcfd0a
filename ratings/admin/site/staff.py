from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from ratings.access import is_officer


class StaffAdmin(admin.ModelAdmin[Any]):
    """What all screens share: actions for officers, and the audit trail as an object's history."""

    def has_officer_permission(self, request: HttpRequest) -> bool:
        """Asked by actions with `permissions=["officer"]`."""
        return is_officer(request.user)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        if not (auditlog.contains(self.model) and request.user.has_perm("auditlog.view_logentry")):
            return super().history_view(request, object_id, extra_context)
        kind = ContentType.objects.get_for_model(self.model)
        query = urlencode({"resource_type": str(kind.pk), "object_id": str(unquote(object_id))})
        return redirect(f"{reverse('admin:auditlog_logentry_changelist')}?{query}")
