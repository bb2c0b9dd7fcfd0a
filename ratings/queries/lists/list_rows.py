"""Rows of a list for files, as the public may see them, in one query for any number of rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django.db.models import FilteredRelation, Q, QuerySet, Value

from ratings.formats.list_rows import ListRow
from ratings.models import DatedLine, NameVisibility, RatingList, Standing, public_name_parts

from .deviations import deviation_reader, with_deviation_states
from .ranks import Ranks

PLAYER = [f"player__{field}" for field in ("public_id", "family_name", "given_name", "shown", "country")]
FIELDS: dict[Any, tuple[str, ...]] = {
    Standing: ("grade", "rating", "games", "category", "last_played", "deviation_state"),
    DatedLine: ("grade", "rating", "games", "category", "deviation"),
}
CLUB = "now__club__name"
CHUNK = 5000


def file_rows(
    lines: QuerySet[Any], ranks: Ranks, rating_list: RatingList, day: dt.date | None = None
) -> Iterator[ListRow]:
    """Yield the rows of a file from standings (with the players' current clubs) or from lines of a dated list.

    `day` is that of the standings' deviations.
    """
    if lines.model is Standing:
        now = FilteredRelation("player__memberships", condition=Q(player__memberships__end__isnull=True))
        lines = lines.annotate(now=now)
        lines = with_deviation_states(lines, rating_list)
    club_field = CLUB if lines.model is Standing else Value("")
    source = rating_list.deviation_source
    read = deviation_reader(source) if source else None
    for id, family, given, shown, country, club, grade, rating, games, category, *rest in lines.values_list(
        *PLAYER, club_field, *FIELDS[lines.model]
    ).iterator(chunk_size=CHUNK):
        played, state = rest if len(rest) == 2 else (None, None)
        deviation = rest[0] if len(rest) == 1 else read(state, day) if read and day else None
        name = public_name_parts(family, given, id, shown)
        public_club = "" if shown == NameVisibility.ANONYMOUS else club or ""
        yield ListRow(
            ranks.rank(rating),
            id,
            *name,
            country,
            public_club,
            grade,
            rating,
            games or 0,
            category,
            played,
            deviation,
        )
