"""Changes of followed pages waiting to be mailed: stored in the transaction of the change.

Changes come as the same messages that webhooks send (`change_messages.py`), with public ids and numbers only.
However many ratings a run changes, the followers are found with a fixed number of queries.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from ratings.models import (
    ChangeKind,
    ChangeMessage,
    Entry,
    EventStep,
    Follow,
    FollowedChange,
    FollowSettings,
    MailFrequency,
    Notification,
    Player,
)
from ratings.queries.players.clubs import current_memberships

from .follow_lines import STEPS
from .outbox import deliver_soon

AT_ONCE, WEEKLY = "followed", "followed weekly"
"""Kinds of notifications, which the composers of `follow_mails.py` write as mails."""
AT_ONCE_DELAY = dt.timedelta(minutes=2)
"""Time after a change until its mail is written: what follows soon, as the rating run does, comes in the same mail."""
FOLLOWED_KINDS = frozenset(
    {
        ChangeKind.LIST_PUBLISHED,
        ChangeKind.EVENT_RATED,
        ChangeKind.RATING_CHANGED,
        ChangeKind.RATING_CORRECTED,
        ChangeKind.GRADE_ANNOUNCED,
    }
)
BATCH = 1000
Kind = FollowedChange.Kind
Row = dict[str, Any]


@dataclass
class _Changes:
    """The changes of one run, publication or announcement on the list with this slug, by what they are about."""

    slug: str
    events: dict[str, Row] = field(default_factory=dict)
    ratings: dict[str, Row] = field(default_factory=dict)
    corrected: set[str] = field(default_factory=set)
    grades: dict[str, Row] = field(default_factory=dict)
    published: Row = field(default_factory=dict)

    @property
    def tables(self) -> list[int]:
        """The primary keys of the tables that were rated for the first time."""
        return [table for event in self.events.values() for table in event["tables"]]


def has_followers(kinds: Collection[ChangeKind]) -> bool:
    """Return True if a user may get mails about changes of these kinds, so that the changes must be described."""
    if FOLLOWED_KINDS.isdisjoint(kinds):
        return False
    if Follow.objects.exclude(frequency=MailFrequency.NEVER).exists():
        return True
    return ChangeKind.RATING_CORRECTED in kinds and Player.objects.filter(account__isnull=False).exists()


def queue_followed_changes(messages: Iterable[ChangeMessage]) -> None:
    """Store these changes for their followers, and have their mails written soon."""
    for changes in _collect(messages):
        followers = _load_followers(changes)
        own = list(_describe_own_corrections(changes)) if changes.corrected else []
        reported = {(row.user_id, row.data["player"]) for row in own}
        rows = [row for row in _describe(changes, followers) if _key(row) not in reported]
        _store([*own, *rows])


def queue_followed_step(step: EventStep) -> None:
    """Store a step for the followers of its event, unless they took it themselves."""
    if step.what not in STEPS:
        return
    followers = _active().filter(event=step.event_id).exclude(user=step.by_id or 0)
    data = {"event": step.event.public_id, "step": step.pk, "what": step.what}
    _store(FollowedChange(user_id=user, follow_id=pk, kind=Kind.STEP, data=data) for pk, user in _pairs(followers))


def _collect(messages: Iterable[ChangeMessage]) -> list[_Changes]:
    """Return the followed changes among messages, by list."""
    lists: dict[str, _Changes] = {}
    for message in messages:
        if message.kind not in FOLLOWED_KINDS:
            continue
        data = message.data
        changes = lists.setdefault(data["list"], _Changes(data["list"]))
        head = {name: data[name] for name in ("list", "run", "withdrawn") if name in data}
        if message.kind == ChangeKind.EVENT_RATED:
            changes.events[data["event"]] = dict(data)
        elif message.kind == ChangeKind.RATING_CHANGED:
            changes.ratings |= {row["player"]: head | row for row in data["changes"]}
        elif message.kind == ChangeKind.RATING_CORRECTED:
            changes.corrected |= {row["player"] for row in data["corrections"]}
        elif message.kind == ChangeKind.GRADE_ANNOUNCED:
            changes.grades |= {row["player"]: head | row for row in data["grades"]}
        else:
            changes.published = dict(data)
    return list(lists.values())


@dataclass(frozen=True)
class _Followers:
    """Followers as pairs of primary keys: of the follow and of the user; `played` are tables by player's public id."""

    players: Sequence[tuple[int, int, str]]
    played: Mapping[str, list[int]]
    members: Mapping[tuple[int, int, str], list[str]]
    """Members who played, by follow, user and event (public ids)."""
    events: Sequence[tuple[int, int, str]]
    lists: Sequence[tuple[int, int]]


def _active() -> Any:
    return Follow.objects.exclude(frequency=MailFrequency.NEVER).filter(user__is_active=True).order_by("pk")


def _pairs(follows: Any) -> list[tuple[int, int]]:
    return list(follows.values_list("pk", "user"))


