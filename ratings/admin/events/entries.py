"""Read-only screens of entries for events; organisers and staff change them on the event's own page."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.admin.runs.derived import DerivedAdmin
from ratings.models import EntryList, EventEntry, PairingSecret
from ratings.queries.results.workflow import visible_events


class EntriesAdmin(DerivedAdmin):
    """Base of the screens: only entries of events that the user may see."""

    list_select_related = ["event"]
    search_fields = ["event__name"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(event__in=visible_events(request.user).values("pk"))

    @admin.display(description=_("page"))
    def page(self, row: EntryList | EventEntry) -> SafeString:
        address = reverse("manage_entries", args=[row.event.public_id])
        return format_html('<a href="{}">{}</a>', address, _("open"))


@admin.register(EntryList)
class EntryListAdmin(EntriesAdmin):
    list_filter = ["is_open", "is_public"]
    list_display = ["event", "is_open", "closes_at", "limit", "is_public", "page"]


@admin.register(EventEntry)
class EventEntryAdmin(EntriesAdmin):
    """Screen of entries, without email addresses, messages and the keys of their pages."""

    list_display = ["event", "entered", "state", "entered_at", "changed_at", "changed_by", "page"]
    list_filter = ["state"]
    list_select_related = ["event", "player", "changed_by"]
    fields = (
        *("event", "player", "family_name", "given_name", "country", "club", "is_listed", "state"),
        *("entered_at", "changed_at", "changed_by"),
    )

    @admin.display(description=_("player"))
    def entered(self, entry: EventEntry) -> str:
        return str(entry)


@admin.register(PairingSecret)
class PairingSecretAdmin(EntriesAdmin):
    """Screen of the secrets with which pairing programs act for events; the secrets themselves are not stored."""

    list_filter = ["made_at"]
    list_display = ["event", "prefix", "made_by", "made_at", "last_used_at", "page"]
    list_select_related = ["event", "made_by"]
    fields = ("event", "prefix", "made_by", "made_at", "last_used_at")

    @admin.display(description=_("page"))
    def page(self, row: EntryList | EventEntry | PairingSecret) -> SafeString:
        address = reverse("pairing_program", args=[row.event.public_id])
        return format_html('<a href="{}">{}</a>', address, _("open"))
