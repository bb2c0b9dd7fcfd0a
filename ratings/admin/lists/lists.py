from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from ratings.access import Action, may
from ratings.admin.grades.proposals import ProposalAdmin, may_remove
from ratings.admin.runs.derived import CascadesDerivedAdmin
from ratings.admin.runs.previews import PreviewAdmin
from ratings.admin.site.actions import rate_again
from ratings.admin.site.exchange import ExportAdmin
from ratings.admin.site.resources import AdjustmentResource, DatedListResource, DecisionResource, ListPlayerResource
from ratings.admin.site.staff import RecentSignInAdmin, StaffAdmin
from ratings.domain.lists.adjustments import change_options, has_results, save_list, why_system_is_fixed
from ratings.domain.lists.publishing import check_ready, publish, publish_revision
from ratings.domain.runs.previewing import preview
from ratings.domain.site.acting import acting_user
from ratings.models import Adjustment, DatedList, Decision, ListPlayer, RatingList
from ratings.option_forms import describe_options, fields_for
from ratings.reauthentication import get_interruption
from ratings.systems import SYSTEMS
from ratings.systems.values import ANSWERING_RULINGS
from ratings.versioned_forms import VersionedForm

from .list_permissions import ListPermissionsAdmin
from .options import OptionsOfListForm, RatingListForm

ADMINISTRATOR_FIELDS = (
    "officers",
    "approvers",
    "second_approver",
    "four_eyes",
    "approving_body",
    "approving_person",
    "approving_office",
    "approving_mail",
)


@admin.register(RatingList)
class RatingListAdmin(ListPermissionsAdmin, RecentSignInAdmin, PreviewAdmin, CascadesDerivedAdmin):
    list_display = ["name", "federation", "system", "comparison_to", "slug", "out_of_date_from", "problem"]
    list_filter = ["system"]
    list_select_related = ["comparison_to", "federation"]
    search_fields = ["name", "federation__name", "slug"]
    readonly_fields = ["out_of_date_from", "problem"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["trusted", "officers", "approvers"]
    actions = [rate_again]

    exclude = ["options"]
    form = RatingListForm

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> list[str]:
        """Return the fields that this form cannot change.

        Only administrators appoint officers, approvers and the person who answers for the approving body, and move a
        list to another federation. The system is fixed once there are ratings; the options of a list with results are
        changed on a page of their own.
        """
        appointed = [] if request.user.is_superuser else [*ADMINISTRATOR_FIELDS, *(["federation"] if obj else [])]
        if obj is None:
            return [*self.readonly_fields, *appointed]
        fixed = [] if self.takes_system(request, obj) else ["system", "why_fixed"]
        described = [] if self.takes_options(request, obj) else ["system_options"]
        return [*self.readonly_fields, *appointed, *fixed, *described]

    def takes_system(self, request: HttpRequest, rating_list: RatingList) -> bool:
        """Return True if this form can change the system: as long as the list has neither results nor ratings."""
        return self.has_change_permission(request, rating_list) and not why_system_is_fixed(rating_list)

    def takes_options(self, request: HttpRequest, rating_list: RatingList) -> bool:
        """Return True if this form can change the options: as long as the list has no results."""
        return self.has_change_permission(request, rating_list) and not has_results(rating_list)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form with a field for each option of the list's system; without them for a new list."""
        takes_options = obj is not None and obj.system in SYSTEMS and self.takes_options(request, obj)
        fields = fields_for(SYSTEMS[obj.system], obj.options) if takes_options else {}
        form = type("ListForm", (RatingListForm,), {**fields, "__module__": __name__})
        return super().get_form(request, obj, change, form=form, **kwargs)

    @admin.display(description=_("why the system is fixed"))
    def why_fixed(self, rating_list: RatingList) -> str:
        """Return why the rating system cannot be changed any more."""
        return why_system_is_fixed(rating_list) or "–"

    @admin.display(description=_("options of the system"))
    def system_options(self, rating_list: RatingList) -> SafeString:
        """Return the current options, with a link to change them."""
        options = describe_options(rating_list)
        lines = format_html_join("", "<li>{}: {} – {}</li>", options)
        address = reverse("admin:ratings_ratinglist_system", args=[rating_list.pk])
        link = format_html('<a href="{}">{}</a>', address, _("Change options"))
        return format_html("<ul>{}</ul><p>{}</p>", lines, link)

    def get_urls(self) -> list[Any]:
        system = path(
            "<path:object_id>/system/", self.admin_site.admin_view(self.system_view), name="ratings_ratinglist_system"
        )
        return [system, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def system_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Change the options of a list, after a preview of the consequences."""
        with transaction.atomic():
            return self.change_options_of_list(request, object_id)

    def change_options_of_list(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the form or the preview, or change the options; call it inside a transaction."""
        rating_list = self.get_object(request, unquote(object_id))
        if rating_list is None or not isinstance(rating_list, RatingList):
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined, no-any-return] # not in the stubs
        if not self.has_change_permission(request, rating_list):
            raise PermissionDenied
        if request.method == "POST" and (response := get_interruption(request, button="_confirm")):
            return response
        form = OptionsOfListForm(rating_list, request.POST if request.method == "POST" else None)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Change options"),
            "opts": self.opts,
            "rating_list": rating_list,
            "form": form,
            "system_name": rating_list.rating_system.name,
            "why_fixed": why_system_is_fixed(rating_list),
        }
        if form.is_bound and form.is_valid():
            preview_context = self.options_preview(rating_list, form)
            if "_confirm" in request.POST and "problems" not in preview_context:
                return self.options_changed(request, rating_list, form)
            context |= preview_context
        return TemplateResponse(request, "admin/ratings/system.html", context)

    def options_preview(self, rating_list: RatingList, form: OptionsOfListForm) -> dict[str, Any]:
        """Return a preview of the change without saving it; only problems if the list could not be rated."""
        changed = RatingList.objects.get(pk=rating_list.pk)
        try:
            previews = preview(lambda: change_options(changed, form.options))
        except ValidationError as error:
            return {"problems": error.messages}
        if problems := [each.problem for each in previews if each.problem]:
            return {"problems": problems}
        posted = [(name, form.data.get(name, "")) for name in form.fields]
        return {"previews": previews, "posted": posted, "tables": rating_list.rated_tables.count()}

    def options_changed(self, request: HttpRequest, rating_list: RatingList, form: OptionsOfListForm) -> HttpResponse:
        try:
            change_options(rating_list, form.options)
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
        else:
            text = gettext("Saved. All results of %(list)s are being rated again.") % {"list": rating_list}
            self.message_user(request, text, messages.SUCCESS)
        return redirect("admin:ratings_ratinglist_change", rating_list.pk)

    def save_model(self, request: HttpRequest, obj: RatingList, form: ModelForm[Any], change: bool) -> None:
        save_list(obj)


