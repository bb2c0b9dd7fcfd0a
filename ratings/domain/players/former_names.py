"""Former names of players."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from ratings.models import Player


def keep_former_name(player: Player, family_name: str, given_name: str) -> None:
    """Store a name that a player had until today, unless the player has it still, or as a former name already."""
    if (family_name, given_name) == (player.family_name, player.given_name):
        return
    until = timezone.localdate() - dt.timedelta(days=1)
    player.former_names.get_or_create(family_name=family_name, given_name=given_name, defaults={"until": until})
