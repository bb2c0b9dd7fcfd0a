from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.access import is_officer
from ratings.domain.claims import release
from ratings.domain.outside import save_player
from ratings.matching import fold
from ratings.models import Club, Membership, Player

from .actions import merge_two
from .exchange import Exports, ImportsAndExports
from .resources import ClubResource, MembershipResource, PlayerResource
from .staff import StaffAdmin


class MembershipInline(admin.TabularInline[Membership, Player]):
    model = Membership
    extra = 0
    autocomplete_fields = ["club"]


@admin.register(Club)
class ClubAdmin(ImportsAndExports, StaffAdmin):
    resource_classes = [ClubResource]
    list_display = ["name", "city", "country", "closed"]
    list_filter = ["country"]
    search_fields = ["name", "city"]


@admin.register(Membership)
class MembershipAdmin(Exports, StaffAdmin):
    resource_classes = [MembershipResource]
    list_display = ["player", "club", "start", "end"]
    list_filter = ["club", "start", "end"]
    search_fields = ["player__search_name"]
    autocomplete_fields = ["player", "club"]
    list_select_related = ["player", "club"]


@admin.register(Player)
class PlayerAdmin(ImportsAndExports, StaffAdmin):
    resource_classes = [PlayerResource]
    list_display = ["name", "native_name", "country", "shown", "account", "public_id"]
    list_filter = ["shown", ("account", admin.EmptyFieldListFilter), "country"]
    list_select_related = ["account"]
    search_fields = ["search_name", "public_id"]
    search_help_text = "Any parts of the name, in any order, with or without accents; or the public id."
    readonly_fields = ["public_id", "account"]
    inlines = [MembershipInline]
    actions = [merge_two, "release_pages"]

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Birth dates and who is shown how are for officers; whoever adds a player may give his birth date."""
        fields = super().get_fields(request, obj)
        if is_officer(request.user):
            return fields
        for_officers = ("shown", "account") if obj is None else ("shown", "account", "birth")
        return [field for field in fields if not str(field).startswith(for_officers)]

    def save_model(self, request: HttpRequest, obj: Player, form: ModelForm[Any], change: bool) -> None:
        save_player(obj)

    @admin.action(description=_("Take the page back from its account"), permissions=["change"])
    def release_pages(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        for player in queryset.exclude(account=None):
            release(player)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        by_id = queryset.filter(public_id__iexact=search_term.strip())
        if search_term.strip() and by_id.exists():
            return by_id, False
        return super().get_search_results(request, queryset, fold(search_term))
