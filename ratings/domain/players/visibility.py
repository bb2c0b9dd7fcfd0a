"""How the public sees a player: a matter of pages and files alone, no rating depends on it."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.models import Player, Shown


@transaction.atomic
def set_visibility(player: Player, shown: str, *, birth_public: bool | None = None) -> None:
    """Show a player to the public by full name, by initials or not by name; and his birth year or not (None: as is)."""
    if shown not in Shown.values:
        raise ValidationError(_("Choose how the name is shown."))
    show_as(player, shown)
    player.shown = shown
    if birth_public is not None:
        Player.objects.filter(pk=player.pk).update(birth_public=birth_public)
        player.birth_public = birth_public


def show_as(player: Player, shown: str) -> None:
    """Him, and everybody who was merged into him: old lists still show those."""
    level = [player.pk]
    while level:
        Player.objects.filter(pk__in=level).update(shown=shown)
        level = list(Player.objects.filter(merged_into__in=level).values_list("pk", flat=True))


def most_hidden(*players: Player) -> str:
    return max((player.shown for player in players), key=list(Shown.values).index)
