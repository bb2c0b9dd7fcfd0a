"""Steps of the guided set-up of a federation: what is there, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User

from ratings.access import APPROVERS, OFFICERS, ORGANISERS
from ratings.formats.setup_file import EventPart, FederationPart, ListPart, PersonPart, SetupFile
from ratings.models import Event, Federation, RatedTable, RatingList, Standing
from ratings.queries.results.workflow import staff_users

STEPS = ("federation", "list", "people", "invitations", "mail", "event")


@dataclass(frozen=True)
class SetupState:
    """The federation that is set up, its first list, the people with a role, and its first event.

    `mail_works` is True if a mail has reached an administrator, by which they confirmed their address.
    """

    federation: Federation | None
    rating_list: RatingList | None
    players: int
    staff: list[User]
    event: Event | None
    is_rated: bool
    mail_works: bool

    @property
    def done(self) -> list[str]:
        """Return the steps that are done."""
        facts = {
            "federation": self.federation is not None,
            "list": self.rating_list is not None,
            "people": self.players > 0,
            "invitations": bool(self.staff),
            "mail": self.mail_works,
            "event": self.is_rated,
        }
        return [step for step in STEPS if facts[step]]

    @property
    def next_step(self) -> str:
        """Return the first step that is not done, empty if all are."""
        return next((step for step in STEPS if step not in self.done), "")

    @property
    def is_public(self) -> bool:
        return self.rating_list is not None and self.rating_list.public

    @property
    def requirements(self) -> list[str]:
        """Return the steps that a federation needs before it is made public, in their order."""
        return ["federation", "list", "people", "mail"]

    @property
    def may_be_public(self) -> bool:
        return set(self.requirements) <= set(self.done)


def read_setup(federation: Federation | None, *, mail_tested: bool = False) -> SetupState:
    """Return what is there of a federation; None for a portal without one. `mail_tested`: a test mail was accepted."""
    lists = RatingList.objects.filter(federation=federation, comparison_to=None).order_by("pk")
    rating_list = lists.first() if federation else None
    events = Event.objects.filter(lists=rating_list).exclude(state__in=(Event.State.DELETED, Event.State.VOID))
    players = Standing.objects.filter(list=rating_list, published=True, rating__isnull=False)
    return SetupState(
        federation,
        rating_list,
        players.count() if rating_list else 0,
        [user for user in staff_users() if not user.is_superuser],
        events.order_by("pk").first() if rating_list else None,
        RatedTable.objects.filter(list=rating_list).exists() if rating_list else False,
        mail_tested or _has_confirmed_mail(),
    )


def _has_confirmed_mail() -> bool:
    """Return True if an administrator has confirmed a mail address, which takes a mail that arrived."""
    confirmed = EmailAddress.objects.filter(verified=True, user__is_superuser=True, user__is_active=True)
    return bool(confirmed.exists())


ROLES = {OFFICERS: "officer", ORGANISERS: "organiser", APPROVERS: "approver"}
"""Roles in a set-up file, by the groups that give them."""


def describe_setup(federation: Federation) -> SetupFile:
    """Return the answers of a federation's set-up, without files: the crest and the present ratings are not in it."""
    fields = [name for name in FederationPart.model_fields if name != "crest"]
    state = read_setup(federation)
    lists = federation.lists.filter(comparison_to=None).order_by("pk")
    people = [
        PersonPart(mail=user.email, role=ROLES[group.name])
        for user in state.staff
        for group in user.groups.all()
        if group.name in ROLES and user.email
    ]
    return SetupFile(
        federation=FederationPart(**{name: getattr(federation, name) for name in fields}),
        lists=[_describe_list(rating_list) for rating_list in lists],
        people=people,
        event=_describe_event(state) if state.event else None,
    )


def _describe_list(rating_list: RatingList) -> ListPart:
    fields = [name for name in ListPart.model_fields if name not in {"ratings", "day"}]
    return ListPart(**{name: getattr(rating_list, name) for name in fields})


def _describe_event(state: SetupState) -> EventPart:
    event, rating_list = state.event, state.rating_list
    assert event is not None
    assert rating_list is not None
    fields = ("name", "start", "end", "place", "time_control")
    values = {name: getattr(event, name) for name in fields}
    return EventPart(country=str(event.country), list=rating_list.slug, **values)
