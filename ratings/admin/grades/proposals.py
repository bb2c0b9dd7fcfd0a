"""Base of admin screens of records that may need a second person, and must not decide grades that need approval."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from ratings.domain.grades.grade_approval import check_removal
from ratings.domain.grades.proposals import check, submit, submit_removal
from ratings.domain.lists.adjustments import delete_list_player, save_adjustment, save_list_player
from ratings.models import Adjustment, Decision, ListPlayer
from ratings.queries.results.workflow import officer_lists
from ratings.versioned_forms import VersionedForm

PROPOSED = "_was_proposed"


class CheckedForm(VersionedForm[Any]):
    """Form that reports the errors with which the domain would refuse to save the record."""

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc] # a hook of Django that is missing in its stubs
        if self.errors:
            return
        try:
            check(self.instance)
        except ValidationError as error:
            is_on_form = set(getattr(error, "error_dict", ())) <= set(self.fields)
            self.add_error(None, error if is_on_form else error.messages)


class ProposalAdmin(admin.ModelAdmin[Any]):
    """Base of admin screens that save a record, or propose it to a second person with a message."""

    form = CheckedForm

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        if "_preview" in request.POST:  # saved, then rolled back
            save_list_player(obj) if isinstance(obj, ListPlayer) else save_adjustment(obj)
            return
        self._report_proposal(request, submit(obj))

    def delete_model(self, request: HttpRequest, obj: Adjustment | Decision | ListPlayer) -> None:
        if isinstance(obj, ListPlayer):
            delete_list_player(obj)
        else:
            self._report_proposal(request, submit_removal(obj))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or may_remove(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Leave out the deletion of several records where each removal has to be confirmed."""
        actions = super().get_actions(request)
        if self.model is not ListPlayer and officer_lists(request.user).filter(four_eyes=True).exists():
            actions.pop("delete_selected", None)
        return actions

    def _report_proposal(self, request: HttpRequest, proposal: object) -> None:
        if proposal is not None:
            setattr(request, PROPOSED, True)
            text = _("Saved as a proposal. It takes effect when a second person confirms it.")
            self.message_user(request, text, messages.WARNING)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None if hasattr(request, PROPOSED) else super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None if hasattr(request, PROPOSED) else super().log_change(request, obj, message)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        return _to_proposals(request) or super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        return _to_proposals(request) or super().response_change(request, obj)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        return _to_proposals(request) or super().response_delete(request, obj_display, obj_id)


def _to_proposals(request: HttpRequest) -> HttpResponse | None:
    return redirect("proposals") if hasattr(request, PROPOSED) else None


def may_remove(row: Any) -> bool:
    """Return True if the acting user may remove a record without deciding a grade that needs approval."""
    try:
        check_removal(row)
    except ValidationError:
        return False
    return True
