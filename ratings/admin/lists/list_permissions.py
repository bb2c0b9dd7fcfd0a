from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from ratings.access import Action, may
from ratings.queries.results.workflow import officer_lists


class ListPermissionsAdmin(admin.ModelAdmin[Any]):
    """Base of the screens of lists and their records: all officers may view them, officers of the list change them."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may(request.user, Action.KEEP_LIST, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or may(request.user, Action.KEEP_LIST, obj))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "list":
            kwargs["queryset"] = officer_lists(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
