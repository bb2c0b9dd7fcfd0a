from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import ManyToManyField, Q, QuerySet, URLField
from django.forms import CheckboxSelectMultiple, ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ratings.access import Action, is_officer, may
from ratings.admin.runs.derived import CascadesDerivedAdmin
from ratings.admin.site.actions import accept_submitted
from ratings.admin.site.exchange import ExportAdmin
from ratings.admin.site.resources import EventResource
from ratings.admin.site.staff import RecentSignInAdmin
from ratings.domain.events.details import TABLE_FIELDS
from ratings.domain.events.tables import save_details, save_event
from ratings.domain.results.deleting import delete_event, delete_table
from ratings.models import Event, RatingList, Table
from ratings.queries.events.events import lists_of, required_details
from ratings.queries.lists.lists_of_days import check_lists_of_days
from ratings.queries.results.workflow import officer_lists, visible_events
from ratings.tie_break_forms import TieBreaksField
from ratings.versioned_forms import VersionedForm


class EventPermissionsAdmin(CascadesDerivedAdmin):
    """Base of the admin screens of events and tables, with the rights on each object."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what a deletion removes, requiring no right on drafts, files and steps.

        They stay with the deleted object, which can be restored.
        """
        objects, counts, needed, protected = super().get_deleted_objects(objs, request)
        return objects, counts, {name for name in needed if name == self.opts.verbose_name}, protected

    def has_view_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or may(request.user, Action.SEE_EVENT, obj))

    def has_change_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may(request.user, Action.CHANGE_EVENT, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        right = Action.VOID if isinstance(obj, Table) else Action.DELETE_EVENT
        return allowed and (obj is None or may(request.user, right, obj))


def events_in_admin(request: HttpRequest) -> QuerySet[Event]:
    """Return the events that the user may see; for officers also accepted events of other lists, which are public."""
    visible = Q(pk__in=visible_events(request.user).values("pk"))
    return Event.objects.filter(visible | Q(state=Event.State.ACCEPTED) if is_officer(request.user) else visible)


def results_link(event: Event) -> SafeString:
    """Return a link to the page where organisers enter results, and staff as well."""
    address = reverse("organise_event", args=[event.public_id])
    return format_html('<a href="{}">{}</a>', address, _("Enter, check, preview and correct the results"))


class EventAdminForm(VersionedForm[Event]):
    tie_breaks = TieBreaksField(
        label=_("Tie-breaks"),
        empty_label=_("as the list's rules say"),
        help_text=Event._meta.get_field("tie_breaks").help_text,
    )

    def clean(self) -> dict[str, Any]:
        """Refuse lists that another list continues, or that another one precedes, on the event's last day."""
        values = super().clean() or {}
        if values.get("start") and values.get("end") and "lists" in values:
            try:
                check_lists_of_days(values["lists"], values["start"], values["end"])
            except ValidationError as error:
                self.add_error("lists", error)
        return values


@admin.register(Event)
class EventAdmin(ExportAdmin, RecentSignInAdmin, EventPermissionsAdmin):
    deciding_actions = ("accept_submitted", "delete_selected")
    resource_classes = [EventResource]
    form = EventAdminForm
    actions = [accept_submitted]
    list_display = ["name", "start", "end", "place", "country", "state"]
    list_filter = ["state", "lists", "country", "end"]
    search_fields = ["name", "place", "organiser"]
    formfield_overrides = {ManyToManyField: {"widget": CheckboxSelectMultiple}, URLField: {"assume_scheme": "https"}}
    autocomplete_fields = ["organisers"]
    date_hierarchy = "end"
    readonly_fields = ["results", "state"]
    """The state changes only by submitting, returning and accepting, never by a form."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        return (
            super()
            .get_queryset(request)
            .exclude(state=Event.State.DELETED)
            .filter(pk__in=events_in_admin(request).values("pk"))
        )

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "lists" and is_officer(request.user):
            kwargs["queryset"] = officer_lists(request.user).filter(comparison_to=None)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        current = RatingList.objects.filter(comparison_to=None, successor=None)
        lists = list(current.values_list("pk", flat=True)[:2])
        return super().get_changeform_initial_data(request) | ({"lists": lists} if len(lists) == 1 else {})

    @admin.display(description=_("Results"))
    def results(self, event: Event) -> SafeString | str:
        if event.pk is None:
            return _("Save the event first, then enter its results here.")
        return results_link(event)

    def save_model(self, request: HttpRequest, obj: Event, form: ModelForm[Any], change: bool) -> None:
        if not change and isinstance(request.user, User):
            obj.created_by = request.user
        save_event(obj)

    def save_related(self, request: HttpRequest, form: ModelForm[Any], formsets: Any, change: bool) -> None:
        event, own_lists = form.instance, officer_lists(request.user).values("pk")
        others = event.lists.exclude(pk__in=own_lists) if is_officer(request.user) else event.lists.none()
        save_event(event, [*form.cleaned_data["lists"], *others])
        event.organisers.set(form.cleaned_data["organisers"])

    def delete_model(self, request: HttpRequest, obj: Event) -> None:
        delete_event(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> None:
        for event in queryset:
            if not may(request.user, Action.DELETE_EVENT, event):
                raise PermissionDenied
            delete_event(event)


@admin.register(Table)
class TableAdmin(EventPermissionsAdmin):
    list_display = ["__str__", "first_day", "last_day", "position", "rated"]
    list_filter = ["rated", "event__lists", "last_day"]
    search_fields = ["event__name", "name"]
    autocomplete_fields = ["event"]
    list_select_related = ["event"]
    readonly_fields = ["results"]

    def get_exclude(self, request: HttpRequest, obj: Table | None = None) -> list[str]:
        """Leave out details that no system of the event's lists needs."""
        needed = required_details(lists_of(obj.event) if obj else RatingList.objects.all())
        return [name for name, requirement in TABLE_FIELDS.items() if requirement not in needed]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables = super().get_queryset(request).select_related("event")
        return tables.filter(event__in=events_in_admin(request).values("pk"))

    @admin.display(description=_("Results"))
    def results(self, table: Table) -> SafeString | str:
        if table.pk is None:
            return _("Save the table first, then enter its results here.")
        return results_link(table.event)

    def save_model(self, request: HttpRequest, obj: Table, form: ModelForm[Any], change: bool) -> None:
        if not may(request.user, Action.CHANGE_EVENT, obj):
            raise PermissionDenied
        save_details(obj)

    def delete_model(self, request: HttpRequest, obj: Table) -> None:
        delete_table(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        for table in queryset.select_related("event"):
            if not may(request.user, Action.VOID, table):
                raise PermissionDenied
            delete_table(table)
