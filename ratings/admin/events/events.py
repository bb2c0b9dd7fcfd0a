from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import ManyToManyField, QuerySet, URLField
from django.forms import CheckboxSelectMultiple, ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.access import Action, is_officer, may
from ratings.domain.details import OF_TABLE
from ratings.domain.tables import delete_event, delete_table, save_details, save_event
from ratings.models import Event, RatingList, Table
from ratings.queries.events import asked_of, lists_of
from ratings.queries.organising import events_of, lists_kept_by

from .actions import accept_submitted
from .derived import DerivedGoesAlong
from .exchange import Exports
from .resources import EventResource


class ResultsAdmin(DerivedGoesAlong):
    """Events and tables, with the rights on each of them."""

    def has_view_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or may(request.user, Action.SEE_EVENT, obj))

    def has_change_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may(request.user, Action.CHANGE_EVENT, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or may(request.user, Action.CHANGE_EVENT, obj))


def results_link(event: Event) -> SafeString:
    """Staff enter results where organisers do."""
    address = reverse("organise_event", args=[event.public_id])
    return format_html('<a href="{}">{}</a>', address, _("Enter, check, preview and correct the results"))


@admin.register(Event)
class EventAdmin(Exports, ResultsAdmin):
    resource_classes = [EventResource]
    actions = [accept_submitted]
    list_display = ["name", "start", "end", "place", "country", "state"]
    list_filter = ["state", "lists", "country", "end"]
    search_fields = ["name", "place", "organiser"]
    formfield_overrides = {ManyToManyField: {"widget": CheckboxSelectMultiple}, URLField: {"assume_scheme": "https"}}
    autocomplete_fields = ["organisers"]
    date_hierarchy = "end"
    readonly_fields = ["results"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        events = super().get_queryset(request)
        return events if is_officer(request.user) else events.filter(pk__in=events_of(request.user).values("pk"))

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> list[str]:
        return ["results"] if is_officer(request.user) else ["results", "state"]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "lists" and is_officer(request.user):
            kwargs["queryset"] = lists_kept_by(request.user).filter(comparison_to=None)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        lists = list(RatingList.objects.filter(comparison_to=None).values_list("pk", flat=True)[:2])
        return super().get_changeform_initial_data(request) | ({"lists": lists} if len(lists) == 1 else {})

    @admin.display(description=_("Results"))
    def results(self, event: Event) -> SafeString | str:
        if event.pk is None:
            return _("Save the event first; then its results are entered here.")
        return results_link(event)

    def save_model(self, request: HttpRequest, obj: Event, form: ModelForm[Any], change: bool) -> None:
        if not change and isinstance(request.user, User):
            obj.created_by = request.user
        save_event(obj)

    def save_related(self, request: HttpRequest, form: ModelForm[Any], formsets: Any, change: bool) -> None:
        event, kept = form.instance, lists_kept_by(request.user).values("pk")
        others = event.lists.exclude(pk__in=kept) if is_officer(request.user) else event.lists.none()
        save_event(event, [*form.cleaned_data["lists"], *others])
        event.organisers.set(form.cleaned_data["organisers"])

    def delete_model(self, request: HttpRequest, obj: Event) -> None:
        delete_event(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> None:
        for event in queryset:
            if not may(request.user, Action.CHANGE_EVENT, event):
                raise PermissionDenied
            delete_event(event)


@admin.register(Table)
class TableAdmin(ResultsAdmin):
    list_display = ["__str__", "first_day", "last_day", "position", "rated"]
    list_filter = ["rated", "event__lists", "last_day"]
    search_fields = ["event__name", "name"]
    autocomplete_fields = ["event"]
    list_select_related = ["event"]
    readonly_fields = ["results"]

    def get_exclude(self, request: HttpRequest, obj: Table | None = None) -> list[str]:
        """Details that no system of the event's lists asks for are not asked."""
        asked = asked_of(lists_of(obj.event) if obj else RatingList.objects.all())
        return [name for name, needed in OF_TABLE.items() if needed not in asked]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables = super().get_queryset(request).select_related("event")
        return tables if is_officer(request.user) else tables.filter(event__in=events_of(request.user).values("pk"))

    @admin.display(description=_("Results"))
    def results(self, table: Table) -> SafeString | str:
        if table.pk is None:
            return _("Save the table first; then its results are entered here.")
        return results_link(table.event)

    def save_model(self, request: HttpRequest, obj: Table, form: ModelForm[Any], change: bool) -> None:
        if not may(request.user, Action.CHANGE_EVENT, obj):
            raise PermissionDenied
        save_details(obj)

    def delete_model(self, request: HttpRequest, obj: Table) -> None:
        delete_table(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        for table in queryset.select_related("event"):
            if not may(request.user, Action.CHANGE_EVENT, table):
                raise PermissionDenied
            delete_table(table)
