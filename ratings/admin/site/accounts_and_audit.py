from __future__ import annotations

from typing import Any

from auditlog.admin import LogEntryAdmin
from auditlog.filters import ResourceTypeFilter
from auditlog.models import LogEntry
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from .derived import DerivedAdmin
from .staff import StaffAdmin

admin.site.unregister(LogEntry)
admin.site.unregister(User)


@admin.register(LogEntry)
class TrailAdmin(DerivedAdmin, LogEntryAdmin):
    """Who changed what: read by officers, changed by nobody. Who sees no accounts sees no changes of them either."""

    list_display = ["created", "actor", "resource_url", "action", "what"]
    list_filter = ["action", ResourceTypeFilter, ("actor", admin.RelatedOnlyFieldListFilter), "timestamp"]
    search_fields = ["object_repr", "actor__username"]
    list_select_related = ["content_type", "actor"]
    readonly_fields = ["created", "actor", "resource_url", "action", "msg"]
    fieldsets = None
    fields = ["created", "actor", "resource_url", "action", "msg"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        entries: QuerySet[Any] = super().get_queryset(request)
        if request.user.has_perm("auth.view_user"):
            return entries
        return entries.exclude(content_type__app_label="auth")

    @admin.display(description=_("Changes"))
    def what(self, entry: Any) -> SafeString | str:
        """What a change changed; all values of a new or deleted thing stand on the entry's own page."""
        if entry.action != LogEntry.Action.UPDATE:
            return ""
        if any(isinstance(change, dict) for change in entry.changes_dict.values()):
            return str(self.msg(entry))  # what was added to or taken from a list of things
        rows = [(name, before, after) for name, (before, after) in entry.changes_display_dict.items()]
        return format_html_join("", "<div>{}: {} → {}</div>", rows)


@admin.register(User)
class PortalUserAdmin(StaffAdmin, UserAdmin[User]):
    pass
