"""How players are named and ordered for the public, without telling what is hidden."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from django.db.models import Case, F, Q, When
from django.db.models.expressions import OrderBy

from ratings.models import Player, Shown


def by_public_name(to_player: str = "") -> list[OrderBy]:
    """Family and given name; who is not shown by his full name comes last, by his public id, which tells nothing.

    `to_player` is the way to the player, as "player__".
    """
    full = Q(**{f"{to_player}shown": Shown.FULL})
    parts = [Case(When(full, then=f"{to_player}{part}")) for part in ("family_name", "given_name")]
    return [*(part.asc(nulls_last=True) for part in parts), F(f"{to_player}public_id").asc()]


ID = re.compile(r"([A-Za-z0-9]+)(?:~\w+)?")


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text with public ids in it (of guests, with their table's behind), with the names known in their place."""
    return ID.sub(lambda found: names.get(found[1], found[0]), text)


def hidden_names() -> str:
    """A short text that is another one whenever somebody comes to be shown otherwise."""
    hidden = Player.objects.exclude(shown=Shown.FULL).order_by("public_id").values_list("public_id", "shown")
    return hashlib.sha256(repr(list(hidden)).encode()).hexdigest()[:16]
