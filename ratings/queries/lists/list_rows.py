"""The lines of a list for files: as the public may see them, in one query however many they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import FilteredRelation, Q, QuerySet, Value

from ratings.formats.list_rows import ListRow
from ratings.models import DatedLine, Shown, Standing, public_parts

from .ranks import Ranks

PLAYER = [f"player__{field}" for field in ("public_id", "family_name", "given_name", "shown", "country")]
FIELDS: dict[Any, tuple[str, ...]] = {
    Standing: ("grade", "rating", "games", "category", "last_played"),
    DatedLine: ("grade", "rating", "games", "category"),
}
CLUB = "now__club__name"
CHUNK = 5000


def file_rows(lines: QuerySet[Any], ranks: Ranks) -> Iterator[ListRow]:
    """Standings (with everybody's present club) or lines of a dated list as lines of a file."""
    if lines.model is Standing:
        now = FilteredRelation("player__memberships", condition=Q(player__memberships__end__isnull=True))
        lines = lines.annotate(now=now)
    of_club = CLUB if lines.model is Standing else Value("")
    for id, family, given, shown, country, club, grade, rating, games, category, *played in lines.values_list(
        *PLAYER, of_club, *FIELDS[lines.model]
    ).iterator(chunk_size=CHUNK):
        name = public_parts(family, given, id, shown)
        seen = "" if shown == Shown.ANONYMOUS else club or ""
        yield ListRow(ranks.rank(rating), id, *name, country, seen, grade, rating, games or 0, category, *played)
