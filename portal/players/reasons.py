"""Reasons of rating changes without a game, as lines of a player's history."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from ratings.localize import translate_message
from ratings.queries.players.careers import Point
from ratings.systems.messages import Message


def write_reason(reason: str) -> str:
    """Return a reason as a line: a message begins with a capital letter, a typed text is returned as it is."""
    return str(capfirst(translate_message(reason))) if isinstance(reason, Message) else reason


def write_reason_with_kind(point: Point) -> str:
    """Return the reason of a step without a game; decisions and typed reasons of adjustments are named as such.

    Reasons of adjustments that the portal records itself, such as a starting rating, say what they are.
    """
    if point.decision:
        return _("Decision: %(reason)s") % {"reason": translate_message(point.what)}
    if point.adjustment and not isinstance(point.what, Message):
        return _("Adjustment: %(reason)s") % {"reason": point.what}
    return write_reason(point.what)
