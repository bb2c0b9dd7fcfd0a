"""Confirmed ids of players in other registries, as the public may see them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet

from ratings.batches import in_batches
from ratings.formats.people.outside_ids import NATIONAL, make_key, read_written_ids
from ratings.models import NameVisibility, OutsideId, Player

OutsideKey = tuple[str, str]
"""Registry, or country of a national federation, and id."""


def public_outside_ids(player: Player) -> list[OutsideId]:
    """Return the confirmed ids of a player; none of a player who is not shown by full name, whom they would reveal."""
    if player.shown != NameVisibility.FULL:
        return []
    return list(player.outside_ids.exclude(confirmed_at=None))


def find_by_outside_id(text: str) -> QuerySet[OutsideId]:
    """Return the confirmed ids that a searched text names, of players who are shown by full name.

    A text without a digit names none, so that a search by name need not look here.
    """
    ids = OutsideId.objects.exclude(confirmed_at=None).filter(player__shown=NameVisibility.FULL)
    return ids.filter(names_outside_id(text)) if read_written_ids(text) else ids.none()


def names_outside_id(text: str) -> Q:
    """Return a filter for the ids that a text means: “12345678”, “EGD 12345678” or, of a national one, “FR A-12”."""
    condition = Q(pk__in=())
    for registry, country, value in read_written_ids(text):
        place = Q(registry=registry, country=country) if registry else Q()
        condition |= place & Q(value=value)
    return condition


def find_players_by_outside_ids(written: Iterable[Mapping[str, str]]) -> dict[OutsideKey, str]:
    """Return the public ids of the players to whom confirmed ids belong, by registry and id.

    `written` holds the ids of each row of a table by registry or country; unknown ones are left out.
    """
    keys = {key for ids in written for key in ids.items()}
    if not keys:
        return {}
    known = OutsideId.objects.exclude(confirmed_at=None).filter(value__in={value for _registry, value in keys})
    rows = known.values_list("registry", "country", "value", "player__public_id")
    found = {(make_key(registry, str(country)), value): id for registry, country, value, id in rows}
    return {key: id for key, id in found.items() if key in keys}


def read_confirmed_ids(players: Collection[int]) -> dict[int, dict[str, set[str]]]:
    """Return confirmed ids by the players' primary keys and by registry or country; for matching, hidden ones too."""
    ids: dict[int, dict[str, set[str]]] = {}
    rows = OutsideId.objects.filter(player__in=players).exclude(confirmed_at=None)
    for player, registry, country, value in rows.values_list("player", "registry", "country", "value"):
        ids.setdefault(player, {}).setdefault(make_key(registry, str(country)), set()).add(value)
    return ids


def read_public_ids(players: Collection[int], registry: str) -> dict[int, str]:
    """Return the confirmed ids in a registry of those of some players who are shown by full name, by primary key."""
    ids = OutsideId.objects.filter(player__in=players, registry=registry, player__shown=NameVisibility.FULL)
    return dict(ids.exclude(confirmed_at=None).values_list("player", "value"))


def read_national_ids(public_ids: Sequence[str], country: str) -> dict[str, str]:
    """Return the confirmed ids in a country's federation of players who are shown by full name, by public id."""
    ids = OutsideId.objects.filter(registry=NATIONAL, country=country, player__shown=NameVisibility.FULL)
    found: dict[str, str] = {}
    for batch in in_batches(public_ids):
        confirmed = ids.exclude(confirmed_at=None).filter(player__public_id__in=batch)
        found |= dict(confirmed.values_list("player__public_id", "value"))
    return found


def read_ids_for_history(*, true_names: bool) -> dict[str, tuple[Mapping[str, str], ...]]:
    """Return the confirmed ids of players by public id, as a history file has them.

    Without `true_names`, those of players who are not shown by full name are left out.
    """
    ids = OutsideId.objects.exclude(confirmed_at=None).order_by("registry", "country", "value")
    if not true_names:
        ids = ids.filter(player__shown=NameVisibility.FULL)
    found: dict[str, tuple[Mapping[str, str], ...]] = {}
    for player, registry, country, value in ids.values_list("player__public_id", "registry", "country", "value"):
        entry = {"registry": registry, "value": value} | ({"country": str(country)} if country else {})
        found[player] = (*found.get(player, ()), entry)
    return found
