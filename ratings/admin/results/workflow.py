from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.models import ApiKey, Approval, Claim, EventStep, Merge, Report, Sheet, Upload

from .actions import decline
from .derived import DerivedAdmin
from .exchange import Exports
from .resources import ReportResource


@admin.register(Sheet)
class SheetAdmin(DerivedAdmin):
    """Sheets are worked on at their own pages, by staff as well."""

    list_display = ["event", "name", "state", "made_by", "changed_at", "accepted_by", "accepted_at", "page"]
    list_filter = ["state", "event__lists"]
    search_fields = ["event__name", "name", "reason"]
    list_select_related = ["event", "made_by", "accepted_by"]

    @admin.display(description=_("page"))
    def page(self, sheet: Sheet) -> SafeString:
        return format_html('<a href="{}">{}</a>', sheet.get_absolute_url(), _("open"))


@admin.register(Upload)
class UploadAdmin(DerivedAdmin):
    list_display = ["name", "form", "event", "list", "by", "at"]
    fields = ("name", "form", "event", "list", "by", "at")
    list_filter = ["form"]
    search_fields = ["name", "event__name"]
    list_select_related = ["event", "list", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        return super().get_queryset(request).defer("data")


@admin.register(EventStep)
class EventStepAdmin(DerivedAdmin):
    list_display = ["at", "event", "what", "by", "note"]
    list_filter = ["what"]
    search_fields = ["event__name", "note"]
    list_select_related = ["event", "by"]


@admin.register(Approval)
class ApprovalAdmin(DerivedAdmin):
    """Approvers answer at the dossier's page."""

    list_display = ["player", "grade", "list", "earned_on", "state", "sent_on", "effective", "decided_by", "page"]
    list_filter = ["state", "list", "grade"]
    search_fields = ["player__search_name", "reference", "sent_reference"]
    list_select_related = ["player", "list", "decided_by"]

    @admin.display(description=_("page"))
    def page(self, case: Approval) -> SafeString:
        return format_html('<a href="{}">{}</a>', case.get_absolute_url(), _("open"))


@admin.register(Merge)
class MergeAdmin(DerivedAdmin):
    list_display = ["at", "gone", "kept", "whole", "reason", "by", "undone_at", "undone_by"]
    list_filter = ["whole", "undone_at"]
    search_fields = ["gone__search_name", "kept__search_name"]
    list_select_related = ["gone", "kept", "by", "undone_by"]


@admin.register(Report)
class ReportAdmin(Exports, DerivedAdmin):
    resource_classes = [ReportResource]
    actions = [decline]
    list_display = ["public_id", "at", "about", "state", "answered_by", "page"]
    list_filter = ["state"]
    search_fields = ["public_id", "text"]
    list_select_related = ["event", "player", "answered_by"]
    fields = ("public_id", "event", "player", "text", "mail", "by", "at", "state", "answer", "answered_by")

    @admin.display(description=_("page"))
    def page(self, report: Report) -> SafeString:
        return format_html('<a href="{}">{}</a>', report.get_absolute_url(), _("open"))


@admin.register(Claim)
class ClaimAdmin(DerivedAdmin):
    """Claims are answered on the officers' own page."""

    list_display = ["at", "player", "user", "state", "answered_by", "answered_at"]
    list_filter = ["state"]
    search_fields = ["player__search_name", "player__public_id", "user__username"]
    list_select_related = ["player", "user", "answered_by"]


@admin.register(ApiKey)
class ApiKeyAdmin(DerivedAdmin):
    """Keys are made and revoked by their owners, on a page of their own."""

    list_display = ["prefix", "label", "owner", "made_at", "last_used_at", "revoked_at"]
    list_filter = ["revoked_at"]
    search_fields = ["prefix", "label", "owner__username"]
    list_select_related = ["owner"]
    fields = ("owner", "label", "prefix", "made_at", "last_used_at", "revoked_at")
