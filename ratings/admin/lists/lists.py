from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.access import Action, may
from ratings.domain.outside import check_state, delete_list_player, lay_down, save_list, save_list_player, take_back
from ratings.domain.publishing import check_ready, publish, publish_again
from ratings.models import Adjustment, DatedList, Decision, ListPlayer, RatingList

from .actions import rate_again
from .derived import DerivedGoesAlong
from .exchange import Exports
from .of_lists import OfList
from .previews import Previews
from .resources import AdjustmentResource, DatedListResource, DecisionResource, ListPlayerResource
from .staff import StaffAdmin

ANSWERS = ("approved", "declined")
APPOINTED = ("officers", "approvers", "second_approver")


@admin.register(RatingList)
class RatingListAdmin(OfList, Previews, DerivedGoesAlong):
    list_display = ["name", "federation", "system", "comparison_to", "slug", "out_of_date_from", "problem"]
    list_filter = ["system"]
    list_select_related = ["comparison_to"]
    search_fields = ["name", "federation", "slug"]
    readonly_fields = ["out_of_date_from", "problem"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["trusted", "officers", "approvers"]
    actions = [rate_again]

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> list[str]:
        """Who its officers and approvers are is for administrators to say."""
        return [*self.readonly_fields, *([] if request.user.is_superuser else APPOINTED)]

    def save_model(self, request: HttpRequest, obj: RatingList, form: ModelForm[Any], change: bool) -> None:
        save_list(obj)


@admin.register(ListPlayer)
class ListPlayerAdmin(OfList, Exports, Previews):
    resource_classes = [ListPlayerResource]
    list_display = ["player", "list", "prior_grade", "start_year", "member", "withdrawn", "fixed_rating"]
    list_filter = ["list", "member", "withdrawn"]
    search_fields = ["player__search_name"]
    autocomplete_fields = ["player", "list"]
    list_select_related = ["player", "list"]

    def get_exclude(self, request: HttpRequest, obj: ListPlayer | None = None) -> list[str]:
        """What the list's system does not ask for is not asked; before the list is chosen everything may be given."""
        if obj is None:
            return []
        system = obj.list.rating_system
        return [
            *(["start_year"] if "start_year" not in system.asks else []),
            *(["prior_grade", "prior_evidence"] if not system.grades else []),
        ]

    def save_model(self, request: HttpRequest, obj: ListPlayer, form: ModelForm[Any], change: bool) -> None:
        save_list_player(obj)

    def delete_model(self, request: HttpRequest, obj: ListPlayer) -> None:
        delete_list_player(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ListPlayer]) -> None:
        for row in queryset:
            self.delete_model(request, row)


class GivenAdmin(OfList, Exports, Previews, DerivedGoesAlong):
    """Adjustments and decisions: signed by who enters them."""

    list_filter = ["list", "date"]
    search_fields = ["player__search_name", "reason", "source"]
    autocomplete_fields = ["player", "list", "before"]
    readonly_fields = ["made_by", "made_at"]
    list_select_related = ["player", "list", "made_by", "before__event"]

    def save_model(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        if not change and isinstance(request.user, User):
            obj.made_by = request.user
        lay_down(obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        take_back(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for given in queryset:
            take_back(given)


class AdjustmentForm(ModelForm[Adjustment]):
    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc] # Django's own hook, which its stubs leave out
        if not self.errors:
            try:
                check_state(self.instance)
            except ValidationError as error:
                self.add_error(None, error.messages)


@admin.register(Adjustment)
class AdjustmentAdmin(GivenAdmin):
    form = AdjustmentForm
    resource_classes = [AdjustmentResource]
    list_display = ["date", "player", "list", "set", "shift", "reason", "source", "made_by"]


@admin.register(Decision)
class DecisionAdmin(GivenAdmin):
    """Answers to what waits are given by approvers, at the dossier's page; here administrators alone touch them."""

    resource_classes = [DecisionResource]
    list_display = ["date", "player", "list", "grade", "ruling", "reason", "source", "made_by"]

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "ruling" and not request.user.is_superuser:
            kwargs["choices"] = [choice for choice in db_field.choices if choice[0] not in ANSWERS]
        return super().formfield_for_choice_field(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and is_free(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and is_free(request, obj)


def is_free(request: HttpRequest, decision: Decision | None) -> bool:
    return decision is None or decision.ruling not in ANSWERS or bool(request.user.is_superuser)


@admin.register(DatedList)
class DatedListAdmin(OfList, Exports, StaffAdmin):
    """Lists published for a day: added by publishing, never changed, published again after corrections."""

    list_display = ["day", "list", "published_at", "published_by", "revised_at"]
    list_filter = ["list"]
    list_select_related = ["list", "published_by"]
    fields = ["list", "day"]
    resource_classes = [DatedListResource]
    actions = ["publish_again"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, form=DatedListForm, **kwargs)

    def save_model(self, request: HttpRequest, obj: DatedList, form: ModelForm[Any], change: bool) -> None:
        publish(obj)

    @admin.action(description=_("Publish again, with both values kept"), permissions=["add"])
    def publish_again(self, request: HttpRequest, queryset: QuerySet[DatedList]) -> None:
        for dated in queryset.select_related("list"):
            if not may(request.user, Action.KEEP_LIST, dated):
                raise PermissionDenied
            try:
                publish_again(dated)
            except ValidationError as error:
                self.message_user(request, f"{dated}: {' '.join(error.messages)}", messages.ERROR)


class DatedListForm(ModelForm[DatedList]):
    def clean(self) -> Any:
        values = super().clean()
        if values and values.get("list") and values.get("day"):
            check_ready(values["list"], values["day"])
        return values
