from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from import_export.admin import ExportMixin, ImportMixin
from import_export.formats.base_formats import CSV, JSON, XLSX
from import_export.forms import ConfirmImportForm, ExportForm, ImportForm
from import_export.tmp_storages import BaseStorage

from ratings.access import is_officer
from ratings.domain.site.acting import acting_user
from ratings.domain.site.held_forms import UploadedFormFile, get_held_form, save_held_form
from ratings.formats.parsed import BYTES_AT_MOST
from ratings.formats.spreadsheet.workbook import workbook_problem
from ratings.localize import translate_message


class Workbook(XLSX):
    """XLSX format that refuses workbooks too large to be read within seconds."""

    def create_dataset(self, in_stream: bytes) -> Any:
        if problem := workbook_problem(in_stream):
            raise ValidationError(translate_message(problem))
        return super().create_dataset(in_stream)


class ExportAdmin(ExportMixin, admin.ModelAdmin[Any]):
    """Base of screens with an export of the list, as it is filtered and searched, to a file; for officers."""

    formats = [CSV, XLSX, JSON]
    export_form_class = ExportForm  # the default form has inline scripts, which the content security policy refuses

    def has_export_permission(self, request: HttpRequest) -> bool:
        return is_officer(request.user) and self.has_view_permission(request)

    def export_action(self, request: HttpRequest) -> HttpResponse:
        try:
            response: HttpResponse = super().export_action(request)
        except IncorrectLookupParameters:
            text = _("The address contains a filter that this list does not have. Choose the filters on this page.")
            self.message_user(request, text, messages.ERROR)
            return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))
        return response


class SmallImportForm(ImportForm):
    def clean_import_file(self) -> Any:
        file = self.cleaned_data["import_file"]
        if file.size > BYTES_AT_MOST:
            raise ValidationError(_("The file is too large: at most 2 MB."))
        return file


class ConfirmForm(ConfirmImportForm):
    format = forms.ChoiceField(choices=[(str(n), n) for n in range(len(ExportAdmin.formats))], widget=forms.HiddenInput)
    resource = forms.ChoiceField(choices=[("0", "0")], required=False, widget=forms.HiddenInput)


class HeldStorage(BaseStorage):
    """Storage of uploads between preview and confirmation: in the database, only for the user who uploaded them.

    The confirmation contains a random key, never a file name.
    """

    def __init__(self, *, purpose: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.purpose = purpose

    def save(self, data: bytes) -> None:
        user = acting_user()
        assert user is not None  # the admin requires a log-in
        self.name = save_held_form(user, self.purpose, (), [UploadedFormFile("import_file", "", "", data)]).key

    def read(self) -> str | bytes:
        """Return the contents; raise FileNotFoundError if this user has no upload with this key and purpose."""
        user = acting_user()
        held = get_held_form(user, self.name or "") if user else None
        file = held.files.first() if held and held.path == self.purpose else None
        if file is None:
            raise FileNotFoundError(self.name)
        data = bytes(file.data)
        return data if self.read_mode == "rb" else data.decode(self.encoding or "utf-8")

    def remove(self) -> None:
        user = acting_user()
        if user and (held := get_held_form(user, self.name or "")):
            held.delete()


class ImportExportAdmin(ImportMixin, ExportAdmin):
    """Base of screens with export, and an import that is previewed first and saves all rows or none."""

    import_export_change_list_template = "admin/import_export/change_list_import_export.html"
    import_template_name = "admin/ratings/import.html"
    import_formats = [CSV, Workbook, JSON]
    import_form_class = SmallImportForm
    confirm_form_class = ConfirmForm
    tmp_storage_class = HeldStorage

    def get_tmp_storage_class_kwargs(self) -> dict[str, Any]:
        return {"purpose": f"import/{self.opts.label_lower}"}

    def has_import_permission(self, request: HttpRequest) -> bool:
        rights = self.has_add_permission(request), self.has_change_permission(request)
        return is_officer(request.user) and all(rights)

    def get_import_data_kwargs(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_import_data_kwargs(**kwargs), "rollback_on_validation_errors": True}

    def add_data_read_fail_error_to_form(self, form: forms.Form, e: Exception) -> None:
        if isinstance(e, ValidationError):
            form.add_error("import_file", e)
        else:
            super().add_data_read_fail_error_to_form(form, e)

    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().process_import(request, **kwargs)
        except OSError:
            return self.redirect_to_import(
                request, _("The file is no longer stored: it was imported already, or has expired. Choose it again.")
            )
        return response

    def process_result(self, result: Any, request: HttpRequest) -> HttpResponse:
        if result.has_errors() or result.has_validation_errors():
            return self.redirect_to_import(
                request, _("Nothing was imported: the data has changed since the check. Check the file again.")
            )
        response: HttpResponse = super().process_result(result, request)
        return response

    def redirect_to_import(self, request: HttpRequest, why: str) -> HttpResponse:
        self.message_user(request, why, messages.ERROR)
        return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_import"))
