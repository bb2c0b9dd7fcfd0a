"""Renderer of the fields of all forms outside the admin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.template import loader
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

SELECT = "django/forms/widgets/select.html"


class FormRenderer(DjangoTemplates):
    """Renderer that puts the hint and the errors of a field below it; the other templates are Django's.

    Select boxes are written without a template: Django's includes another one for each option, and the boxes of a list
    have some hundred options.
    """

    field_template_name = "site/field.html"

    def get_template(self, template_name: str) -> Any:
        if template_name == self.field_template_name:
            return loader.get_template(template_name)
        return super().get_template(template_name)

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> SafeString | str:
        if template_name == SELECT:
            return write_select(context["widget"])
        return super().render(template_name, context, request)


def write_select(widget: Mapping[str, Any]) -> SafeString:
    """Return a select box with its options as Django's template writes it."""
    groups = []
    for label, options, _index in widget["optgroups"]:
        lines = format_html_join(
            "",
            '\n  <option value="{}"{}>{}</option>',
            ((str(option["value"]), write_attributes(option["attrs"]), option["label"]) for option in options),
        )
        groups.append(format_html('\n  <optgroup label="{}">{}\n  </optgroup>', label, lines) if label else lines)
    return format_html(
        '<select name="{}"{}>{}\n</select>',
        widget["name"],
        write_attributes(widget["attrs"]),
        SafeString("".join(groups)),
    )


def write_attributes(attributes: Mapping[str, Any]) -> SafeString:
    """Return attributes of a tag, each after a space; one that is True has no value, one that is False is left out."""
    if not attributes:  # as of most options
        return SafeString("")
    return format_html_join(
        "",
        "{}{}",
        (
            (f" {name}", "" if value is True else format_html('="{}"', str(value)))
            for name, value in attributes.items()
            if value is not False
        ),
    )
