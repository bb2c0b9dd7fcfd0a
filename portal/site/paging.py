from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from ratings.formats.list_rows import WORKBOOK_AT_MOST
from ratings.models import RatingList
from ratings.queries.lists.fide_lines import find_chapter_lists
from ratings.queries.lists.ranks import Ranks


class RankPaginator(Paginator[Any]):
    """Paginator of a whole list from the highest rating down, which reads pages by rank."""

    def __init__(self, rows: QuerySet[Any], per_page: int, ranks: Ranks) -> None:
        super().__init__(rows, per_page)
        self.ranks = ranks

    @cached_property
    def count(self) -> int:
        return len(self.ranks)

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        first = (number - 1) * self.per_page
        rows = self.ranks.page(self.object_list, first, first + self.per_page)  # type: ignore[arg-type] # a queryset
        return Page(rows, number, self)


def downloads(request: HttpRequest, rating_list: RatingList, count: int, page: str) -> dict[str, Any]:
    """Return the context of the links to a list's files, which keep the filters of the page, but not its order."""
    query = request.GET.copy()
    for name in ("page", "sort", "per_page", "rows"):
        query.pop(name, None)
    return {
        "address": f"{page}list",
        "query": f"?{query.urlencode()}" if query else "",
        "layout": rating_list.rating_system.presentation.list_layout,
        "combined": bool(find_chapter_lists(rating_list)),
        "count": count,
        "workbook_at_most": WORKBOOK_AT_MOST,
    }
