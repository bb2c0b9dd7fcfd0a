"""Who may do what to which object. Every managing view and the admin ask here first."""

from __future__ import annotations

from typing import Any

from ratings.models import Event, Sheet

Person = Any
"""A user or an anonymous visitor."""


def is_officer(user: Person) -> bool:
    """Rating officers and administrators: they see and change everything about results."""
    return bool(user.is_active and user.has_perm("ratings.accept_event"))


def may_change_event(user: Person, event: Event) -> bool:
    """Officers any event; organisers their own until it is submitted, and again when it was returned."""
    if is_officer(user):
        return True
    return bool(event.is_open and user.has_perm("ratings.change_event") and organises(user, event))


def organises(user: Person, event: Event) -> bool:
    """Whether it is his event: made by him, or shared with him."""
    if not user.is_authenticated or event.pk is None:
        return False
    return event.created_by_id == user.pk or event.organisers.filter(pk=user.pk).exists()


def may_see_event(user: Person, event: Event) -> bool:
    """On managing pages and in the admin: officers all, organisers their own."""
    return is_officer(user) or organises(user, event)


def may_organise(user: Person) -> bool:
    """Announce events and enter their results."""
    return bool(user.is_active and user.has_perm("ratings.add_event"))


def may_correct(user: Person, event: Event) -> bool:
    """Enter a correction of an accepted event: officers at once, its organisers as a proposal."""
    return event.state == Event.State.ACCEPTED and (is_officer(user) or organises(user, event))


def may_edit_sheet(user: Person, sheet: Sheet) -> bool:
    """Officers any open sheet; organisers those of their events."""
    return sheet.is_open and (may_change_event(user, sheet.event) or may_correct(user, sheet.event))
