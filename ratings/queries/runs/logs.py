"""The log of a list as it is served: signed checkpoints, keys, leaves, and all of it as an export."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator
from itertools import zip_longest

from django.db.models import QuerySet

from ratings.formats.history.file import write_history
from ratings.formats.proof.checkpoints import TREES, join_notes
from ratings.formats.proof.export import HISTORY, KEYS, LOG, Leaf, name_leaf_file, write_archive, write_leaves
from ratings.formats.proof.key_file import KeyFile, read_key_file, write_key_file
from ratings.formats.proof.merkle import hash_leaf, split_hashes
from ratings.formats.proof.notes import parse_key
from ratings.models import Checkpoint, DatedList, LeafBlock, LogKey, RatingList, WitnessedLog
from ratings.queries.lists.history import export_history

from .leaves import name_published_tree, read_published_leaves, read_run_leaves, read_withdrawn


def describe_keys() -> str:
    """Return the public keys of the site as a key file; empty without keys."""
    keys = list(LogKey.objects.all())
    if not keys:
        return ""
    return write_key_file((parse_key(key.public) for key in keys), (key.change for key in keys if key.change))


def read_own_keys() -> KeyFile:
    """Return the public keys of the site."""
    return read_key_file(describe_keys())


def signed_checkpoints(rating_list: RatingList) -> QuerySet[Checkpoint]:
    """Return the checkpoints of a list's log, oldest first, as far as they are signed."""
    checkpoints = rating_list.checkpoints.order_by("number")
    unsigned = checkpoints.filter(signatures="").values_list("number", flat=True).first()
    return checkpoints if unsigned is None else checkpoints.filter(number__lt=unsigned)


def read_log(rating_list: RatingList) -> str:
    """Return the text of a list's log; empty without signed checkpoints."""
    return join_notes(checkpoint.note for checkpoint in signed_checkpoints(rating_list).iterator(chunk_size=1000))


def read_witnessed_logs() -> str:
    """Return the checkpoints of other sites' logs that this site cosigned last, as a text of signed notes."""
    return join_notes(WitnessedLog.objects.values_list("note", flat=True))


def is_log_current(rating_list: RatingList) -> bool:
    """Return True if the last run's checkpoint is about the present rows: the list is up to date and has one."""
    return rating_list.out_of_date_from is None and rating_list.checkpoints.filter(run__isnull=False).exists()


def list_published(rating_list: RatingList) -> dict[str, DatedList]:
    """Return the published lists that have a checkpoint, by the names of their trees."""
    checkpoints = rating_list.checkpoints.exclude(dated=None).select_related("dated")
    return {checkpoint.tree: checkpoint.dated for checkpoint in checkpoints if checkpoint.dated is not None}


def read_hashes(rating_list: RatingList, tree: str) -> Iterator[bytes]:
    """Yield the stored hashes of the leaves of a tree, as they were at its last checkpoint."""
    blocks = LeafBlock.objects.filter(list=rating_list, tree=tree).order_by("number")
    for joined in blocks.values_list("hashes", flat=True).iterator(chunk_size=20):
        yield from split_hashes(bytes(joined))


def read_leaves(
    rating_list: RatingList, tree: str, dated: DatedList | None = None, withdrawn: Collection[str] | None = None
) -> Iterator[Leaf]:
    """Yield the leaves of a tree: the stored hash, and the content made from the present rows.

    `dated` is the list of a tree of a published list, `withdrawn` as in `read_published_leaves`. A leaf without a row
    has an empty content.
    """
    present = read_run_leaves(rating_list, tree) if dated is None else read_published_leaves(dated, tree, withdrawn)
    for hash, pair in zip_longest(read_hashes(rating_list, tree), present):
        content, hidden = pair or (b"", False)
        yield Leaf(hash or hash_leaf(content), None if hidden and hash else content)


def write_export(rating_list: RatingList) -> bytes:
    """Return the export of a list with which its log can be checked offline, as a ZIP file."""
    trees: dict[str, DatedList | None] = dict.fromkeys(TREES) | list_published(rating_list)
    files: dict[str, Iterator[bytes]] = {
        HISTORY: iter([write_history(export_history(rating_list)).encode()]),
        LOG: iter([read_log(rating_list).encode()]),
        KEYS: iter([describe_keys().encode()]),
    }
    withdrawn = read_withdrawn(rating_list)
    for tree, dated in trees.items():
        files[name_leaf_file(tree)] = write_leaves(read_leaves(rating_list, tree, dated, withdrawn))
    return write_archive(files)


def unlogged_publications(rating_list: RatingList) -> Iterator[str]:
    """Yield a line for each published list of which the log has no checkpoint as it was published last."""
    logged = set(rating_list.checkpoints.exclude(dated=None).values_list("tree", flat=True))
    for dated in rating_list.dated.order_by("day"):
        tree = name_published_tree(dated)
        if tree not in logged:
            yield f"{tree}: the log has no checkpoint of it"


def differing_checkpoints(rating_list: RatingList, texts: list[str]) -> Iterator[str]:
    """Yield a line for each checkpoint of a copy of the log that this portal's log has not, or has otherwise."""
    stored = dict(rating_list.checkpoints.values_list("number", "text"))
    for number, text in enumerate(texts, 1):
        if number not in stored:
            yield f"checkpoint {number} of the copy is not in this portal's log"
        elif stored[number] != text:
            yield f"checkpoint {number} of the copy differs from that of this portal's log"


def misplaced_runs(rating_list: RatingList) -> Iterator[str]:
    """Yield a line for each run that ended before the run of an earlier checkpoint."""
    rows = rating_list.checkpoints.filter(run__ended_at__isnull=False).order_by("number")
    before: tuple[int, int | None, dt.datetime] | None = None
    for number, run, ended_at in rows.values_list("number", "run", "run__ended_at"):
        assert ended_at is not None
        if before is not None and ended_at < before[2]:
            yield (
                f"checkpoint {number} is about run {run}, which ended before run {before[1]} of checkpoint {before[0]}"
            )
        before = (number, run, ended_at)
