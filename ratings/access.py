"""Who may do what to which object, as one table. Every managing view and the admin ask `may` first."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from ratings.models import Event, RatingList, Sheet

Person = Any
"""A user or an anonymous visitor."""
State = Event.State
OFFICERS, ORGANISERS, APPROVERS = "Rating officers", "Organisers", "Approvers of grades"
"""Names of the groups that give people their roles."""


class Role(StrEnum):
    """What somebody is to an object. Administrators are officers of every list."""

    ORGANISER = "organiser"
    OWNER = "organiser of this event"
    OFFICER = "officer of some list"
    LIST_OFFICER = "officer of its lists"
    APPROVER = "approver of grades"
    ADMINISTRATOR = "administrator"


class Action(StrEnum):
    ORGANISE = "announce events and enter their results"
    SEE_EVENT = "see an event with its sheets, files and steps"
    CHANGE_EVENT = "change, announce, share an event"
    GIVE_RESULTS = "give and submit results"
    CORRECT = "correct a table"
    REVIEW = "return and accept results"
    KEEP_PLAYERS = "merge and split players, answer claims and reports, invite organisers, see what waits"
    KEEP_OFFICERS = "appoint and dismiss officers"
    SEE_APPROVALS = "see what waits for approval, with the dossiers"
    APPROVE = "send, approve and decline grades"
    KEEP_LIST = "change, import, publish a list and what is given on it"


ANY = frozenset(State)
OPEN = frozenset({State.DRAFT, State.RETURNED})
GIVEN = OPEN | {State.ACCEPTED}  # in a submitted event nothing moves until it is accepted or returned

RIGHTS: Mapping[Action, Mapping[Role, Collection[str]]] = {
    Action.ORGANISE: {Role.ORGANISER: ANY, Role.OFFICER: ANY},
    Action.SEE_EVENT: {Role.OWNER: ANY, Role.LIST_OFFICER: ANY},
    Action.CHANGE_EVENT: {Role.OWNER: OPEN, Role.LIST_OFFICER: ANY},
    Action.GIVE_RESULTS: {Role.OWNER: GIVEN, Role.LIST_OFFICER: GIVEN},
    Action.CORRECT: {Role.OWNER: GIVEN, Role.LIST_OFFICER: GIVEN},
    Action.REVIEW: {Role.LIST_OFFICER: ANY},
    Action.KEEP_PLAYERS: {Role.OFFICER: ANY},
    Action.KEEP_OFFICERS: {Role.ADMINISTRATOR: ANY},
    Action.SEE_APPROVALS: {Role.APPROVER: ANY, Role.LIST_OFFICER: ANY},
    Action.APPROVE: {Role.APPROVER: ANY},
    Action.KEEP_LIST: {Role.LIST_OFFICER: ANY},
}
"""Who may, and in which states of the event that it is about."""


def may(user: Person, action: Action, about: Any = None) -> bool:
    """Whether somebody may do something to an event, a list, or what belongs to one of them."""
    if not user.is_active:
        return False
    event = event_of(about)
    roles = roles_of(user, about, event)
    return any(role in roles and (event is None or event.state in states) for role, states in RIGHTS[action].items())


def roles_of(user: Person, about: Any, event: Event | None) -> set[Role]:
    """Everything that somebody is to an object."""
    roles = set()
    if user.has_perm("ratings.add_event"):
        roles.add(Role.ORGANISER)
        if event is not None and organises(user, event):
            roles.add(Role.OWNER)
    if is_officer(user):
        roles.add(Role.OFFICER)
        if _is_officer_of(user, about, event):
            roles.add(Role.LIST_OFFICER)
    if user.has_perm("ratings.approve_grade") and approves(user, getattr(about, "list", None)):
        roles.add(Role.APPROVER)
    if user.is_superuser:
        roles.add(Role.ADMINISTRATOR)
    return roles


def event_of(about: Any) -> Event | None:
    """The event that an object is or belongs to."""
    return about if isinstance(about, Event) else getattr(about, "event", None)


def may_edit(user: Person, sheet: Sheet) -> bool:
    """Change a sheet that is still open."""
    return sheet.is_open and may(user, Action.GIVE_RESULTS, sheet)


def is_officer(user: Person) -> bool:
    """Rating officers of whichever list, and administrators."""
    return bool(user.is_active and user.has_perm("ratings.accept_event"))


def organises(user: Person, event: Event) -> bool:
    """Whether it is his event: made by him, shared with him, or his club's."""
    if event.created_by_id == user.pk or event.pk is None:
        return bool(event.created_by_id == user.pk)
    mine = Event.objects.filter(pk=event.pk)
    return mine.filter(organisers=user.pk).exists() or mine.filter(club__organisers=user.pk).exists()


def approves(user: Person, rating_list: RatingList | None) -> bool:
    """Whether an approver is one of this list; a list that names none has them all."""
    if user.is_superuser or rating_list is None:
        return True
    several = RatingList.objects.filter(pk=rating_list.pk)
    return not several.exclude(approvers=None).exclude(approvers=user.pk).exists()


def needs_second_factor(user: Person) -> bool:
    """Whoever decides: officers, approvers, administrators."""
    return is_officer(user) or bool(user.is_active and user.has_perm("ratings.approve_grade"))


def _is_officer_of(user: Person, about: Any, event: Event | None) -> bool:
    """Of all lists concerned; a list that names no officers is every officer's."""
    if user.is_superuser:
        return True
    if event is not None:
        if event.pk is None:
            return True
        lists = RatingList.objects.filter(events=event)
    else:
        one = about if isinstance(about, RatingList) else getattr(about, "list", None)
        lists = RatingList.objects.filter(pk=one.source.pk) if one is not None and one.pk else RatingList.objects.none()
    return not lists.exclude(officers=None).exclude(officers=user.pk).exists()
