"""Hashes of the leaves of a list's results after a run: made for steps whose rows it changed, kept for the others."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ratings.formats.proof.checkpoints import RESULTS
from ratings.formats.proof.merkle import HASH_BYTES, hash_leaf
from ratings.models import RatingList
from ratings.queries.runs.leaves import count_results_by_step, read_last_result_leaf, read_result_leaves
from ratings.queries.runs.steps import Key

from .leaf_blocks import read_hashes
from .outcome import Outcome


def make_result_hashes(
    rating_list: RatingList, since: dt.date | None, stored: int, outcome: Outcome
) -> tuple[int, Iterable[bytes]]:
    """Return the number of first results whose stored hashes stay, and the hashes of the others, several at once.

    The rows of the run have been stored. `since` is the first day on which it may have changed rows; None if the stored
    hashes, whose number is `stored`, may not be used.
    """
    if outcome.result_hashes is not None:
        return 0, [bytes(outcome.result_hashes)]
    if since is not None:
        added = Counter((row.day, row.place) for row in outcome.changes)
        after, removed = count_results_by_step(rating_list, since), outcome.removed_by_step
        before = {key: after.get(key, 0) - added[key] + removed[key] for key in {*after, *removed}}
        unchanged = stored - sum(before.values())
        hashes = _read_hashes_since(rating_list, since, unchanged)
        if hashes is not None:
            new = dict.fromkeys(added | removed, b"") | _hash_steps(rating_list, added | removed)
            return unchanged, _replace_steps(hashes, before, new)
    return 0, _hash_steps(rating_list).values()


def _read_hashes_since(rating_list: RatingList, since: dt.date, unchanged: int) -> bytes | None:
    """Return the stored hashes of results from a day on, joined; `unchanged` hashes are stored before them.

    Return None if the stored hash before them is not that of the last row before the day. Then the stored hashes are
    not those of the rows before the run.
    """
    last = read_last_result_leaf(rating_list, since)
    if last is None:
        return read_hashes(rating_list, RESULTS, 0) if unchanged == 0 else None
    if unchanged <= 0:
        return None
    hashes = read_hashes(rating_list, RESULTS, unchanged - 1)
    return hashes[HASH_BYTES:] if hashes[:HASH_BYTES] == hash_leaf(last) else None


def _hash_steps(rating_list: RatingList, steps: Iterable[Key] | None = None) -> dict[Key, bytes]:
    """Return the joined hashes of the results of each step, in order; of all steps without `steps`."""
    days = None if steps is None else {day for day, _ in steps}
    return {
        key: b"".join(hash_leaf(leaf) for leaf, _hidden in leaves)
        for key, leaves in read_result_leaves(rating_list, days)
        if steps is None or key in steps
    }


def _replace_steps(stored: bytes, before: Mapping[Key, int], new: Mapping[Key, bytes]) -> Iterator[bytes]:
    """Yield the joined hashes of each step: those of `new`, or the stored ones, of which `before` are the numbers."""
    at = 0
    for key in sorted(before):
        end = at + before[key] * HASH_BYTES
        yield new[key] if key in new else stored[at:end]
        at = end
