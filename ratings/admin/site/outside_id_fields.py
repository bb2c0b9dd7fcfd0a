"""Columns of exported and imported players with their ids in other registries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from import_export.fields import Field

from ratings.formats.people.outside_ids import read_outside_id
from ratings.models import OutsideId, Player
from ratings.models.players.outside_ids import ID_HELP

IMPORTED = "imported_ids"
"""Attribute of a player with the ids of a row that is being imported, by registry."""


STORED = "stored_ids"
"""Attribute of a player with the ids that were stored before the import, by registry."""


def read_stored_ids(public_ids: Iterable[str]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the ids of players by their public id and by registry, with one query."""
    stored: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    rows = OutsideId.objects.filter(player__public_id__in=list(public_ids)).order_by("value")
    for public_id, registry, value in rows.values_list("player__public_id", "registry", "value"):
        stored[public_id][registry] = (*stored[public_id].get(registry, ()), value)
    return stored


def note_stored_ids(player: Player, stored: Mapping[str, tuple[str, ...]]) -> None:
    """Note the ids that a player had before the import, so that they are not read for each column."""
    vars(player)[STORED] = stored


def get_imported_ids(player: Player) -> Mapping[str, tuple[str, ...]]:
    """Return the ids that the row of a player has, by registry; a registry without a column is left out."""
    imported: Mapping[str, tuple[str, ...]] = vars(player).get(IMPORTED, {})
    return imported


class OutsideIdsField(Field):
    """Column with the ids of a player in one registry, separated by commas."""

    def __init__(self, registry: str) -> None:
        super().__init__(attribute=registry, column_name=registry)

    def get_value(self, instance: Player) -> tuple[str, ...]:
        imported = get_imported_ids(instance)
        if self.attribute in imported:
            return imported[self.attribute]
        if STORED in vars(instance):
            stored: Mapping[str, tuple[str, ...]] = vars(instance)[STORED]
            return stored.get(self.attribute, ())
        return tuple(sorted(each.value for each in instance.outside_ids.all() if each.registry == self.attribute))

    def export(self, instance: Player, **kwargs: Any) -> str:
        return ", ".join(self.get_value(instance))

    def clean(self, row: Mapping[str, Any], **kwargs: Any) -> tuple[str, ...]:
        """Return the ids of a row; raise ValueError if one is not in the form of the registry."""
        written = [part for part in str(row[self.column_name] or "").split(",") if part.strip()]
        ids = [read_outside_id(self.attribute, part) for part in written]
        if None in ids:
            raise ValueError(str(ID_HELP[self.attribute]))
        return tuple(sorted({id for id in ids if id is not None}))

    def save(self, instance: Player, row: Mapping[str, Any], is_m2m: bool = False, **kwargs: Any) -> None:
        """Note the ids of a row, which are stored with the player; raise ValueError for an id of another player."""
        ids = self.clean(row)
        others = OutsideId.objects.filter(registry=self.attribute, value__in=ids).exclude(player=instance.pk)
        if ids and (other := others.first()) is not None:
            raise ValueError(_("%(id)s belongs to another player already.") % {"id": other})
        vars(instance)[IMPORTED] = {**get_imported_ids(instance), self.attribute: ids}
