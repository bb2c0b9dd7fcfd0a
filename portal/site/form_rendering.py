"""Renderer of the fields of all forms outside the admin."""

from typing import Any

from django.forms.renderers import DjangoTemplates
from django.template import loader


class FormRenderer(DjangoTemplates):
    """Renderer that puts the hint and the errors of a field below it; the other templates are Django's."""

    field_template_name = "site/field.html"

    def get_template(self, template_name: str) -> Any:
        if template_name == self.field_template_name:
            return loader.get_template(template_name)
        return super().get_template(template_name)
