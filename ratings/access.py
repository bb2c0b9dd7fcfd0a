"""Permissions: the roles that may do each action. Every managing view and the admin call `may` first."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.db.models import QuerySet

from ratings.models import ApiKey, Event, Federation, RatingList, Submission

Person = Any
"""A user or an anonymous visitor."""
State = Event.State
OFFICERS, ORGANISERS, APPROVERS = "Rating officers", "Organisers", "Approvers of grades"
"""Names of the groups that give users their roles."""


class Role(StrEnum):
    """The role of a user towards an object. Administrators are officers of every list."""

    ORGANISER = "organiser"
    OWNER = "organiser of this event"
    OFFICER = "officer of some list"
    LIST_OFFICER = "officer of its lists"
    APPROVER = "approver of grades"
    FEDERATION_ADMINISTRATOR = "administrator of this federation"
    ADMINISTRATOR = "administrator"


class Action(StrEnum):
    ORGANISE = "announce events and enter their results"
    SEE_EVENT = "see an event with its submissions, files and steps"
    CHANGE_EVENT = "change, announce, share an event"
    GIVE_RESULTS = "give and submit results"
    CORRECT = "correct a table"
    WITHDRAW = "withdraw a submission"
    REMIND_OFFICERS = "remind the officers of waiting results"
    DELETE_EVENT = "delete and restore a draft event"
    VOID = "void and restore accepted events, delete and restore their tables"
    REVIEW = "return and accept results, change and comment on waiting ones"
    SETTLE = "settle comments on results"
    KEEP_PLAYERS = "merge and split players, answer claims and reports, invite organisers, see what waits"
    ERASE_PERSON = "erase a person for good"
    KEEP_OFFICERS = "appoint and dismiss officers"
    SEE_APPROVALS = "see what waits for approval, with the dossiers"
    APPROVE = "send, approve and decline grades"
    KEEP_LIST = "change, import, publish a list and what is given on it"
    KEEP_FEDERATION = "change name, crest, colour and links of a federation"
    MANAGE_WEBHOOKS = "manage the webhooks of a federation, which tell other programs what changes"
    KEEP_KEYS = "see and revoke the API keys of everybody"
    SET_UP = "set up the portal: federations, first lists, mail"


ANY = frozenset(State)
OPEN = frozenset(Event.OPEN)
GIVEN = frozenset(Event.CHANGEABLE)
WAITING = frozenset({State.SUBMITTED, State.ACCEPTED})  # an accepted event may have corrections waiting
PRESENT = ANY - {State.DELETED}

RIGHTS: Mapping[Action, Mapping[Role, Collection[str]]] = {
    Action.ORGANISE: {Role.ORGANISER: ANY, Role.OFFICER: ANY},
    Action.SEE_EVENT: {Role.OWNER: ANY, Role.LIST_OFFICER: ANY},
    Action.CHANGE_EVENT: {Role.OWNER: OPEN, Role.LIST_OFFICER: PRESENT},
    Action.GIVE_RESULTS: {Role.OWNER: GIVEN, Role.LIST_OFFICER: GIVEN},
    Action.CORRECT: {Role.OWNER: GIVEN, Role.LIST_OFFICER: GIVEN},
    Action.WITHDRAW: {Role.OWNER: WAITING, Role.LIST_OFFICER: WAITING},
    Action.REMIND_OFFICERS: {Role.OWNER: PRESENT, Role.LIST_OFFICER: PRESENT},
    Action.DELETE_EVENT: {Role.OWNER: OPEN | {State.DELETED}, Role.LIST_OFFICER: OPEN | {State.DELETED}},
    Action.VOID: {Role.LIST_OFFICER: {State.ACCEPTED, State.VOID}},
    Action.REVIEW: {Role.LIST_OFFICER: PRESENT},
    Action.SETTLE: {Role.OWNER: PRESENT, Role.LIST_OFFICER: PRESENT},
    Action.KEEP_PLAYERS: {Role.OFFICER: ANY},
    Action.ERASE_PERSON: {Role.ADMINISTRATOR: ANY},
    Action.KEEP_OFFICERS: {Role.ADMINISTRATOR: ANY},
    Action.SEE_APPROVALS: {Role.APPROVER: ANY, Role.LIST_OFFICER: ANY},
    Action.APPROVE: {Role.APPROVER: ANY},
    Action.KEEP_LIST: {Role.LIST_OFFICER: ANY},
    Action.KEEP_FEDERATION: {Role.FEDERATION_ADMINISTRATOR: ANY, Role.ADMINISTRATOR: ANY},
    Action.MANAGE_WEBHOOKS: {Role.FEDERATION_ADMINISTRATOR: ANY, Role.ADMINISTRATOR: ANY},
    Action.KEEP_KEYS: {Role.ADMINISTRATOR: ANY},
    Action.SET_UP: {Role.ADMINISTRATOR: ANY},
}
"""Roles that may do each action, and the states of the event in which they may do it."""


SCOPE_OF = {
    Action.ORGANISE: ApiKey.Scope.EVENTS,
    Action.GIVE_RESULTS: ApiKey.Scope.RESULTS,
    Action.SEE_EVENT: ApiKey.Scope.READ,
    Action.MANAGE_WEBHOOKS: ApiKey.Scope.WEBHOOKS,
}
"""Scope that an API key needs for each action; keys cannot do any other action."""
ROLES_OF_KEYS = frozenset({Role.ORGANISER, Role.OWNER})
ROLES_OF_OFFICERS_KEYS = ROLES_OF_KEYS | {Role.OFFICER, Role.LIST_OFFICER}
"""Roles of keys with the scope “all events”, which only officers can give to a key."""
ROLES_OF_WEBHOOK_KEYS = frozenset({Role.FEDERATION_ADMINISTRATOR, Role.ADMINISTRATOR})
"""Roles of keys that read the log of webhooks, a scope that only administrators of a federation can give to a key."""


def may(user: Person, action: Action, about: Any = None, *, within: Collection[Role] = frozenset(Role)) -> bool:
    """Return True if a user may do an action on an event, a list, or an object that belongs to one of them.

    Only the roles in `within` count.
    """
    if not user.is_active:
        return False
    event = event_of(about)
    roles = [role for role, states in RIGHTS[action].items() if event is None or event.state in states]
    # whether somebody organises an event takes the most queries, unless they have created it
    roles.sort(key=lambda role: role is Role.OWNER and event is not None and event.created_by_id != user.pk)
    return any(role in within and has_role(user, role, about, event) for role in roles)


def may_by_key(key: ApiKey, action: Action, about: Any = None) -> bool:
    """Return True if a program with this API key may do an action; the scopes of the key limit it.

    Other roles of the key's owner do not count, in particular roles granted later and roles that need a second factor
    that the owner lacks.
    """
    if SCOPE_OF.get(action) not in key.scopes:
        return False
    if action is Action.MANAGE_WEBHOOKS:
        return not lacks_second_factor(key.owner) and may(key.owner, action, about, within=ROLES_OF_WEBHOOK_KEYS)
    all_events = ApiKey.Scope.ALL_EVENTS in key.scopes and not lacks_second_factor(key.owner)
    return may(key.owner, action, about, within=ROLES_OF_OFFICERS_KEYS if all_events else ROLES_OF_KEYS)


def has_role(user: Person, role: Role, about: Any, event: Event | None) -> bool:
    """Return True if a user has a role towards an object."""
    holds = False
    match role:
        case Role.ORGANISER:
            holds = user.has_perm("ratings.add_event")
        case Role.OWNER:
            holds = event is not None and user.has_perm("ratings.add_event") and organises(user, event)
        case Role.OFFICER:
            holds = is_officer(user)
        case Role.LIST_OFFICER:
            holds = is_officer(user) and _is_officer_of(user, about, event)
        case Role.APPROVER:
            holds = user.has_perm("ratings.approve_grade") and approves(user, getattr(about, "list", None))
        case Role.FEDERATION_ADMINISTRATOR:
            holds = isinstance(about, Federation) and about.administrators.filter(pk=user.pk).exists()
        case Role.ADMINISTRATOR:
            holds = user.is_superuser
    return bool(holds)


def event_of(about: Any) -> Event | None:
    """Return the event that an object is or belongs to; None if there is none."""
    return about if isinstance(about, Event) else getattr(about, "event", None)


def may_edit(user: Person, submission: Submission) -> bool:
    """Return True if a submission is still open and the user may change it."""
    return submission.is_open and may(user, Action.GIVE_RESULTS, submission)


def may_edit_waiting(user: Person, submission: Submission) -> bool:
    """Return True if a submission waits for an officer and the user may change it as one."""
    return submission.state == Submission.State.SUBMITTED and may(user, Action.REVIEW, submission)


def is_officer(user: Person) -> bool:
    """Return True for active rating officers, of any list, and for active administrators."""
    return bool(user.is_active and user.has_perm("ratings.accept_event"))


def is_appointed_officer(user: Person) -> bool:
    """Return True for active officers by their role or as officers of a list; administrators need one of these too."""
    if not is_officer(user):
        return False
    if not user.is_superuser:
        return True
    is_member = user.groups.filter(name=OFFICERS).exists()
    return bool(is_member or RatingList.objects.filter(officers=user.pk).exists())


def organises(user: Person, event: Event) -> bool:
    """Return True if a user created an event, it is shared with them, or they are an organiser of its club."""
    if event.created_by_id == user.pk or event.pk is None:
        return bool(event.created_by_id == user.pk)
    this_event = Event.objects.filter(pk=event.pk)
    return this_event.filter(organisers=user.pk).exists() or this_event.filter(club__organisers=user.pk).exists()


def administered_federations(user: Person) -> QuerySet[Federation]:
    """Return the federations whose pages a user may change; all of them for administrators."""
    return Federation.objects.all() if user.is_superuser else Federation.objects.filter(administrators=user.pk)


def approves(user: Person, rating_list: RatingList | None) -> bool:
    """Return True if a list names this user as an approver, or names none; True for administrators."""
    if user.is_superuser or rating_list is None:
        return True
    this_list = RatingList.objects.filter(pk=rating_list.pk)
    return not this_list.exclude(approvers=None).exclude(approvers=user.pk).exists()


def needs_second_factor(user: Person) -> bool:
    """Return True if a user needs a second factor: officers, approvers and administrators."""
    return is_officer(user) or bool(user.is_active and user.has_perm("ratings.approve_grade"))


def lacks_second_factor(user: Person) -> bool:
    """Return True if a user who needs a second factor has not set one up, and so counts as a visitor."""
    needs = settings.SECOND_FACTOR and user.is_authenticated and needs_second_factor(user)
    return bool(needs and not is_mfa_enabled(user))


def _is_officer_of(user: Person, about: Any, event: Event | None) -> bool:
    """Return True if an officer looks after all lists concerned; a list without officers belongs to all officers."""
    if user.is_superuser:
        return True
    if event is not None:
        if event.pk is None:
            return True
        lists = RatingList.objects.filter(events=event)
    else:
        about_list = about if isinstance(about, RatingList) else getattr(about, "list", None)
        lists = (
            RatingList.objects.filter(pk=about_list.source.pk)
            if about_list is not None and about_list.pk
            else RatingList.objects.none()
        )
    return not lists.exclude(officers=None).exclude(officers=user.pk).exists()
