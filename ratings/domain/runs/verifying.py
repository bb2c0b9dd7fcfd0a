"""Proof that what is stored of a list is what its inputs say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from ratings.formats.digest import digest_of
from ratings.models import Change, RatingList
from ratings.queries.rows import ChangeRow, StandingRow

from .computing import compute
from .outcome import Outcome, silently
from .storing import standing_rows


def differences(rating_list: RatingList) -> Iterator[str]:
    """Compute a list from nothing in memory and compare every stored row with it; a line a difference."""
    outcome = compute(rating_list, dt.date.min, silently, whole=True)
    names = {pk: player.id for pk, player in outcome.players.items()}
    several = Change.objects.filter(pk__in=outcome.gone_changes).values_list(*ChangeRow._fields)
    by_place = {(row.player_id, row.day, row.place): row for row in map(ChangeRow._make, several)}
    for change in outcome.changes:
        found = by_place.pop((change.player_id, change.day, change.place), None)
        place = f"{change.day} {names[change.player_id]}"
        yield f"{place}: {_told(change)} computed, {_told(found) if found else 'nothing'} stored"
    for change in by_place.values():
        yield f"{change.day} {names[change.player_id]}: nothing computed, {_told(change)} stored"
    yield from _other_differences(rating_list, outcome, names)


def _told(change: ChangeRow) -> str:
    return " ".join(str(value) for value in change[4:] if value not in (None, ""))


def _other_differences(rating_list: RatingList, outcome: Outcome, names: dict[int, str]) -> Iterator[str]:
    for award in outcome.awards:
        yield f"{award.day} {names[award.player_id]}: award {award.grade} computed, not stored"
    if outcome.gone_awards and not outcome.awards:
        yield f"{len(outcome.gone_awards)} awards stored that are not computed"
    for table in outcome.tables:
        yield f"{table.day}: table {table.table_id} is rated otherwise than stored"
    if outcome.gone_tables and not outcome.tables:
        yield f"{len(outcome.gone_tables)} rated tables stored that are not computed"
    several = rating_list.standings.order_by().values_list(*StandingRow._fields)
    lines = {row.player_id: row for row in map(StandingRow._make, several)}
    for line in standing_rows(rating_list, outcome):
        stored = lines.pop(line.player_id, None)
        if stored != line:
            name = names[line.player_id]
            yield f"standing of {name}: {line[2:]} computed, {stored and stored[2:]} stored"
    for pk in lines:
        yield f"standing of {names.get(pk, pk)}: nothing computed"


def stored_digest(rating_list: RatingList) -> str:
    """The digest of all stored ratings; that of the exported history is the same."""
    fields = ("day", "place", "player__public_id", "before", "after", "change", "games", "state")
    return digest_of(rating_list.changes.order_by().values_list(*fields).iterator(chunk_size=5000))
