"""Descriptions of players as lines of plain text, for mails."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ratings.localize import format_days, join_parts
from ratings.models import Event, NameVisibility, Player, RatingList


def describe_player(player: Player, *, is_public: bool) -> str:
    """Return lines with the name of a player, the lists on which they stand, and their last event with its days.

    With `is_public`, the name is the one that everybody may see; lists and event are left out if it is not the full
    one.
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
