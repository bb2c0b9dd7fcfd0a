"""Details of players that tell namesakes apart: country, club, birth year and last event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Max, Prefetch
from django.utils.translation import gettext as _

from ratings.localize import format_day
from ratings.models import Membership, Player


def players_with_details(ids: Iterable[str], pks: Sequence[int] = ()) -> dict[str, Player]:
    """Return players by public id, with the data that `describe` needs: current club and day of the last event.

    A merged player is replaced by the player they were merged into.
    """
    present = Prefetch("memberships", Membership.objects.filter(end=None).select_related("club"), to_attr="present")
    selected = Player.objects.filter(public_id__in=ids) | Player.objects.filter(pk__in=pks)
    players = selected.annotate(last_event=Max("entries__table__last_day")).prefetch_related(present)
    return {player.public_id: player.merged_into or player for player in players.select_related("merged_into")}


def describe(player: Player, *, rating: str = "", is_public: bool = False) -> str:
    """Return a player's name with the details of `describe_details`."""
    return f"{player.name} ({describe_details(player, rating=rating, is_public=is_public)})"


def describe_details(player: Player, *, rating: str = "", is_public: bool = False) -> str:
    """Return the details that tell namesakes apart: country, club, birth year, last event.

    `rating` is added behind the country. `is_public`: club and birth year are left out.
    """
    clubs = [membership.club.name for membership in getattr(player, "present", [])]
    last = getattr(player, "last_event", None)
    parts = [
        str(player.country),
        rating,
        *([] if is_public else [*clubs, str(player.year_of_birth or "")]),
        _("last event %(day)s") % {"day": format_day(last)} if last else _("no event yet"),
    ]
    return ", ".join(part for part in parts if part)
