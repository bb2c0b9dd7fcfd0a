"""Comparison of a list's stored rows with those computed from its inputs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import F, Q

from ratings.formats.history.digest import compute_digest
from ratings.models import Change, DatedLine, RatingList
from ratings.queries.runs.rows import ChangeRow, StandingRow

from .computing import RunMode, compute
from .outcome import Outcome, ignore_progress
from .storing import standing_rows

LINE_FIELDS = tuple(
    f"{prefix}{name}" for prefix in ("", "revised_") for name in ("rank", "rating", "grade", "games", "category")
)
"""Fields of a row of a published list, first those as it was published, then those as it was published again."""


def find_differences(rating_list: RatingList) -> Iterator[str]:
    """Yield a line for each difference between the stored rows of a list and those computed from its inputs.

    The list is computed in memory, from its first day on. Its published lists are compared in the values that are in no
    checkpoint.
    """
    outcome = compute(rating_list, dt.date.min, ignore_progress, RunMode(whole=True))
    names = {pk: player.id for pk, player in outcome.players.items()}
    rows = Change.objects.filter(pk__in=outcome.removed_changes).values_list(*ChangeRow._fields)
    by_place = {(row.player_id, row.day, row.place): row for row in map(ChangeRow._make, rows)}
    for change in outcome.list_changes():
        stored = by_place.pop((change.player_id, change.day, change.place), None)
        label = f"{change.day} {names[change.player_id]}"
        yield f"{label}: {_format_change(change)} computed, {_format_change(stored) if stored else 'nothing'} stored"
    for change in by_place.values():
        yield f"{change.day} {names[change.player_id]}: nothing computed, {_format_change(change)} stored"
    yield from _other_differences(rating_list, outcome, names)
    yield from find_unpublished_values(rating_list)


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


def find_unpublished_values(rating_list: RatingList) -> Iterator[str]:
    """Yield a line for each row of a published list with values that no publication can have stored.

    Publishing stores the rating with the other values of the row; publishing again does the same with the revised
    ones. Without the rating, a row is in no checkpoint. A list that was not published again has no revised values.
    """
    lines = DatedLine.objects.filter(dated__list=rating_list).select_related("dated", "player")
    never_revised = Q(dated__revised_at=None)
    published, revised = _has_values(""), _has_values("revised_")
    wrong = Q(rating=None) & (published | Q(deviation__isnull=False) | never_revised)
    wrong |= revised & (never_revised | Q(revised_rating=None)) | never_revised & Q(revised_rating__isnull=False)
    for line in lines.filter(wrong).order_by("dated__day", F("rank").asc(nulls_last=True), "player__public_id"):
        is_revised = line.dated.revised_at is not None
        expected = "a rating with them" if is_revised else "no revised values, as the list was not published again"
        stored = [f"{name} {getattr(line, name)}" for name in LINE_FIELDS if getattr(line, name) not in (None, "")]
        place = f"published list {line.dated.day}, {line.player.public_id}"
        yield f"{place}: {', '.join(stored) or 'nothing'} stored; expected {expected}"


def _has_values(prefix: str) -> Q:
    """Return a filter for rows of published lists that have any value beside the rating."""
    numbers = Q(**{f"{prefix}rank__isnull": False}) | Q(**{f"{prefix}games__isnull": False})
    return numbers | ~Q(**{f"{prefix}grade": "", f"{prefix}category": ""})


def stored_digest(rating_list: RatingList) -> str:
    """Return the digest of all stored ratings, which equals the digest of the exported history."""
    fields = ("day", "place", "player__public_id", "before", "after", "change", "games", "state")
    return compute_digest(rating_list.changes.order_by().values_list(*fields).iterator(chunk_size=5000))
