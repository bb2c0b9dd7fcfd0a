from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.models import Award, Change, Correction, Run, Standing

from .exchange import Exports
from .resources import AwardResource, StandingResource
from .staff import StaffAdmin


class DerivedAdmin(StaffAdmin):
    """What rating runs write can be looked at and not changed: the next run would make it again."""

    list_filter = ["list", "day"]
    search_fields = ["player__search_name"]
    list_select_related = ["player", "list", "table__event"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DerivedGoesAlong(StaffAdmin):
    """Screens of inputs: deleting one takes along what runs derived from it, which nobody deletes by hand."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        objects, counts, needed, protected = super().get_deleted_objects(objs, request)
        derived = {str(model._meta.verbose_name) for model in (Award, Change, Correction, Run, Standing)}
        return objects, counts, {name for name in needed if str(name) not in derived}, protected


@admin.register(Award)
class AwardAdmin(Exports, DerivedAdmin):
    resource_classes = [AwardResource]
    list_display = ["day", "player", "list", "grade", "how", "needs_approval", "table"]
    list_filter = ["list", "grade", "how", "needs_approval", "day"]


@admin.register(Change)
class ChangeAdmin(DerivedAdmin):
    list_display = ["day", "player", "list", "category", "before", "change", "after", "games", "table"]


@admin.register(Standing)
class StandingAdmin(Exports, DerivedAdmin):
    resource_classes = [StandingResource]
    list_display = ["player", "list", "rating", "grade", "waiting", "games", "category", "last_played", "published"]
    list_filter = ["list", "category", "published", "grade"]
    list_select_related = ["player", "list"]


admin.site.site_header = _("Ratings: staff")
admin.site.site_title = _("Ratings")
admin.site.index_title = _("What do you want to do?")
