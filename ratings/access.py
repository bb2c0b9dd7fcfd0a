"""Who may do what to which object. Every managing view and the admin ask here first."""

from __future__ import annotations

from typing import Any

from ratings.models import Event

Person = Any
"""A user or an anonymous visitor."""


def is_officer(user: Person) -> bool:
    """Rating officers and administrators: they see and change everything about results."""
    return bool(user.is_active and user.has_perm("ratings.accept_event"))


def may_change_event(user: Person, event: Event) -> bool:
    """Officers any event; organisers their own until it is accepted."""
    if is_officer(user):
        return True
    own = event.created_by_id is not None and event.created_by_id == user.pk
    return bool(own and event.state == Event.State.DRAFT and user.has_perm("ratings.change_event"))


def may_see_event(user: Person, event: Event) -> bool:
    """In the admin: officers all, organisers their own."""
    return is_officer(user) or (event.created_by_id is not None and event.created_by_id == user.pk)
