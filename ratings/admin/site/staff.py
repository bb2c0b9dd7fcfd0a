from __future__ import annotations

from collections.abc import Collection
from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin, InlineModelAdmin
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from ratings.access import is_officer
from ratings.reauthentication import get_interruption, redirect_to_sign_in, signed_in_recently
from ratings.versioned_forms import VERSION_FIELD, VersionedForm


class VersionedAdmin(BaseModelAdmin[Any]):
    """Base of admin forms with the hidden version field of `ratings.versioned_forms`."""

    form = VersionedForm

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if not self._may_save(request, obj) or VERSION_FIELD in flatten_fieldsets(fieldsets):
            return fieldsets
        return [*fieldsets, (None, {"fields": [VERSION_FIELD]})]

    def _may_save(self, request: HttpRequest, obj: Any) -> bool:
        """Return True if the user may save the form; inline forms get the object of the page as `obj`."""
        if obj is not None:
            return self.has_change_permission(request, obj)
        return self.has_add_permission(request, *([obj] if isinstance(self, InlineModelAdmin) else []))

    def without_version(self, request: HttpRequest, obj: Any, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options of a form without the version field, which the model does not have."""
        fields = options["fields"] if "fields" in options else flatten_fieldsets(self.get_fieldsets(request, obj))
        return options | {"fields": fields and [name for name in fields if name != VERSION_FIELD]}


class StaffAdmin(VersionedAdmin, admin.ModelAdmin[Any]):
    """Base of all admin screens: versioned forms, actions for officers, the audit trail as an object's history."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change=change, **self.without_version(request, obj, kwargs))

    def has_officer_permission(self, request: HttpRequest) -> bool:
        """Return True if the user may run actions with `permissions=["officer"]`."""
        return is_officer(request.user)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        if not (auditlog.contains(self.model) and request.user.has_perm("auditlog.view_logentry")):
            return super().history_view(request, object_id, extra_context)
        kind = ContentType.objects.get_for_model(self.model)
        query = urlencode({"resource_type": str(kind.pk), "object_id": str(unquote(object_id))})
        return redirect(f"{reverse('admin:auditlog_logentry_changelist')}?{query}")


class RecentSignInAdmin(StaffAdmin):
    """Base of screens whose forms, deletions or actions decide something, and so need a recent sign-in.

    `deciding_actions` names these actions; None: the forms and deletions decide. `sign_in_first`: opening the page
    needs the sign-in as well, because passwords are typed into it, which are never stored.
    """

    deciding_actions: Collection[str] | None = None
    sign_in_first = False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        deletes = self.deciding_actions is None
        actions = {*(self.deciding_actions or ()), *(["delete_selected"] if deletes else [])}
        is_repeated = "held" in request.POST
        if request.method == "POST" and (is_repeated or request.POST.get("action") in actions):
            response = get_interruption(request)
            if response is not None:
                return response
        return super().changelist_view(request, extra_context)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        response = self.require_recent_login(request)
        return response or super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return self.require_recent_login(request) or super().delete_view(request, object_id, extra_context)

    def require_recent_login(self, request: HttpRequest) -> HttpResponse | None:
        if self.deciding_actions is not None or not request.user.is_staff:
            return None
        if self.sign_in_first and request.method == "GET" and not signed_in_recently(request):
            return redirect_to_sign_in(request.get_full_path())
        return get_interruption(request) if request.method == "POST" else None


class ReadOnlyAdmin(StaffAdmin):
    """Base of admin screens on which nothing can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
