"""Leaves of a list's trees, made from the stored rows in the order of the trees."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, QuerySet

from ratings.batches import in_batches
from ratings.formats.proof.checkpoints import ADJUSTMENTS, DECISIONS, OPTIONS, RESULTS, TABLES
from ratings.formats.proof.leaves import (
    PublishedLine,
    make_adjustment_leaf,
    make_decision_leaf,
    make_option_leaves,
    make_published_leaf,
    make_result_leaves,
    make_table_leaf,
    make_table_leaves,
)
from ratings.formats.proof.merkle import hash_leaf
from ratings.models import Change, DatedLine, DatedList, RatingList, Table
from ratings.queries.lists.history import load_adjustments, load_decisions, tables_in_order, tables_of
from ratings.systems.values import Adjustment, Decision

from .steps import Key
from .tables import read_tables_by_key, table_values

RESULT_FIELDS = ("day", "place", "player__public_id", "before", "after", "change", "games", "state", "hidden")
REVISED = "revised"
"""First word of the name of the tree of a list that was published again."""


def count_tables_before(rating_list: RatingList, day: dt.date) -> int:
    """Return the number of tables that come before a day in the tree."""
    return tables_of(rating_list).filter(last_day__lt=day).count()


def list_tables(rating_list: RatingList, since: dt.date | None = None) -> list[int]:
    """Return the primary keys of a list's tables from a day on, in the order of the tree."""
    return [int(table.id) for table in tables_in_order(rating_list, since)]


def read_table_leaves(tables: Sequence[int]) -> Iterator[bytes]:
    """Yield the leaves of tables by primary key, in the order given."""
    for part in in_batches(tables):
        by_pk = read_tables_by_key(part)
        yield from make_table_leaves([by_pk[pk] for pk in part])


def read_adjustment_leaves(rating_list: RatingList, since: dt.date | None = None) -> list[bytes]:
    """Return the leaves of a list's adjustments from a day on."""
    return make_adjustment_leaves(load_adjustments(rating_list, since))


def make_adjustment_leaves(adjustments: Sequence[Adjustment]) -> list[bytes]:
    """Return the leaves of adjustments; the tables that they name are read."""
    hashes = _hash_named_tables(adjustments)
    return [make_adjustment_leaf(adjustment, hashes) for adjustment in adjustments]


def read_decision_leaves(rating_list: RatingList) -> list[bytes]:
    """Return the leaves of a list's decisions."""
    decisions = load_decisions(rating_list)
    hashes = _hash_named_tables(decisions)
    return [make_decision_leaf(decision, hashes) for decision in decisions]


def _hash_named_tables(records: Iterable[Adjustment | Decision]) -> dict[str, bytes]:
    """Return the hashes of the leaves of the tables that adjustments or decisions name, by the table's id."""
    named = {int(record.before) for record in records if record.before is not None}
    tables = table_values(Table.objects.filter(pk__in=named)) if named else iter(())
    return {table.id: hash_leaf(make_table_leaf(table)) for table in tables}


def read_option_leaves(rating_list: RatingList) -> list[bytes]:
    """Return the leaves of a list's system, first options and changes of the options."""
    return make_option_leaves(rating_list.system, rating_list.options, rating_list.parsed_option_changes)


def read_last_result_leaf(rating_list: RatingList, before: dt.date) -> bytes | None:
    """Return the leaf of the last result row before a day; None if there is none."""
    earlier = rating_list.changes.filter(day__lt=before).order_by("-day", "-place")
    key = earlier.values_list("day", "place").first()
    if key is None:
        return None
    step_rows = earlier.filter(day=key[0], place=key[1]).order_by().values_list(*RESULT_FIELDS)
    last = max(step_rows, key=itemgetter(2))  # databases order texts in several ways
    return next(make_result_leaves(*key, [last[2:-1]]))


def count_results_by_step(rating_list: RatingList, since: dt.date) -> dict[Key, int]:
    """Return the number of result rows of each step from a day on."""
    steps = rating_list.changes.filter(day__gte=since).order_by().values_list("day", "place")
    return {(day, place): count for day, place, count in steps.annotate(Count("pk"))}


def read_result_leaves(
    rating_list: RatingList, days: Collection[dt.date] | None = None
) -> Iterator[tuple[Key, list[tuple[bytes, bool]]]]:
    """Yield the steps of a list, or those on some days, in order with the leaves of their result rows.

    Each leaf comes with True if its row may not be shown.
    """
    changes: QuerySet[Change] = rating_list.changes.order_by("day", "place")
    if days is not None:
        changes = changes.filter(day__in=days)
    rows = changes.values_list(*RESULT_FIELDS).iterator(chunk_size=5000)
    for (day, place), step_rows in groupby(rows, key=itemgetter(0, 1)):
        ordered = sorted(step_rows, key=itemgetter(2))  # databases order texts in several ways
        leaves = make_result_leaves(day, place, (row[2:-1] for row in ordered))
        yield (day, place), list(zip(leaves, (row[-1] for row in ordered), strict=True))


def read_run_leaves(rating_list: RatingList, tree: str) -> Iterator[tuple[bytes, bool]]:
    """Yield the leaves of one of the trees of a run, each with True if it may not be shown."""
    if tree == RESULTS:
        for _key, leaves in read_result_leaves(rating_list):
            yield from leaves
    elif tree == TABLES:
        yield from ((leaf, False) for leaf in read_table_leaves(list_tables(rating_list)))
    else:
        readers = {OPTIONS: read_option_leaves, ADJUSTMENTS: read_adjustment_leaves, DECISIONS: read_decision_leaves}
        yield from ((leaf, False) for leaf in readers[tree](rating_list))


def name_published_tree(dated: DatedList) -> str:
    """Return the name of the tree of a published list, as it was published last."""
    return f"{'published' if dated.revised_at is None else REVISED} {dated.day}"


def read_published_lines(dated: DatedList, tree: str) -> list[PublishedLine]:
    """Return the lines of a published list in the order of its tree: by rank, then by public id."""
    prefix = "revised_" if tree.startswith(REVISED) else ""
    names = ("rank", "rating", "grade", "games", "category")
    lines = DatedLine.objects.filter(dated=dated, **{f"{prefix}rating__isnull": False}).order_by()
    rows = lines.values_list("player__public_id", "deviation", *(f"{prefix}{name}" for name in names))
    made = [
        PublishedLine(rank, player, rating, grade, games, category, None if prefix else deviation)
        for player, deviation, rank, rating, grade, games, category in rows
    ]
    return sorted(made, key=lambda line: (line.rank, line.player))


def read_withdrawn(rating_list: RatingList) -> set[str]:
    """Return the public ids of the players whose rating was withdrawn from a list."""
    return set(rating_list.members.filter(withdrawn=True).values_list("player__public_id", flat=True))


def read_published_leaves(
    dated: DatedList, tree: str, withdrawn: Collection[str] | None = None
) -> Iterator[tuple[bytes, bool]]:
    """Yield the leaves of a published list, each with True if the player's rating was withdrawn since.

    `withdrawn` are the public ids of these players, if they were read before.
    """
    if withdrawn is None:
        withdrawn = read_withdrawn(dated.list)
    for line in read_published_lines(dated, tree):
        yield make_published_leaf(dated.day, line), line.player in withdrawn
