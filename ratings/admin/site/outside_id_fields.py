"""Columns of exported and imported players with their ids in other registries."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from import_export.fields import Field

from ratings.formats.people.outside_ids import NATIONAL, read_national_ids, read_outside_id
from ratings.formats.problems import FileProblem
from ratings.localize import translate_message
from ratings.models import OutsideId, Player
from ratings.models.players.outside_ids import ID_HELP

IdInRegistry = tuple[str, str]
"""Country of a national federation, empty for any other registry, and id."""
IMPORTED = "imported_ids"
"""Attribute of a player with the ids of a row that is being imported, by registry."""
STORED = "stored_ids"
"""Attribute of a player with the ids that were stored before the import, by registry."""


def read_stored_ids(public_ids: Iterable[str]) -> Mapping[str, Mapping[str, tuple[IdInRegistry, ...]]]:
    """Return the ids of players by their public id and by registry, with one query."""
    stored: dict[str, dict[str, tuple[IdInRegistry, ...]]] = defaultdict(dict)
    rows = OutsideId.objects.filter(player__public_id__in=list(public_ids)).order_by("country", "value")
    for public_id, registry, country, value in rows.values_list("player__public_id", "registry", "country", "value"):
        stored[public_id][registry] = (*stored[public_id].get(registry, ()), (str(country), value))
    return stored


def note_stored_ids(player: Player, stored: Mapping[str, tuple[IdInRegistry, ...]]) -> None:
    """Note the ids that a player had before the import, so that they are not read for each column."""
    vars(player)[STORED] = stored


def get_imported_ids(player: Player) -> Mapping[str, tuple[IdInRegistry, ...]]:
    """Return the ids that the row of a player has, by registry; a registry without a column is left out."""
    imported: Mapping[str, tuple[IdInRegistry, ...]] = vars(player).get(IMPORTED, {})
    return imported


class OutsideIdsField(Field):
    """Column with the ids of a player in one registry, separated by commas.

    Those of all national federations share a column, in which each is behind the code of its country.
    """

    def __init__(self, registry: str) -> None:
        super().__init__(attribute=registry, column_name=registry)

    def get_value(self, instance: Player) -> tuple[IdInRegistry, ...]:
        imported = get_imported_ids(instance)
        if self.attribute in imported:
            return imported[self.attribute]
        if STORED in vars(instance):
            stored: Mapping[str, tuple[IdInRegistry, ...]] = vars(instance)[STORED]
            return stored.get(self.attribute, ())
        ids = [each for each in instance.outside_ids.all() if each.registry == self.attribute]
        return tuple(sorted((str(each.country), each.value) for each in ids))

    def export(self, instance: Player, **kwargs: Any) -> str:
        return ", ".join(f"{country} {value}".strip() for country, value in self.get_value(instance))

    def clean(self, row: Mapping[str, Any], **kwargs: Any) -> tuple[IdInRegistry, ...]:
        """Return the ids of a row; raise ValueError if one is not in the form of the registry."""
        parts = [part for part in re.split("[,;]", str(row[self.column_name] or "")) if part.strip()]
        return tuple(sorted({self._read_id(part) for part in parts}))

    def _read_id(self, text: str) -> IdInRegistry:
        if self.attribute == NATIONAL:
            if ids := read_national_ids(text):
                return next(iter(ids.items()))
            raise ValueError(translate_message(FileProblem.VALUE_INVALID(
                titles=self.column_name, values=text.strip()[:30], what=FileProblem.EXPECTED_NATIONAL_IDS()
            )))  # fmt: skip
        value = read_outside_id(self.attribute, text)
        if value is None:
            raise ValueError(str(ID_HELP[self.attribute]))
        return "", value

    def save(self, instance: Player, row: Mapping[str, Any], is_m2m: bool = False, **kwargs: Any) -> None:
        """Note the ids of a row, which are stored with the player; raise ValueError for an id of another player."""
        ids = self.clean(row)
        same = [Q(country=country, value=value) for country, value in ids]
        others = OutsideId.objects.filter(reduce(or_, same, Q(pk__in=())), registry=self.attribute)
        if ids and (other := others.exclude(player=instance.pk).first()) is not None:
            raise ValueError(_("%(id)s belongs to another player already.") % {"id": other})
        vars(instance)[IMPORTED] = {**get_imported_ids(instance), self.attribute: ids}
