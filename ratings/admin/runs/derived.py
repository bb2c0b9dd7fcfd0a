from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ratings.admin.site.exchange import ExportAdmin
from ratings.admin.site.resources import AwardResource, StandingResource
from ratings.admin.site.staff import ReadOnlyAdmin, StaffAdmin
from ratings.models import Award, Change, Checkpoint, Correction, Run, Standing


class DerivedAdmin(ReadOnlyAdmin):
    """Read-only screen of derived records: rating runs write them, and the next run would replace any change."""

    list_filter = ["list", "day"]
    search_fields = ["player__search_name"]
    list_select_related = ["player", "list", "table__event"]


class CascadesDerivedAdmin(StaffAdmin):
    """Base of screens of inputs: deleting an input also deletes derived records, which cannot be deleted directly."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        objects, counts, needed, protected = super().get_deleted_objects(objs, request)
        derived = {str(model._meta.verbose_name) for model in (Award, Change, Checkpoint, Correction, Run, Standing)}
        return objects, counts, {name for name in needed if str(name) not in derived}, protected


@admin.register(Award)
class AwardAdmin(ExportAdmin, DerivedAdmin):
    resource_classes = [AwardResource]
    list_display = ["day", "player", "list", "grade", "how", "needs_approval", "table"]
    list_filter = ["list", "grade", "how", "needs_approval", "day"]


@admin.register(Change)
class ChangeAdmin(DerivedAdmin):
    list_display = ["day", "player", "list", "category", "before", "change", "after", "games", "table"]


@admin.register(Standing)
class StandingAdmin(ExportAdmin, DerivedAdmin):
    resource_classes = [StandingResource]
    list_display = ["player", "list", "rating", "grade", "waiting", "games", "category", "last_played", "published"]
    list_filter = ["list", "category", "published", "grade"]
    list_select_related = ["player", "list"]


admin.site.site_header = _("Ratings: staff")
admin.site.site_title = _("Ratings")
admin.site.index_title = _("What do you want to do?")
