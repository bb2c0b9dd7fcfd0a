"""Forms that detect when another user has changed a row since the form was opened.

A form contains the version that its row had when it was displayed, the time, and a short digest of each field. If the
version has changed when the form is sent, nothing is saved: the form is displayed again with the data entered, a
message says who changed what, and the next attempt is compared with the new version.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from auditlog.models import LogEntry
from auditlog.registry import auditlog
from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.models import model_to_dict
from django.utils import timezone
from django.utils.choices import flatten_choices
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ratings.localize import join_parts

M = TypeVar("M", bound=models.Model)
VERSION_FIELD = "opened_version"
"""Name of the hidden field."""
SEPARATOR = " "


def opened_version(row: models.Model, fields: Iterable[str] = ()) -> str:
    """Return the value of the hidden field: version, seconds since 1970, and a digest of each named field."""
    digests = (f"{name}={_digest(value)}" for name, value in _values(row, fields).items())
    return SEPARATOR.join([_version(row), str(int(timezone.now().timestamp())), *digests])


def lock_unchanged(row: M, opened: str, fields: Mapping[str, forms.BoundField] | None = None) -> M:
    """Lock a row until the end of the transaction and return it as it is stored now.

    ValidationError: the version of the row differs from that in `opened`, or the row was deleted. The messages name
    the users who changed it and the present values of those `fields` that changed.
    """
    current = type(row)._default_manager.select_for_update(no_key=True).filter(pk=row.pk).first()
    if current is None:
        raise ValidationError(_("Somebody else deleted this meanwhile. What you typed cannot be saved."), code="gone")
    number, seconds, digests = _parse(opened)
    bound_fields = fields or {}
    values = _values(current, bound_fields)
    changed = [name for name, value in values.items() if digests.get(name) != _digest(value)]
    versioned = isinstance(getattr(current, "version", None), int)
    if (number != _version(current)) if versioned else bool(changed or not digests):
        messages = [_describe_authors(current, seconds)]
        if digests:
            messages += [
                _("%(field)s is now: %(value)s") % _describe_field(bound_fields[name], values[name]) for name in changed
            ]
        messages.append(_("Nothing was saved, and what you typed is still in the form. Compare it, then save again."))
        raise ValidationError(messages, code="changed")
    return current


class OpenedVersionField(forms.CharField):
    """Hidden field with the opened version; it never counts as changed."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput)

    def has_changed(self, initial: Any, data: Any) -> bool:  # noqa: ARG002 - Django's interface
        return False


class VersionMixin(forms.BaseForm):
    """Form for one row, `versioned_row`, which is None for a new row. Use it inside a transaction."""

    versioned_row: models.Model | None
    is_outdated = False
    """True once `check_opened_version` has found that the row was changed meanwhile."""

    def add_opened_version(self) -> None:
        """Add the hidden field, empty for a new row; called at the end of `__init__`."""
        row = self.versioned_row
        self.initial[VERSION_FIELD] = "" if row is None else opened_version(row, self.fields)
        self.fields[VERSION_FIELD] = OpenedVersionField()

    def check_opened_version(self) -> None:
        """Add errors to a form whose row was changed meanwhile; called in `clean`."""
        if self.versioned_row is None or not self.has_changed():
            return
        name = self.add_prefix(VERSION_FIELD)
        fields = {field.name: field for field in self}
        try:
            lock_unchanged(self.versioned_row, str(self.data.get(name, "")), fields)
        except ValidationError as error:
            self.is_outdated = True
            self.add_error(None, error)
            current = type(self.versioned_row)._default_manager.filter(pk=self.versioned_row.pk).first()
            if current is not None:  # the next attempt may overwrite the changes that the messages name
                self.data = self.data.copy()  # type: ignore[attr-defined] # a QueryDict
                self.data[name] = opened_version(current, self.fields)  # type: ignore[index] # a copy


class VersionedForm(VersionMixin, forms.ModelForm[M]):
    """Form for a model whose rows have a version; see `ratings.models.site.versioned`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.versioned_row = None if self.instance.pk is None else self.instance
        self.add_opened_version()

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        self.check_opened_version()
        return values


def _version(row: models.Model) -> str:
    return str(getattr(row, "version", 0))


def _parse(opened: str) -> tuple[str, int, dict[str, str]]:
    number, _space, rest = opened.partition(SEPARATOR)
    seconds, *digests = rest.split(SEPARATOR)
    pairs = (digest.partition("=") for digest in digests)
    return number, int(seconds) if seconds.isdecimal() and len(seconds) < 12 else 0, {name: d for name, _is, d in pairs}


def _values(row: models.Model, fields: Iterable[str]) -> dict[str, Any]:
    """Return the values of those fields that the model has, in a form that compares equal after a reload."""
    names = list(fields)
    values = model_to_dict(row, fields=names) if names else {}
    return {name: _normalize(value) for name, value in values.items()}


def _normalize(value: Any) -> Any:
    if isinstance(value, list | tuple | models.QuerySet):
        return sorted(str(getattr(each, "pk", each)) for each in value)
    return value if isinstance(value, dict | int | float | bool) or value is None else str(value)


def _digest(value: Any) -> str:
    text = json.dumps(value, default=str, sort_keys=True)
    return hashlib.blake2s(text.encode(errors="replace"), digest_size=4).hexdigest()


def _describe_field(field: forms.BoundField, value: Any) -> dict[str, str]:
    return {"field": str(field.label), "value": _display(field.field, value) or "–"}


def _display(field: forms.Field, value: Any) -> str:
    """Return a value as the form's own widgets display it."""
    if isinstance(field, forms.ModelChoiceField) and field.queryset is not None:
        rows = field.queryset.model._default_manager.all()
        if isinstance(field, forms.ModelMultipleChoiceField):
            return join_parts(rows.filter(pk__in=value))
        return "" if value in {None, ""} else str(rows.filter(pk=value).first() or "")
    if isinstance(field, forms.ChoiceField):
        choices: Any = flatten_choices(field.choices)  # type: ignore[arg-type] # a field has normalised them
        choices = {str(key): name for key, name in choices}
        return str(choices.get(str(value), value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _describe_authors(row: models.Model, since: int) -> str:
    """Return a message naming the users who changed a row since a Unix time, as far as the audit trail knows them."""
    people: dict[str, dt.datetime] = {}
    if auditlog.contains(type(row)):
        after = dt.datetime.fromtimestamp(since, dt.UTC)
        entries = LogEntry.objects.get_for_object(row).filter(timestamp__gte=after).exclude(actor=None)
        for entry in entries.select_related("actor").order_by("timestamp"):
            people[str(entry.actor)] = entry.timestamp
    if not people or not since:
        return _("“%(row)s” has been changed since you opened this form.") % {"row": row}
    names = join_parts(f"{name} ({date_format(at, 'H:i')})" for name, at in people.items())
    return _("“%(row)s” has been changed since you opened this form, by %(people)s.") % {"row": row, "people": names}
