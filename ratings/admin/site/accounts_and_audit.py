from __future__ import annotations

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from auditlog.admin import LogEntryAdmin
from auditlog.filters import ResourceTypeFilter
from auditlog.models import LogEntry
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.admin.runs.derived import DerivedAdmin
from ratings.versioned_forms import VersionedForm

from .staff import RecentSignInAdmin

admin.site.unregister(LogEntry)
admin.site.unregister([User, Group, EmailAddress])


@admin.register(LogEntry)
class AuditLogAdmin(DerivedAdmin, LogEntryAdmin):
    """Read-only screen of the audit trail for officers; changes of accounts only for users who may see accounts."""

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
        """Return the changed values; those of a created or deleted object are on the page of the entry only."""
        if entry.action != LogEntry.Action.UPDATE:
            return ""
        if any(isinstance(change, dict) for change in entry.changes_dict.values()):
            return str(self.msg(entry))  # additions to and removals from a relation
        rows = [(name, before, after) for name, (before, after) in entry.changes_display_dict.items()]
        return format_html_join("", "<div>{}: {} → {}</div>", rows)


class PortalUserChangeForm(VersionedForm[User], UserChangeForm[User]):
    """Form of a user, without a version number: digests of its fields detect changes by others."""


@admin.register(User)
class PortalUserAdmin(RecentSignInAdmin, UserAdmin[User]):
    """Screen of users with roles and passwords; appointing users needs a recent log-in."""

    form = PortalUserChangeForm
    sign_in_first = True

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the fields of a user's form; Django's form for a new user has no version field."""
        return self.add_fieldsets if obj is None else super().get_fieldsets(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        return self.require_recent_login(request) or super().user_change_password(request, id, form_url)


@admin.register(Group)
class PortalGroupAdmin(RecentSignInAdmin, GroupAdmin):
    pass


@admin.register(EmailAddress)
class PortalEmailAddressAdmin(RecentSignInAdmin, EmailAddressAdmin):
    pass
