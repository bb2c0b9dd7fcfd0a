from __future__ import annotations

import hashlib
from collections.abc import Hashable
from functools import partial
from typing import Any

import django_tables2 as tables
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import get_language

SECONDS = 300  # there is another one for every choice of the address


class KeptListing(tables.Table):
    """Kept under all that its cells are written from: written anew it takes longer than the rest of a page."""

    def told(self, record: Any) -> Hashable:
        """All that the cells of a row tell."""
        raise NotImplementedError  # a table of django-tables2 cannot be an abstract class

    def as_html(self, request: HttpRequest) -> SafeString:
        told = [self.told(record) for record in self.page.object_list.data]
        names = [column.name for column in self.columns]
        of = repr((type(self).__name__, request.get_full_path(), get_language(), names, self.paginator.num_pages, told))
        key = f"listing:{hashlib.sha256(of.encode()).hexdigest()}"
        html: SafeString | None = cache.get_or_set(key, partial(super().as_html, request), SECONDS)
        assert html is not None
        return html
