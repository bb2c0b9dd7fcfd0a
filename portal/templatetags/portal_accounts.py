"""Template tags for the pages of django-allauth."""

import json

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}
"""Escapes of json_script: the data of a script element cannot end it."""


@register.simple_tag
def passkey_form(handler: str, **ids: str) -> SafeString:
    """Return the data that lets a script of django-allauth handle a form of security keys.

    The policy for contents allows it: a browser does not run data. `ids` names the elements that the handler needs.
    """
    data = json.dumps({"ids": ids | {"data": "js_data"}}).translate(ESCAPES)
    return format_html(
        '<script data-allauth-onload="allauth.webauthn.forms.{}" type="application/json">{}</script>',
        handler,
        mark_safe(data),  # noqa: S308 # escaped above
    )
