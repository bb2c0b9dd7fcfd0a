"""Ids of players in other registries: who confirms them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.core.exceptions import ValidationError
from django.utils import timezone

from ratings.domain.site.acting import acting_user
from ratings.models import OutsideId, Player


def confirm_outside_id(outside_id: OutsideId) -> None:
    """Set the acting user as the person who confirms an id, which is not saved here."""
    outside_id.confirmed_by, outside_id.confirmed_at = acting_user(), timezone.now()


def save_outside_ids(player: Player, written: Mapping[str, str]) -> list[OutsideId]:
    """Store the ids that a file gives a player, confirmed by the acting user; return the new ones.

    `written` holds them by registry, or by country for national federations.

    An id that is invalid or belongs to another player is left out: a person has said that this is somebody else.
    """
    saved = []
    for key, value in written.items():
        outside_id = OutsideId.of_key(key, value, player=player)
        confirm_outside_id(outside_id)
        try:
            outside_id.full_clean()
        except ValidationError:
            continue
        outside_id.save()
        saved.append(outside_id)
    return saved


def save_ids_of_history(player: Player, written: Iterable[Mapping[str, str]]) -> list[str]:
    """Store a player's ids in other registries from a history file as confirmed; return the problems of the others.

    An id that the player has already is confirmed, if it was not.
    """
    problems = []
    for values in written:
        outside_id = player.outside_ids.filter(**values).first() or OutsideId(player=player, **values)
        if outside_id.confirmed_at is not None:
            continue
        confirm_outside_id(outside_id)
        try:
            outside_id.full_clean()
        except ValidationError as error:
            problems.append(f"{outside_id}: {' '.join(error.messages)}")
            continue
        outside_id.save()
    return problems


def replace_outside_ids(player: Player, written: Mapping[str, Collection[tuple[str, str]]]) -> None:
    """Give a player exactly these ids of each registry named, confirmed by the acting user where they are new.

    Each id has the country of its national federation, which is empty for the other registries.
    """
    for registry, ids in written.items():
        stored = {(str(each.country), each.value): each for each in player.outside_ids.filter(registry=registry)}
        for key, outside_id in stored.items():
            if key not in ids:
                outside_id.delete()
        for country, value in ids:
            if (country, value) not in stored:
                outside_id = OutsideId(player=player, registry=registry, country=country, value=value)
                confirm_outside_id(outside_id)
                outside_id.full_clean()
                outside_id.save()
