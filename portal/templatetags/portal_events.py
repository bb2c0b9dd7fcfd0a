"""Template filters of announced events."""

from __future__ import annotations

from urllib.parse import quote

from django import template
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratings.models import Event, RatingList

register = template.Library()
MAP = "https://www.openstreetmap.org/search?query="


@register.filter
def contact_link(contact: str) -> SafeString | str:
    """Return a contact as a mailto link if it is an email address, else as it is."""
    try:
        validate_email(contact)
    except ValidationError:
        return contact
    return format_html('<a href="mailto:{}">{}</a>', quote(contact, safe="@+"), contact)


@register.simple_tag
def event_link(event: Event, rating_list: RatingList) -> SafeString:
    """Return the name of an event as a link to its results on a list."""
    return format_html('<a href="{}?list={}">{}</a>', event.get_absolute_url(), rating_list.slug, event)


@register.filter
def map_address(event: Event) -> str:
    """Return the address of a map that shows the venue, else the place; empty for an event without either or online."""
    parts = [event.address, event.place]
    if event.mode != Event.Mode.BOARD or not any(parts):
        return ""
    return MAP + quote(", ".join(filter(None, [*parts, event.country.name])), safe="")
