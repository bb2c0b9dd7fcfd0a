from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from ratings.domain.outside import lay_down, take_back
from ratings.domain.rerating import mark_from_start, mark_player
from ratings.models import Adjustment, Decision, ListPlayer, RatingList


@admin.register(RatingList)
class RatingListAdmin(admin.ModelAdmin[RatingList]):
    list_display = ["name", "federation", "system", "slug", "out_of_date_from"]
    list_filter = ["system"]
    search_fields = ["name", "federation", "slug"]
    readonly_fields = ["out_of_date_from"]
    prepopulated_fields = {"slug": ["name"]}

    def save_model(self, request: HttpRequest, obj: RatingList, form: ModelForm[Any], change: bool) -> None:
        super().save_model(request, obj, form, change)
        if {"system", "options"} & set(form.changed_data):
            mark_from_start(obj)


@admin.register(ListPlayer)
class ListPlayerAdmin(admin.ModelAdmin[ListPlayer]):
    list_display = ["player", "list", "prior_grade", "start_year", "member", "withdrawn", "fixed_rating"]
    list_filter = ["list", "member", "withdrawn"]
    search_fields = ["player__search_name"]
    autocomplete_fields = ["player", "list"]
    list_select_related = ["player", "list"]

    def save_model(self, request: HttpRequest, obj: ListPlayer, form: ModelForm[Any], change: bool) -> None:
        super().save_model(request, obj, form, change)
        mark_player(obj.list, obj.player)

    def delete_model(self, request: HttpRequest, obj: ListPlayer) -> None:
        mark_player(obj.list, obj.player)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ListPlayer]) -> None:
        for row in queryset:
            self.delete_model(request, row)


class GivenAdmin(admin.ModelAdmin[Any]):
    """Adjustments and decisions: signed by who enters them."""

    list_filter = ["list", "date"]
    search_fields = ["player__search_name", "reason", "source"]
    autocomplete_fields = ["player", "list", "before"]
    readonly_fields = ["made_by", "made_at"]
    list_select_related = ["player", "list", "made_by"]

    def save_model(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        if not change and isinstance(request.user, User):
            obj.made_by = request.user
        lay_down(obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        take_back(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for given in queryset:
            take_back(given)


@admin.register(Adjustment)
class AdjustmentAdmin(GivenAdmin):
    list_display = ["date", "player", "list", "set", "shift", "reason", "source", "made_by"]


@admin.register(Decision)
class DecisionAdmin(GivenAdmin):
    list_display = ["date", "player", "list", "grade", "ruling", "reason", "source", "made_by"]
