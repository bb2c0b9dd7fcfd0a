from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.admin.site.exchange import ImportExportAdmin
from ratings.admin.site.resources import FederationMembershipResource
from ratings.admin.site.staff import RecentSignInAdmin, StaffAdmin
from ratings.models import Federation, FederationMembership


@admin.register(Federation)
class FederationAdmin(RecentSignInAdmin):
    """Administrators of the portal create federations and appoint their administrators."""

    list_display = ["name", "short_name", "house"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["administrators"]
    fields = ["name", "slug", "administrators", "pages"]
    readonly_fields = ["pages"]

    @admin.display(description=_("name, crest, colour and links"))
    def pages(self, federation: Federation) -> SafeString | str:
        """Return a link to the page that changes what visitors see."""
        if federation.pk is None:
            return "–"
        address = reverse("edit_federation", args=[federation.slug])
        hooks = reverse("webhooks", args=[federation.slug])
        return format_html(
            '<a href="{}">{}</a> · <a href="{}">{}</a>', address, _("Change what visitors see"), hooks, _("Webhooks")
        )

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else super().get_prepopulated_fields(request, obj)


@admin.register(FederationMembership)
class FederationMembershipAdmin(ImportExportAdmin, StaffAdmin):
    """Screen of the days until which players are members; lists that require membership ask about the others."""

    resource_classes = [FederationMembershipResource]
    list_display = ["player", "federation", "until"]
    list_filter = ["federation", "until"]
    search_fields = ["player__search_name"]
    autocomplete_fields = ["player"]
    list_select_related = ["player", "federation"]
