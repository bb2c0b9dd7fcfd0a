from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import ManyToManyField, QuerySet, URLField
from django.forms import CheckboxSelectMultiple, ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.access import is_officer, may_change_event, may_see_event
from ratings.domain.entering import Checked, check_typed, preview_typed, save_typed
from ratings.domain.sheets import keep_version, note_version
from ratings.domain.tables import delete_event, delete_table, save_details, save_event
from ratings.models import Event, RatingList, Table
from ratings.queries.events import asked_of, lists_of

from .actions import accept_submitted
from .derived import DerivedGoesAlong
from .details import OF_TABLE
from .exchange import Exports
from .resources import EventResource
from .results import ResultsForm


class ResultsAdmin(DerivedGoesAlong):
    """Events and tables, with the rights on each of them."""

    def has_view_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        return super().has_view_permission(request, obj) and (obj is None or may_see_event(request.user, event_of(obj)))

    def has_change_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may_change_event(request.user, event_of(obj)))

    def has_delete_permission(self, request: HttpRequest, obj: Event | Table | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or may_change_event(request.user, event_of(obj)))


def event_of(obj: Event | Table) -> Event:
    return obj if isinstance(obj, Event) else obj.event


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
        return events if is_officer(request.user) else events.filter(created_by=request.user.pk)

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> list[str]:
        return ["results"] if is_officer(request.user) else ["results", "state"]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        lists = list(RatingList.objects.filter(comparison_to=None).values_list("pk", flat=True)[:2])
        return super().get_changeform_initial_data(request) | ({"lists": lists} if len(lists) == 1 else {})

    @admin.display(description=_("Results"))
    def results(self, event: Event) -> SafeString | str:
        if event.pk is None:
            return _("Save the event first; then its results are entered here.")
        tables = list(event.tables.all())
        links = [
            (reverse("admin:ratings_event_results", args=[event.pk, table.pk]), _("Results of"), table)
            for table in tables
        ]
        new = (reverse("admin:ratings_event_results", args=[event.pk, 0]), _("Add a table"), "")
        return format_html("<ul>{}</ul>", format_html_join("", '<li><a href="{}">{} {}</a></li>', [*links, new]))

    def save_model(self, request: HttpRequest, obj: Event, form: ModelForm[Any], change: bool) -> None:
        if not change and isinstance(request.user, User):
            obj.created_by = request.user
        save_event(obj)

    def save_related(self, request: HttpRequest, form: ModelForm[Any], formsets: Any, change: bool) -> None:
        save_event(form.instance, form.cleaned_data["lists"])

    def delete_model(self, request: HttpRequest, obj: Event) -> None:
        delete_event(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> None:
        for event in queryset:
            if not may_change_event(request.user, event):
                raise PermissionDenied
            delete_event(event)

    def get_urls(self) -> list[URLPattern]:
        results = path(
            "<int:event>/results/<int:table>/",
            self.admin_site.admin_view(self.results_view),
            name="ratings_event_results",
        )
        return [results, *super().get_urls()]

    def results_view(self, request: HttpRequest, event: int, table: int) -> HttpResponse:
        """Type a crosstable: check it as often as one likes, then save."""
        the_event = get_object_or_404(Event, pk=event)
        if not self.has_change_permission(request, the_event):
            raise PermissionDenied
        the_table = get_object_or_404(the_event.tables, pk=table) if table else new_table(the_event)
        form = ResultsForm(request.POST or None, table=the_table, admin_site=self.admin_site)
        checked, previews = None, None
        if request.method == "POST" and form.is_valid():
            checked = check_typed(form.typed(), go=form.go)
            if "save" in request.POST and form.fill(the_table) and saved(the_table, checked, form.conditions()):
                self.message_user(request, told(the_event, checked.missing), messages.SUCCESS)
                return redirect("admin:ratings_event_results", the_event.pk, the_table.pk)
            if "preview" in request.POST and form.fill(the_table) and not (checked.problems.fatal or checked.missing):
                previews = preview_typed(the_table, checked, form.conditions())
            form = form.again(checked)
        context = self.admin_site.each_context(request) | {
            "title": _("Results of %s") % (the_table if the_table.pk else the_event),
            "event": the_event,
            "table": the_table,
            "form": form,
            "checked": checked,
            "previews": previews,
            "opts": self.opts,
            "saving": "save" in request.POST,
            "media": self.media + form.media,
        }
        return TemplateResponse(request, "admin/ratings/results.html", context)


@transaction.atomic
def saved(table: Table, checked: Checked, conditions: dict[str, Any]) -> bool:
    """Save typed results; of an accepted event the version before and the new one are kept."""
    accepted = table.event.state == Event.State.ACCEPTED
    if accepted and table.pk:
        keep_version(Table.objects.get(pk=table.pk))
    if not save_typed(table, checked, conditions):
        transaction.set_rollback(True)
        return False
    if accepted:
        note_version(table)
    return True


def new_table(event: Event) -> Table:
    return Table(event=event, first_day=event.start, last_day=event.end)


def told(event: Event, missing: list[tuple[int, int]]) -> str:
    if missing:
        return gettext("Saved. %d results are still missing.") % len(missing)
    if event.state == Event.State.ACCEPTED:
        return gettext("Saved, and being rated.")
    return gettext("Saved. The event is a draft: it is rated and shown when its state is accepted.")


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
        return tables if is_officer(request.user) else tables.filter(event__created_by=request.user.pk)

    @admin.display(description=_("Results"))
    def results(self, table: Table) -> SafeString | str:
        if table.pk is None:
            return _("Save the table first; then its results are entered here.")
        address = reverse("admin:ratings_event_results", args=[table.event_id, table.pk])
        return format_html('<a href="{}">{}</a>', address, _("Enter or change the results"))

    def save_model(self, request: HttpRequest, obj: Table, form: ModelForm[Any], change: bool) -> None:
        if not may_change_event(request.user, obj.event):
            raise PermissionDenied
        save_details(obj)

    def delete_model(self, request: HttpRequest, obj: Table) -> None:
        delete_table(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        for table in queryset.select_related("event"):
            if not may_change_event(request.user, table.event):
                raise PermissionDenied
            delete_table(table)
