"""Comparison of a list's stored rows with those computed from its inputs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from ratings.formats.history.digest import compute_digest
from ratings.models import Change, RatingList
from ratings.queries.runs.rows import ChangeRow, StandingRow

from .computing import compute
from .outcome import Outcome, ignore_progress
from .storing import standing_rows


def find_differences(rating_list: RatingList) -> Iterator[str]:
    """Yield a line for each difference between the stored rows of a list and those computed from its inputs.

    The list is computed in memory, from its first day on.
    """
    outcome = compute(rating_list, dt.date.min, ignore_progress, whole=True)
    names = {pk: player.id for pk, player in outcome.players.items()}
    rows = Change.objects.filter(pk__in=outcome.removed_changes).values_list(*ChangeRow._fields)
    by_place = {(row.player_id, row.day, row.place): row for row in map(ChangeRow._make, rows)}
    for change in outcome.changes:
        stored = by_place.pop((change.player_id, change.day, change.place), None)
        label = f"{change.day} {names[change.player_id]}"
        yield f"{label}: {_format_change(change)} computed, {_format_change(stored) if stored else 'nothing'} stored"
    for change in by_place.values():
        yield f"{change.day} {names[change.player_id]}: nothing computed, {_format_change(change)} stored"
    yield from _other_differences(rating_list, outcome, names)


def _format_change(change: ChangeRow) -> str:
    return " ".join(str(value) for value in change[4:] if value not in (None, ""))


def _other_differences(rating_list: RatingList, outcome: Outcome, names: dict[int, str]) -> Iterator[str]:
    for award in outcome.awards:
        yield f"{award.day} {names[award.player_id]}: award {award.grade} computed, not stored"
    if outcome.removed_awards and not outcome.awards:
        yield f"{len(outcome.removed_awards)} awards stored that are not computed"
    for table in outcome.tables:
        yield f"{table.day}: table {table.table_id} is rated otherwise than stored"
    if outcome.removed_tables and not outcome.tables:
        yield f"{len(outcome.removed_tables)} rated tables stored that are not computed"
    rows = rating_list.standings.order_by().values_list(*StandingRow._fields)
    lines = {row.player_id: row for row in map(StandingRow._make, rows)}
    for line in standing_rows(rating_list, outcome):
        stored = lines.pop(line.player_id, None)
        if stored != line:
            name = names[line.player_id]
            yield f"standing of {name}: {line[2:]} computed, {stored and stored[2:]} stored"
    for pk in lines:
        yield f"standing of {names.get(pk, pk)}: nothing computed"


def stored_digest(rating_list: RatingList) -> str:
    """Return the digest of all stored ratings, which equals the digest of the exported history."""
    fields = ("day", "place", "player__public_id", "before", "after", "change", "games", "state")
    return compute_digest(rating_list.changes.order_by().values_list(*fields).iterator(chunk_size=5000))
