"""Entries on the page of an announced event: numbers, the public list, and those of its reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.events.roster_files import list_formats
from portal.site.page_links import PageLink
from portal.site.whole_lists import ROWS_PER_PART
from ratings.models import EntryList, Event, EventEntry, Player, RatingList
from ratings.queries.events.entries import (
    EnteredPlayer,
    Strength,
    count_entries,
    entry_list_of,
    entry_of,
    find_entering_problem,
    has_begun,
    list_publicly,
    measure_strength,
    rank_in_field,
    read_entered_players,
    read_rating,
)
from ratings.queries.players.claims import player_of_user

State = EventEntry.State


@dataclass(frozen=True)
class EntryPanel:
    """The entries of an event in numbers, and those of the reader.

    `problem` says why the event takes no entries now; empty if it does. `own` is the entry of the reader's player.
    """

    entry_list: EntryList
    problem: str
    confirmed: int
    waiting: int
    player: Player | None
    own: EventEntry | None

    @property
    def free(self) -> int | None:
        """Return the number of free places; None if there is no limit."""
        return None if self.entry_list.limit is None else max(0, self.entry_list.limit - self.confirmed)

    @property
    def may_enter(self) -> bool:
        """Return True if the reader can enter with one click."""
        return not self.problem and self.player is not None and (self.own is None or not self.own.is_active)

    @property
    def may_withdraw(self) -> bool:
        return self.own is not None and self.own.is_active and not has_begun(self.entry_list.event)


@dataclass(frozen=True)
class EntriesPage:
    """A part of the public list of entries, the number of players without names there, and the strength of the field.

    `own_rank` is the rank by rating of the reader, or the rank that they would have; None without a rating.
    """

    lines: Page[EnteredPlayer]
    unnamed: int
    strength: Strength
    own_rank: int | None


def build_panel(request: HttpRequest, event: Event) -> EntryPanel | None:
    """Return the panel of an event; None if it takes no entries here."""
    entry_list = entry_list_of(event)
    if entry_list is None or not (entry_list.is_open or entry_list.is_public):
        return None
    entry_list.event = event
    numbers = count_entries(event)
    player = player_of_user(request.user) if request.user.is_authenticated else None
    return EntryPanel(
        entry_list,
        find_entering_problem(entry_list, timezone.now()),
        numbers.get(State.CONFIRMED, 0),
        numbers.get(State.WAITING, 0),
        player,
        entry_of(event, player),
    )


def build_entries_page(
    event: Event, panel: EntryPanel, rating_list: RatingList | None, part: str | None
) -> EntriesPage:
    """Return a part of the public list of an event's entries, by its number from 1; the first one by default."""
    entered = read_entered_players(event, rating_list)
    public = list_publicly(entered)
    own = None
    if panel.player is not None and rating_list is not None:
        rating = read_rating(panel.player, rating_list)
        own = None if rating is None else rank_in_field(entered, rating)
    lines = Paginator(public, ROWS_PER_PART).get_page(part)
    return EntriesPage(lines, len(entered) - len(public), measure_strength(entered), own)


def list_announced_tabs(event: Event, panel: EntryPanel, *, is_entries: bool) -> list[PageLink]:
    """Return the tabs of an announced event whose entries are public; none if they are not."""
    if not panel.entry_list.is_public:
        return []
    return [
        PageLink(_("About the event"), event.get_absolute_url(), not is_entries),
        PageLink(_("Entries"), reverse("event_entries", args=[event.public_id]), is_entries, panel.confirmed),
    ]


def entries_context(
    request: HttpRequest, event: Event, rating_list: RatingList | None, *, is_entries: bool
) -> dict[str, Any]:
    """Return the context of an announced event's page; empty if it takes no entries here."""
    panel = build_panel(request, event)
    if panel is None:
        return {}
    context: dict[str, Any] = {"panel": panel, "tabs": list_announced_tabs(event, panel, is_entries=is_entries)}
    if is_entries:
        context["entries"] = build_entries_page(event, panel, rating_list, request.GET.get("page"))
        context["roster_formats"] = list_formats(rating_list)
    return context
