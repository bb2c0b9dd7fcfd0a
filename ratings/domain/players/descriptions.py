"""Descriptions of players as lines of plain text, for mails."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ratings.localize import format_days, join_parts
from ratings.models import Event, NameVisibility, Player, RatingList


def describe_player(player: Player, *, is_public: bool) -> str:
    """Return lines with a player's name, lists, and last event with its days.

    With `is_public`, use the public name, and leave out lists and event unless it is the full name.
    """
    lines = [_("Player: %(player)s") % {"player": player.public_name if is_public else player.name}]
    if is_public and player.shown != NameVisibility.FULL:
        return lines[0]
    lists = RatingList.objects.filter(comparison_to=None, standings__player=player, standings__published=True)
    if names := join_parts((lists.filter(public=True) if is_public else lists).order_by("pk")):
        lines.append(_("Lists: %(lists)s") % {"lists": names})
    played = Event.objects.filter(state=Event.State.ACCEPTED, tables__entries__player=player)
    if event := played.order_by("-end", "-pk").first():
        days = format_days(event.start, event.end)
        lines.append(_("Last event: %(event)s") % {"event": join_parts([event.name, days, event.place])})
    return "\n".join(lines)
