from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from import_export.admin import ExportMixin, ImportMixin
from import_export.formats.base_formats import CSV, JSON, XLSX
from import_export.forms import ConfirmImportForm, ExportForm

from ratings.access import is_officer


class Exports(ExportMixin, admin.ModelAdmin[Any]):
    """A button that hands out what the list shows, filtered and searched, as a file; for officers."""

    formats = [CSV, XLSX, JSON]
    export_form_class = ExportForm  # the other one has inline scripts, which the policy on contents refuses

    def has_export_permission(self, request: HttpRequest) -> bool:
        return is_officer(request.user) and self.has_view_permission(request)


class ConfirmForm(ConfirmImportForm):
    format = forms.ChoiceField(choices=[(str(n), n) for n in range(len(Exports.formats))], widget=forms.HiddenInput)


class ImportsAndExports(ImportMixin, Exports):
    """The same, and files come in: shown first, then all rows or none."""

    import_export_change_list_template = "admin/import_export/change_list_import_export.html"
    import_template_name = "admin/ratings/import.html"
    confirm_form_class = ConfirmForm

    def has_import_permission(self, request: HttpRequest) -> bool:
        rights = self.has_add_permission(request), self.has_change_permission(request)
        return is_officer(request.user) and all(rights)

    def get_import_data_kwargs(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_import_data_kwargs(**kwargs), "rollback_on_validation_errors": True}

    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().process_import(request, **kwargs)
        except OSError:
            return self.once_more(request, _("The file is gone: it was imported already, or waited too long."))
        return response

    def process_result(self, result: Any, request: HttpRequest) -> HttpResponse:
        if result.has_errors() or result.has_validation_errors():
            return self.once_more(request, _("Something has changed meanwhile, and nothing was imported."))
        response: HttpResponse = super().process_result(result, request)
        return response

    def once_more(self, request: HttpRequest, why: str) -> HttpResponse:
        self.message_user(request, f"{why} {_('Give the file once more.')}", messages.ERROR)
        return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_import"))
