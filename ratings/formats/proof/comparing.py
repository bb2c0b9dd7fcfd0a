"""Comparison of an export with the roots of a log: the first leaf of each tree that differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ratings.formats.history.result import RatedHistory, rate_history
from ratings.systems.values import Table

from .checkpoints import TABLES, TREES, TreeHead
from .export import Export, Leaf
from .leaves import make_all_leaves
from .log_checks import CheckedLog, ReadCheckpoint
from .merkle import compute_root, hash_leaf


def compare_export(export: Export, log: CheckedLog) -> Iterator[str]:
    """Yield a line for each tree of the log's last run and of each published list that differs from the export.

    The history is rated again. HistoryError: an input of the history cannot be rated.
    """
    if log.last_run is None:
        yield "the log has no checkpoint of a run"
        return
    rated = rate_history(export.history)
    computed = make_all_leaves(rated)
    for tree in TREES:
        yield from _compare_run_tree(tree, computed[tree], export, log, rated)
    if not export.leaves:
        return
    for tree, read in log.published.items():
        leaves = export.leaves.get(tree)
        if leaves is None:
            yield f"{tree}: missing in the export, but expected by {read.label}"
        else:
            yield from _compare_leaves(tree, leaves, read)


def _compare_run_tree(
    tree: str, computed: Sequence[bytes], export: Export, log: CheckedLog, rated: RatedHistory
) -> Iterator[str]:
    """Yield the first difference between a tree of the last run, the leaves of the export, and those of the history."""
    read = log.last_run
    assert read is not None
    hashes = [hash_leaf(content) for content in computed]
    stored = export.leaves.get(tree)
    if stored is None:
        if TreeHead(len(hashes), compute_root(hashes)) != read.checkpoint.trees[tree]:
            yield f"{tree}: the export does not match {read.label}{_find_earlier(tree, hashes, log)}"
        return
    found = list(_compare_leaves(tree, stored, read, rated))
    yield from found
    if found:
        return
    for number, (leaf, hash) in enumerate(zip_longest(stored, hashes), 1):
        if leaf is None or leaf.hash != hash:
            text = describe_leaf(tree, number, computed[number - 1] if hash else leaf.content, rated)
            if hash is None:
                yield f"{text}: in {read.label}, but not computed from the history"
            elif leaf is None:
                yield f"{text}: computed from the history, but not in {read.label}"
            else:
                yield f"{text}: computed from the history, but different in {read.label}"
            return


def _find_earlier(tree: str, hashes: Sequence[bytes], log: CheckedLog) -> str:
    """Return a text that names an earlier checkpoint with the root of these leaves; empty if there is none."""
    head = TreeHead(len(hashes), compute_root(hashes))
    for read in reversed(log.checkpoints):
        if read.checkpoint.trees.get(tree) == head:
            return f", but matches {read.label}"
    return ""


def _compare_leaves(
    tree: str, leaves: Sequence[Leaf], read: ReadCheckpoint, rated: RatedHistory | None = None
) -> Iterator[str]:
    """Yield a line for the first leaf that differs from its stored hash, or if the hashes do not match the root."""
    for number, leaf in enumerate(leaves, 1):
        if leaf.content is not None and hash_leaf(leaf.content) != leaf.hash:
            yield f"{describe_leaf(tree, number, leaf.content, rated)}: changed since {read.label}"
            return
    head = read.checkpoint.trees[tree]
    if len(leaves) != head.size:
        yield f"{tree}: {len(leaves)} leaves in the export, {head.size} in {read.label}"
    elif compute_root([leaf.hash for leaf in leaves]) != head.root:
        yield f"{tree}: the hashes of the export do not match the root of {read.label}"


def describe_leaf(tree: str, number: int, content: bytes | None, rated: RatedHistory | None = None) -> str:
    """Return a text that names a leaf: its tree, its number from 1, and its content or its table."""
    if tree == TABLES and rated is not None and number <= len(rated.history.tables):
        return f"{tree}: leaf {number} ({_describe_table(rated.history.tables[number - 1])})"
    return f"{tree}: leaf {number}" + ("" if content is None else f" ({_shorten(content)})")


def _describe_table(table: Table) -> str:
    return f"{table.id}, {table.event or 'no name'}, {table.date}"


NAMED_VALUES = (
    *("day", "date", "end_date", "player", "players", "rank", "rating", "before", "after"),
    *("grade", "is", "system"),
)
"""Values of a leaf by which a person finds its row."""


def _shorten(content: bytes) -> str:
    """Return the values of a leaf that name it: day, player and rating, or its first and last day and players."""
    try:
        value = json.loads(content)
    except ValueError:
        return repr(content[:80])
    if not isinstance(value, dict):
        return repr(content[:80])
    parts = ((name, value[name]) for name in NAMED_VALUES if name in value)
    return ", ".join(f"{name} {' '.join(map(str, part)) if isinstance(part, list) else part}" for name, part in parts)
