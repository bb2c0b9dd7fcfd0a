"""Story of an event's results: the podium of each group, or the winners of many groups, and the highlights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.events.change_sentences import link_player
from portal.events.event_navigation import list_groups
from portal.events.event_tabs import Tab, Tables, cache_parts
from portal.events.highlights import list_remarks
from portal.events.sections import TableSection
from portal.site.page_links import PageLink
from portal.templatetags.portal_format import points
from ratings.localize import join_parts
from ratings.models import Event, RatingList
from ratings.queries.events.crosstables import CrosstableRow, build_crosstables
from ratings.queries.events.highlights import combine_highlights, find_highlights

MAX_PODIUMS = 3
"""Number of groups up to which each has its own podium and highlights."""
MAX_WINNERS = 6
"""Number of groups whose winners are named; the event's page has the others."""


class GroupWinners(NamedTuple):
    """The winners of a group: a link to its results, a sentence, and the row of the only winner, or None."""

    group: PageLink
    sentence: SafeString
    winner: CrosstableRow | None


def render_story(event: Event, rating_list: RatingList, tables: Tables) -> SafeString:
    """Return the story of an event's tables on a list as HTML; it is blank without places and highlights."""

    def render() -> str:
        sections = [TableSection(crosstable, rating_list) for crosstable in build_crosstables(tables, rating_list)]
        context = {"sections": sections, "event": event, "rating_list": rating_list}
        if len(sections) <= MAX_PODIUMS:
            return render_to_string("events/story.html", context)
        return render_to_string("events/story_of_groups.html", context | _describe_groups(event, rating_list, sections))

    return SafeString(cache_parts(event, rating_list, tables, (f"story of event {event.pk}", ""), render))


def _describe_groups(event: Event, rating_list: RatingList, sections: Sequence[TableSection]) -> dict[str, Any]:
    system = rating_list.rating_system
    highlights = combine_highlights([find_highlights(section.crosstable, system) for section in sections])
    return {
        "groups": list(islice(_list_winners(event, rating_list, sections), MAX_WINNERS)),
        "count": len(sections),
        "remarks": list(list_remarks(highlights, rating_list)),
    }


def _list_winners(event: Event, rating_list: RatingList, sections: Sequence[TableSection]) -> Iterator[GroupWinners]:
    """Yield the winners of each group that has places, in the order of the groups."""
    tables = [section.crosstable.table for section in sections]
    links = list_groups(event, tables, None, Tab.RESULTS, [("list", rating_list.slug)])
    for link, section in zip(links, sections, strict=True):
        winners = [row for place, row in section.podium if place == 1]
        if winners:
            sentence = _describe_winners(winners, section.crosstable.rounds, rating_list)
            yield GroupWinners(link, sentence, winners[0] if len(winners) == 1 else None)


def _describe_winners(winners: Sequence[CrosstableRow], rounds: int, rating_list: RatingList) -> SafeString:
    names = format_html(
        join_parts(["{}"] * len(winners)), *(link_player(row.entry.player, rating_list) for row in winners)
    )
    if len(winners) > 1:
        return format_html(_("{names} shared first place"), names=names)
    score = points(winners[0].won)
    return format_html(_("{name} won with {points} of {rounds}"), name=names, points=score, rounds=rounds)
