from __future__ import annotations

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.admin.runs.derived import DerivedAdmin
from ratings.admin.site.actions import decline
from ratings.admin.site.exchange import ExportAdmin
from ratings.admin.site.resources import ReportResource
from ratings.models import (
    ApiKey,
    Approval,
    Claim,
    EventStep,
    HallLink,
    HallResult,
    Merge,
    Proposal,
    Report,
    Submission,
    SubmissionComment,
    Upload,
)
from ratings.queries.results.workflow import approver_lists, officer_lists, visible_events


@admin.register(Submission)
class SubmissionAdmin(DerivedAdmin):
    """Read-only screen of submissions; staff, too, edit them on their own pages."""

    list_display = ["event", "name", "state", "made_by", "changed_at", "accepted_by", "accepted_at", "page"]
    list_filter = ["state", "event__lists"]
    search_fields = ["event__name", "name", "reason"]
    list_select_related = ["event", "made_by", "accepted_by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        return super().get_queryset(request).filter(event__in=visible_events(request.user).values("pk"))

    @admin.display(description=_("page"))
    def page(self, submission: Submission) -> SafeString:
        return format_html('<a href="{}">{}</a>', submission.get_absolute_url(), _("open"))


@admin.register(Upload)
class UploadAdmin(DerivedAdmin):
    list_display = ["name", "format", "event", "list", "by", "at"]
    fields = ("name", "format", "event", "list", "by", "at")
    list_filter = ["format"]
    search_fields = ["name", "event__name"]
    list_select_related = ["event", "list", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        uploads = super().get_queryset(request).defer("data")
        without_event = Q(event=None, list__in=officer_lists(request.user).values("pk"))
        return uploads.filter(Q(event__in=visible_events(request.user).values("pk")) | without_event)


@admin.register(EventStep)
class EventStepAdmin(DerivedAdmin):
    list_display = ["at", "event", "what", "by", "note"]
    list_filter = ["what"]
    search_fields = ["event__name", "note"]
    list_select_related = ["event", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventStep]:
        return super().get_queryset(request).filter(event__in=visible_events(request.user).values("pk"))


@admin.register(SubmissionComment)
class SubmissionCommentAdmin(DerivedAdmin):
    """Read-only screen of the officers' comments on results; they are written and settled on the results pages."""

    list_display = ["at", "submission", "row", "round", "text", "by", "withdrawn_at", "settled_at"]
    list_filter = ["at"]
    search_fields = ["submission__event__name", "text"]
    list_select_related = ["submission__event", "by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SubmissionComment]:
        visible = visible_events(request.user).values("pk")
        return super().get_queryset(request).filter(submission__event__in=visible)


@admin.register(HallLink)
class HallLinkAdmin(DerivedAdmin):
    """Read-only screen of the links by which helpers enter results; organisers revoke them on their own pages."""

    list_display = ["hall", "label", "expires_at", "revoked_at", "made_by"]
    fields = ("hall", "label", "expires_at", "revoked_at", "made_by", "made_at")
    list_filter = ["expires_at"]
    search_fields = ["hall__event__name", "label"]
    list_select_related = ["hall__event", "made_by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[HallLink]:
        return super().get_queryset(request).filter(hall__event__in=visible_events(request.user).values("pk"))


@admin.register(HallResult)
class HallResultAdmin(DerivedAdmin):
    """Read-only screen of everything that was tapped in halls."""

    list_display = ["at", "event", "board", "code", "decides", "name", "by", "link"]
    list_filter = ["code", "decides"]
    search_fields = ["board__hall__event__name", "name"]
    list_select_related = ["board__hall__event", "by", "link__hall__event"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[HallResult]:
        return super().get_queryset(request).filter(board__hall__event__in=visible_events(request.user).values("pk"))

    @admin.display(description=_("event"))
    def event(self, result: HallResult) -> str:
        return str(result.board.hall.event)


@admin.register(Approval)
class ApprovalAdmin(DerivedAdmin):
    """Read-only screen of approvals; approvers decide on the page of the dossier."""

    list_display = ["player", "grade", "list", "earned_on", "state", "sent_on", "effective", "decided_by", "page"]
    list_filter = ["state", "list", "grade"]
    search_fields = ["player__search_name", "reference", "sent_reference"]
    list_select_related = ["player", "list", "decided_by"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Approval]:
        return super().get_queryset(request).filter(list__in=approver_lists(request.user).values("pk"))

    @admin.display(description=_("page"))
    def page(self, case: Approval) -> SafeString:
        return format_html('<a href="{}">{}</a>', case.get_absolute_url(), _("open"))


@admin.register(Proposal)
class ProposalAdmin(DerivedAdmin):
    """Read-only screen of proposals; they are confirmed or withdrawn on a page for officers."""

    list_display = ["at", "player", "list", "kind", "what", "state", "by", "closed_by"]
    list_filter = ["state", "list", "kind"]
    search_fields = ["player__search_name"]
    list_select_related = ["player", "list", "by", "closed_by"]


@admin.register(Merge)
class MergeAdmin(DerivedAdmin):
    list_display = ["at", "gone", "kept", "whole", "reason", "by", "undone_at", "undone_by"]
    list_filter = ["whole", "undone_at"]
    search_fields = ["gone__search_name", "kept__search_name"]
    list_select_related = ["gone", "kept", "by", "undone_by"]


@admin.register(Report)
class ReportAdmin(ExportAdmin, DerivedAdmin):
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
    """Read-only screen of claims; they are answered on a page for officers."""

    list_display = ["at", "player", "user", "state", "answered_by", "answered_at"]
    list_filter = ["state"]
    search_fields = ["player__search_name", "player__public_id", "user__username"]
    list_select_related = ["player", "user", "answered_by"]


@admin.register(ApiKey)
class ApiKeyAdmin(DerivedAdmin):
    """Read-only screen of API keys; owners create and revoke them on a page, administrators revoke any on another."""

    list_display = ["prefix", "label", "owner", "made_at", "expires_at", "last_used_at", "revoked_at"]
    list_filter = ["revoked_at"]
    search_fields = ["prefix", "label", "owner__username"]
    list_select_related = ["owner"]
    fields = ("owner", "label", "prefix", "scopes", "made_at", "expires_at", "last_used_at", "revoked_at")