def _load_followers(changes: _Changes) -> _Followers:
    """Return the followers of the players, members, events and the list, with at most six queries."""
    # by the list, not by ids: a run may change thousands of players
    on_list = _active().filter(player__standings__list__slug=changes.slug)
    concerned = bool(changes.ratings or changes.grades or changes.events)
    players = list(on_list.values_list("pk", "user", "player__public_id")) if concerned else []
    events = _active().filter(event__public_id__in=list(changes.events)) if changes.events else Follow.objects.none()
    lists = _active().filter(list__slug=changes.slug) if changes.published else Follow.objects.none()
    return _Followers(
        players,
        _find_tables(changes.tables, {player for *_keys, player in players}),
        _find_members(changes),
        list(events.values_list("pk", "user", "event__public_id")),
        _pairs(lists),
    )


def _find_tables(tables: Collection[int], players: Collection[str]) -> dict[str, list[int]]:
    """Return those of some tables in which players played, by public id."""
    played: dict[str, list[int]] = defaultdict(list)
    if tables and players:
        seats = Entry.objects.filter(table__in=tables, guest=False, player__followers__isnull=False).order_by("table")
        for player, table in seats.values_list("player__public_id", "table").distinct():
            played[player].append(table)
    return played


def _find_members(changes: _Changes) -> dict[tuple[int, int, str], list[str]]:
    """Return the members of followed clubs who played in the events, by follow, user and event."""
    members: dict[tuple[int, int, str], list[str]] = defaultdict(list)
    clubs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    if changes.tables:
        for pk, user, club in _active().filter(club__isnull=False).values_list("pk", "user", "club"):
            clubs[club].append((pk, user))
    if clubs:
        present = current_memberships().filter(club__followers__isnull=False)
        seats = present.filter(player__entries__table__in=changes.tables, player__entries__guest=False).order_by()
        fields = ("club", "player__entries__table__event__public_id", "player__public_id")
        for club, event, player in sorted(seats.values_list(*fields).distinct()):
            for pk, user in clubs.get(club, ()):
                members[pk, user, event].append(player)
    return members


def _describe(changes: _Changes, followers: _Followers) -> Iterator[FollowedChange]:
    """Yield the changes to report to followers, as unsaved rows."""
    for pk, user, player in followers.players:
        tables, rating = followers.played.get(player, []), changes.ratings.get(player)
        if rating or tables:
            kind = Kind.CORRECTION if player in changes.corrected else Kind.RATING
            data = (rating or {"list": changes.slug, "player": player}) | {"tables": tables}
            yield FollowedChange(user_id=user, follow_id=pk, kind=kind, data=data)
        if player in changes.grades:
            yield FollowedChange(user_id=user, follow_id=pk, kind=Kind.GRADE, data=changes.grades[player])
    for (pk, user, event), players in followers.members.items():
        data = {"list": changes.slug, "event": event, "members": players}
        yield FollowedChange(user_id=user, follow_id=pk, kind=Kind.MEMBERS, data=data)
    for pk, user, event in followers.events:
        yield FollowedChange(user_id=user, follow_id=pk, kind=Kind.RATED, data=changes.events[event])
    for pk, user in followers.lists:
        yield FollowedChange(user_id=user, follow_id=pk, kind=Kind.PUBLISHED, data=changes.published)


def _describe_own_corrections(changes: _Changes) -> Iterator[FollowedChange]:
    """Yield the corrections of players with an account whose users get mails about them."""
    refusing = FollowSettings.objects.filter(own_corrections=MailFrequency.NEVER).values("user")
    players = Player.objects.filter(account__is_active=True, standings__list__slug=changes.slug)
    for player, user in players.exclude(account__in=refusing).order_by("pk").values_list("public_id", "account"):
        if player in changes.corrected and player in changes.ratings:
            data = changes.ratings[player] | {"tables": []}
            yield FollowedChange(user_id=user, kind=Kind.CORRECTION, data=data)


def _key(row: FollowedChange) -> tuple[int, str] | None:
    """Return user and player of a correction; None for other changes."""
    return (row.user_id, row.data["player"]) if row.kind == Kind.CORRECTION else None


def _store(changes: Iterable[FollowedChange]) -> None:
    """Store changes, and a notification for each user who wants to know immediately; others get weekly mails."""
    rows = FollowedChange.objects.bulk_create(changes, BATCH)
    weekly = Follow.objects.filter(user__in={row.user_id for row in rows}, frequency=MailFrequency.WEEKLY)
    later = set(weekly.values_list("pk", flat=True))
    own = {row.user_id for row in rows if row.follow_id is None}
    if own:
        weekly_own = FollowSettings.objects.filter(user__in=own, own_corrections=MailFrequency.WEEKLY)
        own -= set(weekly_own.values_list("user", flat=True))
    due = own | {row.user_id for row in rows if row.follow_id is not None and row.follow_id not in later}
    notify_users(AT_ONCE, sorted(due), delay=AT_ONCE_DELAY)


def notify_users(kind: str, users: Collection[int], *, delay: dt.timedelta = dt.timedelta(0)) -> None:
    """Save a notification for each of some users (primary keys), by one insert; the composer finds what is due."""
    due = timezone.now() + delay
    Notification.objects.bulk_create([Notification(kind=kind, object_id=pk, next_try_at=due) for pk in users], BATCH)
    if users:
        deliver_soon()
