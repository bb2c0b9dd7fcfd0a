"""Entries for events: who has entered, with ratings and grades, and how strong the field is."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.localize import format_moment_in_zone
from ratings.matching import fold
from ratings.models import EntryList, Event, EventEntry, NameVisibility, Player, RatingList, Standing
from ratings.queries.lists.lists import standings_with_last_rating

State = EventEntry.State


@dataclass
class EnteredPlayer:
    """An entry with what the list of the event says of its player.

    `rank` is the place by rating among the entered players, None without a rating; equal ratings share it.
    """

    entry: EventEntry
    rating: float | None = None
    grade: str = ""
    grade_index: int = -1
    rank: int | None = None


@dataclass(frozen=True)
class Strength:
    """The expected strength of a field; `grades` are (grade, number of players), the highest grade first."""

    players: int
    rated: int
    average: float | None
    highest: float | None
    grades: Sequence[tuple[str, int]]


@dataclass
class EntriesByState:
    """All entries of an event by state: entered players by rating, the waiting list in its order."""

    asked: list[EnteredPlayer] = field(default_factory=list)
    confirmed: list[EnteredPlayer] = field(default_factory=list)
    waiting: list[EnteredPlayer] = field(default_factory=list)
    gone: list[EnteredPlayer] = field(default_factory=list)
    """Withdrawn, refused and removed ones, the latest change first."""


def entry_list_of(event: Event) -> EntryList | None:
    """Return the settings of an event's entries; None if it takes none."""
    return EntryList.objects.filter(event=event).first()


def has_begun(event: Event) -> bool:
    """Return True from the first day of an event on."""
    return event.start <= timezone.localdate()


def find_entering_problem(entry_list: EntryList, now: dt.datetime) -> str:
    """Return why an event takes no entries at a time; empty if it takes them."""
    event = entry_list.event
    if not entry_list.is_open or event.announced_at is None or not event.is_open:
        return _("This event takes no entries here.")
    if entry_list.closes_at is not None and now >= entry_list.closes_at:
        return _("Entries closed on %(time)s.") % {"time": format_moment_in_zone(entry_list.closes_at)}
    today = timezone.localdate(now)
    if today > event.start or (entry_list.closes_at is None and today >= event.start):
        return _("The event has begun.")
    return ""


def read_entries(event: Event, rating_list: RatingList | None) -> EntriesByState:
    """Return all entries of an event by state, with four queries at most."""
    entries = list(event.player_entries.select_related("player", "changed_by"))
    found = EntriesByState()
    by_state = {State.ASKED: found.asked, State.CONFIRMED: found.confirmed, State.WAITING: found.waiting}
    for line in _add_standings(entries, rating_list):
        by_state.get(State(line.entry.state), found.gone).append(line)
    found.confirmed = rank_players(found.confirmed)
    found.gone.sort(key=lambda line: line.entry.changed_at, reverse=True)
    return found


def read_entered_players(event: Event, rating_list: RatingList | None) -> list[EnteredPlayer]:
    """Return the players who have a place in an event, the highest rating first, with three queries at most."""
    entries = list(event.player_entries.filter(state=State.CONFIRMED).select_related("player"))
    return rank_players(_add_standings(entries, rating_list))


def _add_standings(entries: Sequence[EventEntry], rating_list: RatingList | None) -> list[EnteredPlayer]:
    lines = [EnteredPlayer(entry) for entry in entries]
    players = [entry.player_id for entry in entries if entry.player_id]
    if rating_list is None or not players:
        return lines
    standings = Standing.objects.filter(list=rating_list, player__in=players)
    listed = {standing.player_id: standing for standing in standings_with_last_rating(standings)}
    for line in lines:
        if (standing := listed.get(line.entry.player_id)) is not None:
            line.rating = standing.rating
            line.grade, line.grade_index = standing.grade, standing.grade_index
    return lines


def read_rating(player: Player, rating_list: RatingList) -> float | None:
    """Return a player's rating on a list, as it stands in lists of entries; None if they have none."""
    standings = standings_with_last_rating(Standing.objects.filter(list=rating_list, player=player))
    return next((standing.rating for standing in standings), None)


def rank_players(lines: Iterable[EnteredPlayer]) -> list[EnteredPlayer]:
    """Return players by rating, then by name, with their ranks."""
    ordered = sorted(lines, key=lambda line: (line.rating is None, -(line.rating or 0), fold(str(line.entry))))
    for number, line in enumerate(ordered, 1):
        before = ordered[number - 2] if number > 1 else None
        if line.rating is not None:
            line.rank = before.rank if before is not None and before.rating == line.rating else number
    return ordered


def measure_strength(lines: Sequence[EnteredPlayer]) -> Strength:
    """Return the expected strength of the entered players."""
    ratings = [line.rating for line in lines if line.rating is not None]
    counted = Counter((line.grade_index, line.grade) for line in lines if line.grade)
    return Strength(
        len(lines),
        len(ratings),
        sum(ratings) / len(ratings) if ratings else None,
        max(ratings, default=None),
        [(grade, number) for (_index, grade), number in sorted(counted.items(), reverse=True)],
    )


def rank_in_field(lines: Iterable[EnteredPlayer], rating: float) -> int:
    """Return the place by rating that a player with this rating has, or would have, among the entered players."""
    return 1 + sum(1 for line in lines if line.rating is not None and line.rating > rating)


def list_publicly(lines: Iterable[EnteredPlayer]) -> list[EnteredPlayer]:
    """Return the entries whose names the public may see.

    Anonymous players, typed names whose sender does not want it, and typed names of players who hide theirs are left
    out: an entry says where somebody will be.
    """
    lines = list(lines)
    has_typed = any(line.entry.player is None for line in lines)
    hidden = _hidden_names() if has_typed else set()
    return [line for line in lines if _is_public(line.entry, hidden)]


def _hidden_names() -> set[str]:
    """Return the folded names, in both orders, of the players who do not show theirs in full."""
    players = Player.objects.exclude(shown=NameVisibility.FULL).values_list("family_name", "given_name")
    return {fold(f"{a} {b}") for family, given in players for a, b in ((family, given), (given, family))}


def _is_public(entry: EventEntry, hidden: set[str]) -> bool:
    if entry.player is not None:
        return entry.is_listed and not entry.player.is_anonymous
    return entry.is_listed and fold(entry.typed_name) not in hidden


def count_entries(event: Event) -> dict[str, int]:
    """Return the number of entries of an event by state."""
    return dict(event.player_entries.order_by().values_list("state").annotate(Count("pk")))


def entry_of(event: Event, player: Player | None) -> EventEntry | None:
    """Return a player's entry for an event; None if there is none."""
    return None if player is None else event.player_entries.filter(player=player).first()


def list_batch(entry: EventEntry) -> list[EventEntry]:
    """Return the entries whose last change was made by the same click as that of an entry, and can be undone."""
    if not entry.batch:
        return [entry]
    same = entry.event.player_entries.filter(batch=entry.batch).exclude(previous_state="")
    return list(same.select_related("event", "player").order_by("pk"))


def last_changed_entry(event: Event) -> Any:
    """Return the entry that was changed last and can be changed back; None if there is none."""
    return event.player_entries.exclude(Q(previous_state="")).order_by("-changed_at", "-pk").first()
