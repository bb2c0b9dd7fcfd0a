from __future__ import annotations

from typing import Any, TypeVar

from django import forms
from django.contrib import admin
from django.db.models import Model, Q, QuerySet, URLField
from django.forms import BaseInlineFormSet, ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.access import is_officer
from ratings.admin.site.actions import HIDE_OR_SHOW, merge_two
from ratings.admin.site.exchange import ExportAdmin, ImportExportAdmin
from ratings.admin.site.resources import ClubResource, MembershipResource, PlayerResource
from ratings.admin.site.staff import RecentSignInAdmin, StaffAdmin, VersionedAdmin
from ratings.domain.lists.adjustments import save_player
from ratings.domain.players.claims import release_page
from ratings.domain.players.former_names import keep_former_name
from ratings.domain.players.outside_ids import confirm_outside_id
from ratings.formats.people.outside_ids import normalize_outside_id
from ratings.matching import fold
from ratings.models import Club, FormerName, Membership, OutsideId, Player
from ratings.queries.players.outside_ids import names_outside_id
from ratings.versioned_forms import VersionedForm

M = TypeVar("M", bound=Model)
VISIBILITY = ["shown", "birth_public", "gender_public"]


class RowsOfPlayer(VersionedAdmin, admin.TabularInline[M, Player]):  # type: ignore[misc] # both bases have a form
    """Base of the tables on a player's screen."""

    extra = 0

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_formset(request, obj, **self.without_version(request, obj, kwargs))


class MembershipInline(RowsOfPlayer[Membership]):
    model = Membership
    autocomplete_fields = ["club"]


class OutsideIdFormSet(BaseInlineFormSet[OutsideId, Player, ModelForm[OutsideId]]):
    """Ids that the person who saves them confirms."""

    def save_new(self, form: ModelForm[OutsideId], commit: bool = True) -> OutsideId:
        confirm_outside_id(form.instance)
        return super().save_new(form, commit)

    def save_existing(self, form: ModelForm[OutsideId], obj: OutsideId, commit: bool = True) -> OutsideId:
        confirm_outside_id(form.instance)
        return super().save_existing(form, obj, commit)


class OutsideIdInline(RowsOfPlayer[OutsideId]):
    model = OutsideId
    formset = OutsideIdFormSet
    readonly_fields = ["confirmed_by", "confirmed_at"]


class FormerNameInline(RowsOfPlayer[FormerName]):
    model = FormerName


class PlayerForm(VersionedForm[Player]):
    """Form of a player, with a checkbox to store the previous name as a former name."""

    keep_name = forms.BooleanField(
        label=_("Keep the previous name as a former name"),
        required=False,
        help_text=_(
            "Results under the previous name are still matched to this player. Leave unchecked for a misspelling."
        ),
    )


@admin.register(Club)
class ClubAdmin(ImportExportAdmin, StaffAdmin):
    resource_classes = [ClubResource]
    list_display = ["name", "city", "country", "closed"]
    list_filter = ["country"]
    search_fields = ["name", "city"]
    formfield_overrides = {URLField: {"assume_scheme": "https"}}


@admin.register(Membership)
class MembershipAdmin(ExportAdmin, StaffAdmin):
    resource_classes = [MembershipResource]
    list_display = ["player", "club", "start", "end"]
    list_filter = ["club", "start", "end"]
    search_fields = ["player__search_name"]
    autocomplete_fields = ["player", "club"]
    list_select_related = ["player", "club"]


@admin.register(OutsideId)
class OutsideIdAdmin(StaffAdmin):
    """Screen of all ids in other registries; the person who saves one confirms it."""

    list_display = ["player", "registry", "country", "value", "confirmed_by", "confirmed_at"]
    list_filter = ["registry", ("confirmed_at", admin.EmptyFieldListFilter)]
    search_fields = ["value", "player__search_name"]
    autocomplete_fields = ["player"]
    list_select_related = ["player", "confirmed_by"]
    readonly_fields = ["confirmed_by", "confirmed_at"]

    def save_model(self, request: HttpRequest, obj: OutsideId, form: ModelForm[OutsideId], change: bool) -> None:
        confirm_outside_id(obj)
        super().save_model(request, obj, form, change)


@admin.register(FormerName)
class FormerNameAdmin(StaffAdmin):
    list_display = ["player", "family_name", "given_name", "until"]
    search_fields = ["search_name", "player__search_name"]
    autocomplete_fields = ["player"]
    list_select_related = ["player"]


@admin.register(Player)
class PlayerAdmin(ImportExportAdmin, RecentSignInAdmin):
    resource_classes = [PlayerResource]
    list_display = ["name", "native_name", "country", "shown", "account", "public_id"]
    list_filter = ["shown", ("account", admin.EmptyFieldListFilter), "country"]
    list_select_related = ["account"]
    search_fields = ["search_name", "public_id"]
    search_help_text = (
        "Any parts of the name or of a former name, in any order, with or without accents; or an id, here or elsewhere."
    )
    readonly_fields = ["public_id", "account"]
    form = PlayerForm
    inlines = [MembershipInline, OutsideIdInline, FormerNameInline]
    actions = [merge_two, *HIDE_OR_SHOW, "release_pages"]
    deciding_actions = frozenset({*(action.__name__ for action in HIDE_OR_SHOW), "release_pages"})

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        """Make visibility read-only: it is changed by actions, so that no old form undoes the player's own choice."""
        return [*self.readonly_fields, *([] if obj is None else VISIBILITY)]

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Leave out visibility, and birth dates and genders of existing players, for users who are not officers."""
        fields = [field for field in super().get_fields(request, obj) if field != "keep_name" or obj is not None]
        if is_officer(request.user):
            return fields
        for_officers = ("shown", "account") if obj is None else ("shown", "account", "birth", "gender")
        return [field for field in fields if not str(field).startswith(for_officers)]

    def save_model(self, request: HttpRequest, obj: Player, form: ModelForm[Any], change: bool) -> None:
        save_player(obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the tables, then the previous name, which may be one of the former names that were just entered."""
        super().save_related(request, form, formsets, change)
        if change and form.cleaned_data.get("keep_name"):
            keep_former_name(form.instance, form.initial["family_name"], form.initial["given_name"])

    @admin.action(description=_("Disconnect the page from its account"), permissions=["change"])
    def release_pages(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        for player in queryset.exclude(account=None):
            release_page(player)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        named = names_outside_id(search_term) | Q(value=normalize_outside_id(search_term))
        outside = OutsideId.objects.filter(named).values("player")
        by_id = queryset.filter(Q(public_id__iexact=search_term.strip()) | Q(pk__in=outside))
        if search_term.strip() and by_id.exists():
            return by_id, False
        folded = fold(search_term)
        found, may_repeat = super().get_search_results(request, queryset, folded)
        if words := folded.split():
            named = Q()
            for word in words:
                named &= Q(search_name__contains=word)
            found |= queryset.filter(pk__in=FormerName.objects.filter(named).values("player"))
        return found, may_repeat
