"""Links of an event's page: to its tabs and, for events with several tables, to each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from portal.events.event_tabs import Tab, TabPage
from portal.site.page_links import PageLink, add_query
from ratings.models import Event, Table


def list_tabs(event: Event, page: TabPage, current: Tab, query: str) -> list[PageLink]:
    """Return the tabs of an event that have content."""
    has_rounds = page.rounds > 0
    tabs = (
        (Tab.RESULTS, _("Results"), True, 0),
        (Tab.CROSSTABLE, _("Crosstable"), has_rounds, 0),
        (Tab.ROUNDS, _("Rounds"), has_rounds, 0),
        (Tab.GRADES, _("Grades"), page.grades > 0, page.grades),
    )
    return [
        PageLink(label, add_query(tab_address(event, tab), query), tab == current, count)
        for tab, label, is_shown, count in tabs
        if is_shown or tab == current
    ]


def list_groups(
    event: Event, tables: Iterable[Table], current: Table | None, tab: Tab, of_list: Sequence[tuple[str, str]]
) -> list[PageLink]:
    """Return a link to the same tab of each table; `of_list` is the parameter of the list, if it is needed."""
    address = tab_address(event, tab)
    links = []
    for number, table in enumerate(tables):
        query = urlencode([*of_list, *((("table", table.pk),) if number else ())])
        links.append(PageLink(table.name or _("Results"), add_query(address, query), table == current))
    return links


def tab_address(event: Event, tab: Tab) -> str:
    return event.get_absolute_url() if tab == Tab.RESULTS else reverse(tab.value, args=[event.public_id])