@admin.register(ListPlayer)
class ListPlayerAdmin(ProposalAdmin, ListPermissionsAdmin, ExportAdmin, RecentSignInAdmin, PreviewAdmin):
    resource_classes = [ListPlayerResource]
    list_display = ["player", "list", "prior_grade", "start_year", "member", "withdrawn", "fixed_rating"]
    list_filter = ["list", "member", "withdrawn"]
    search_fields = ["player__search_name"]
    autocomplete_fields = ["player", "list"]
    list_select_related = ["player", "list"]

    def get_exclude(self, request: HttpRequest, obj: ListPlayer | None = None) -> list[str]:
        """Leave out fields that the list's system does not need; a new record, whose list is unknown, has all."""
        if obj is None:
            return []
        system = obj.list.rating_system
        return [
            *(["start_year"] if "start_year" not in system.rating.required_values else []),
            *(["prior_grade", "prior_evidence"] if not system.grading.ranks else []),
            *(["fixed_deviation"] if not system.rating.has_deviations else []),
        ]


class OfficerInputAdmin(
    ProposalAdmin, ListPermissionsAdmin, ExportAdmin, RecentSignInAdmin, PreviewAdmin, CascadesDerivedAdmin
):
    """Base of the screens of adjustments and decisions, which store the user who enters them.

    Records of grades that need approval are read-only.
    """

    list_filter = ["list", "date"]
    search_fields = ["player__search_name", "reason", "source"]
    autocomplete_fields = ["player", "list", "before"]
    readonly_fields = ["made_by", "made_at"]
    list_select_related = ["player", "list", "made_by", "before__event"]

    def save_model(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        if not change:
            obj.made_by = acting_user()
        super().save_model(request, obj, form, change)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or may_remove(obj))


@admin.register(Adjustment)
class AdjustmentAdmin(OfficerInputAdmin):
    resource_classes = [AdjustmentResource]
    list_display = ["date", "player", "list", "set", "shift", "reason", "source", "made_by"]


@admin.register(Decision)
class DecisionAdmin(OfficerInputAdmin):
    """Screen of decisions on grades; those of approvals are made on the approvals' pages and are read-only here."""

    resource_classes = [DecisionResource]
    list_display = ["date", "player", "list", "grade", "ruling", "reason", "source", "made_by"]

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "ruling" and not request.user.is_superuser:
            kwargs["choices"] = [choice for choice in db_field.choices if choice[0] not in ANSWERING_RULINGS]
        return super().formfield_for_choice_field(db_field, request, **kwargs)


@admin.register(DatedList)
class DatedListAdmin(ListPermissionsAdmin, ExportAdmin, StaffAdmin):
    """Screen of dated lists: adding one publishes it; they never change, but are published again after corrections."""

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
                publish_revision(dated)
            except ValidationError as error:
                self.message_user(request, f"{dated}: {' '.join(error.messages)}", messages.ERROR)


class DatedListForm(VersionedForm[DatedList]):
    def clean(self) -> Any:
        values = super().clean()
        if values and values.get("list") and values.get("day"):
            check_ready(values["list"], values["day"])
        return values
