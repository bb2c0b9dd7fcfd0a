"""Atom feeds of a list: proposed changes of its rules, and published lists."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page

from portal.site.feeds import (
    NEWEST,
    AtomFeed,
    EntryFeed,
    EntrySelection,
    FeedEntry,
    FeedSelection,
    entry_id,
    newest_entries,
    summary,
)
from portal.site.texts import strip_control_characters
from ratings.localize import format_day
from ratings.models import RatingList, RuleProposal
from ratings.queries.lists.rule_proposals import published_proposals

from .lists import get_visible_list


@dataclass(frozen=True)
class PublishedProposals(FeedSelection):
    """The published proposals of a list."""

    rating_list: RatingList
    proposals: list[RuleProposal]


class ProposalFeed(AtomFeed[RuleProposal, PublishedProposals]):
    """Feed of proposals; each appears again when its state changes."""

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> PublishedProposals:
        rating_list = get_visible_list(request, slug)
        proposals = list(published_proposals(rating_list).select_related("list")[:NEWEST])
        return PublishedProposals(request.get_full_path(), rating_list.federation, rating_list, proposals)

    def name_content(self, chosen: PublishedProposals) -> str:
        return _("Proposed rules – %(list)s") % {"list": chosen.rating_list.name}

    def link(self, chosen: PublishedProposals) -> str:
        return reverse("rule_proposals", args=[chosen.rating_list.slug])

    def items(self, chosen: PublishedProposals) -> list[RuleProposal]:
        return chosen.proposals

    def item_title(self, item: RuleProposal) -> str:
        return strip_control_characters(item.title)

    def item_description(self, item: RuleProposal) -> str:
        day = _("in force from %(day)s") % {"day": format_day(item.in_force)}
        return summary([str(item.get_state_display()), day, item.reason])

    def item_guid(self, item: RuleProposal) -> str:
        return entry_id(dt.date(2000, 1, 1), f"{item.list.slug}/proposals/{item.pk}")

    def item_pubdate(self, item: RuleProposal) -> dt.datetime | None:
        return item.published_at

    def item_updateddate(self, item: RuleProposal) -> dt.datetime | None:
        return item.changed_at


class PublishedFeed(EntryFeed):
    """Feed of the published lists of a list; one that is published again with corrections appears again."""

    def get_object(self, request: HttpRequest, *_args: Any, slug: str) -> EntrySelection:
        rating_list = get_visible_list(request, slug)
        page = reverse("dated_lists", args=[rating_list.slug])
        entries = newest_entries(_list_published(rating_list))
        name = _("Published lists – %(list)s") % {"list": rating_list.name}
        return EntrySelection(request.get_full_path(), rating_list.federation, name, page, entries)


def _list_published(rating_list: RatingList) -> Iterator[FeedEntry]:
    for dated in rating_list.dated.order_by("-day")[:NEWEST]:
        text = _("published again, with corrections") if dated.revised_at else _("published")
        yield FeedEntry(
            f"{rating_list.slug}/dated/{dated.day}",
            _("List of %(day)s") % {"day": format_day(dated.day)},
            (rating_list.name, text),
            reverse("dated_list", args=[rating_list.slug, dated.day]),
            dated.revised_at or dated.published_at,
        )


proposals = conditional_page(ProposalFeed())
published = conditional_page(PublishedFeed())
