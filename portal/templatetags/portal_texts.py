"""Template filters and tags that join texts as the reader's language does: enumerations, details, ranges and days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratings.localize import format_day, format_days, format_range, join_clauses, join_details, join_parts

register = template.Library()
register.filter("enumeration", join_parts)
register.filter("clauses", join_clauses)
register.simple_tag(format_days)
register.simple_tag(format_range)


@register.simple_tag
def details(*parts: object) -> SafeString:
    """Return the details that are not empty in one line, joined as the reader's language does; markup is kept."""
    return _join_markup(join_details, [part for part in parts if str(part)])


@register.simple_tag
def enumerate_parts(*parts: object) -> SafeString:
    """Return the parts that are not empty as an enumeration in the reader's language; markup is kept."""
    return _join_markup(join_parts, [part for part in parts if str(part)])


@register.simple_tag
def enumerate_clauses(*parts: object) -> SafeString:
    """Return the parts that are not empty as clauses of one line, joined as the reader's language does."""
    return _join_markup(join_clauses, [part for part in parts if str(part)])


def _join_markup(join: Callable[[Iterable[object]], str], parts: Sequence[object]) -> SafeString:
    return format_html(join(["{}"] * len(parts)), *parts) if parts else SafeString("")


@register.filter
def links(objects: Iterable[Any]) -> SafeString:
    """Return the names of objects as links to their pages, enumerated as the reader's language does."""
    elements = [format_html('<a href="{}">{}</a>', each.get_absolute_url(), each.name) for each in objects]
    return _join_markup(join_parts, elements)


@register.simple_tag
def time_elements(start: dt.date, end: dt.date) -> SafeString:
    """Return the days of an event as HTML elements with the machine-readable days: one, or the first and the last."""
    elements = [format_html('<time datetime="{}">{}</time>', day.isoformat(), format_day(day)) for day in (start, end)]
    return elements[0] if start == end else format_html(format_range("{}", "{}"), *elements)
