"""URL converters, and URL patterns with a readable part."""

import datetime as dt

from django.urls import register_converter
from django.urls.converters import IntConverter


class IdConverter(IntConverter):
    regex = "[0-9]{1,18}"  # fits into an integer of the database


class DayConverter:
    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> dt.date:
        return dt.date.fromisoformat(value)

    def to_url(self, value: dt.date | str) -> str:
        return str(value)


def with_slug(kind: str) -> str:
    """Return the URL pattern of a page by public id; views redirect if the readable part is missing or outdated."""
    return rf"^{kind}/(?P<public_id>[A-Za-z0-9]+)(?:-(?P<slug>[-\w]*))?/$"


BELOW_SLUG = r"^(?P<kind>players|events|clubs)/(?P<public_id>[A-Za-z0-9]+)-[-\w]*/(?P<rest>.+/|.+\.\w+)$"
"""URL pattern of the tabs and files below a page whose address has a readable part; their own addresses have none."""


register_converter(IdConverter, "id")
register_converter(DayConverter, "day")
