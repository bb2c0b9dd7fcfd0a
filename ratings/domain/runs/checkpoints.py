"""Checkpoints of the logs: written with the run or the publication that they are about, in the same transaction.

A run only writes the hashes of leaves from its first changed day on.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from ratings import models
from ratings.formats.proof.checkpoints import (
    ADJUSTMENTS,
    DECISIONS,
    OPTIONS,
    RESULTS,
    TABLES,
    Checkpoint,
    TreeHead,
    hash_text,
    parse_checkpoint,
)
from ratings.formats.proof.merkle import hash_leaf
from ratings.formats.proof.notes import sign_text
from ratings.models import DatedList, RatingList, Run
from ratings.queries.lists.history import count_adjustments_before
from ratings.queries.lists.lists import public_lists
from ratings.queries.runs.leaves import (
    count_tables_before,
    list_tables,
    make_adjustment_leaves,
    name_published_tree,
    read_adjustment_leaves,
    read_decision_leaves,
    read_option_leaves,
    read_published_leaves,
    read_table_leaves,
)

from .leaf_blocks import count_leaves, read_table_hashes, replace_leaves
from .log_keys import find_readable_key, sign, site_name
from .outcome import Outcome
from .result_hashes import make_result_hashes

logger = logging.getLogger(__name__)


def write_run_checkpoint(
    run: Run,
    since: dt.date | None = None,
    changed: Collection[int] = (),
    outcome: Outcome | None = None,
) -> None:
    """Write the checkpoint of a finished run of a public list.

    `since` is the first day on which rows may have changed (None: any day). `changed` are the primary keys of tables
    from that day on that were on the list before and may have changed. `outcome` is that of the run, which has hashed
    the leaves of what it has read. The caller has locked the list's row. A run that already has a checkpoint gets no
    second one.
    """
    rating_list = run.list
    if not is_logged(rating_list) or models.Checkpoint.objects.filter(run=run).exists():
        return
    if since in (None, dt.date.min) or not _follows_last_checkpoint(run):
        since = None
    trees = _update_trees(rating_list, since, changed, outcome or Outcome(dt.date.min))
    _write(rating_list, trees, run=run, since=since)


def read_marked_tables(rating_list: RatingList) -> set[int]:
    """Return the primary keys of the tables that are marked to be rated again, because they have changed."""
    return set(rating_list.rated_tables.filter(needs_rating=True).order_by().values_list("table", flat=True))


def is_logged(rating_list: RatingList) -> bool:
    """Return True if the list has a public log: it is public, and so is the list that it is compared to, if any."""
    return rating_list.public and (rating_list.comparison_to is None or rating_list.comparison_to.public)


def _follows_last_checkpoint(run: Run) -> bool:
    """Return True if the finished run before this one wrote a checkpoint, so that the stored hashes are its hashes."""
    others = Run.objects.finished().filter(list=run.list_id).exclude(pk=run.pk)
    before = others.latest_first().values_list("pk", flat=True).first()
    return before is not None and models.Checkpoint.objects.filter(run=before).exists()


def _update_trees(
    rating_list: RatingList, since: dt.date | None, changed: Collection[int], outcome: Outcome
) -> dict[str, TreeHead]:
    """Store the hashes of a list's leaves from a day on (None: all), and return the heads of the trees of a run."""
    stored = count_leaves(rating_list) if since is not None else {}
    return {
        OPTIONS: replace_leaves(rating_list, OPTIONS, 0, map(hash_leaf, read_option_leaves(rating_list))),
        TABLES: _update_tables(rating_list, since, stored.get(TABLES, 0), changed, outcome.leaf_hashes),
        ADJUSTMENTS: _update_adjustments(rating_list, since, stored.get(ADJUSTMENTS, 0), outcome),
        DECISIONS: replace_leaves(rating_list, DECISIONS, 0, map(hash_leaf, read_decision_leaves(rating_list))),
        RESULTS: replace_leaves(
            rating_list, RESULTS, *make_result_hashes(rating_list, since, stored.get(RESULTS, 0), outcome)
        ),
    }


def _update_tables(
    rating_list: RatingList, since: dt.date | None, stored: int, changed: Collection[int], read: Mapping[int, bytes]
) -> TreeHead:
    """Store the hashes of tables from a day on; games are read only of tables that are new or may have changed.

    `read` are hashes that the run has made, by the table's primary key.
    """
    before = count_tables_before(rating_list, since) if since is not None else 0
    if since is None or before > stored:
        since, before, known = None, 0, dict[int, bytes]()
    else:
        known = read_table_hashes(rating_list, before)
    tables = list_tables(rating_list, since)
    missing = [pk for pk in tables if pk not in read and (pk not in known or pk in changed)]
    known.update(read)
    known.update(zip(missing, map(hash_leaf, read_table_leaves(missing)), strict=True))
    return replace_leaves(rating_list, TABLES, before, (known[pk] for pk in tables), tables)


def _update_adjustments(rating_list: RatingList, since: dt.date | None, stored: int, outcome: Outcome) -> TreeHead:
    """Store the hashes of adjustments from a day on; those that the run has read are used if they begin on that day."""
    before = count_adjustments_before(rating_list, since) if since is not None else 0
    if before is None or before > stored:
        since, before = None, 0
    if outcome.adjustments is not None and outcome.since == (since or dt.date.min):
        leaves = make_adjustment_leaves(outcome.adjustments)
    else:
        leaves = read_adjustment_leaves(rating_list, since)
    return replace_leaves(rating_list, ADJUSTMENTS, before, map(hash_leaf, leaves))


def write_published_checkpoint(dated: DatedList) -> None:
    """Write the checkpoint of a list that was published, or published again, if the list is public."""
    if not is_logged(dated.list):
        return
    # FOR NO KEY UPDATE: two publications hold a share of the key already
    locked = RatingList.objects.select_for_update(no_key=True).get(pk=dated.list_id)
    tree = name_published_tree(dated)
    leaves = [hash_leaf(leaf) for leaf, _withdrawn in read_published_leaves(dated, tree)]
    _write(locked, {tree: replace_leaves(locked, tree, 0, leaves)}, dated=dated)


def _write(
    rating_list: RatingList,
    trees: Mapping[str, TreeHead],
    *,
    run: Run | None = None,
    dated: DatedList | None = None,
    since: dt.date | None = None,
) -> None:
    last = models.Checkpoint.objects.filter(list=rating_list).last()
    checkpoint = Checkpoint(
        log=name_log(rating_list) if last is None else parse_checkpoint(last.text).log,  # it keeps its first name
        number=1 if last is None else last.number + 1,
        time=timezone.now(),
        previous=None if last is None else hash_text(last.text),
        trees=trees,
        run=None if run is None else run.pk,
        since=since,
    )
    text = checkpoint.text
    signature = sign(text)
    models.Checkpoint.objects.create(
        list=rating_list,
        number=checkpoint.number,
        run=run,
        dated=dated,
        tree=checkpoint.published or "",
        made_at=checkpoint.time,
        text=text,
        signatures="" if signature is None else f"{signature}\n",
    )


def name_log(rating_list: RatingList) -> str:
    """Return the name of a list's log: the address of the list without a scheme."""
    return f"{site_name()}{rating_list.get_absolute_url().rstrip('/')}"


def write_missing_checkpoints() -> None:
    """Write missing checkpoints, and sign checkpoints that were written without a key.

    Checkpoints are missing for the last run of a list that has been opened to the public, and for its earlier published
    lists.
    """
    for rating_list in _find_lists_without_checkpoint():
        _write_for_last_run(rating_list.pk)
    for dated in _find_published_without_checkpoint():
        with transaction.atomic():
            write_published_checkpoint(dated)
    _sign_unsigned()


def _find_lists_without_checkpoint() -> Iterable[RatingList]:
    """Return the public lists that are up to date and have no checkpoint of their last run."""
    finished = Run.objects.finished().filter(list=OuterRef("pk"))
    rated = public_lists().filter(Exists(finished), out_of_date_from=None)
    with_last = rated.annotate(last_run=finished.latest_first().values("pk")[:1])
    return with_last.exclude(Exists(models.Checkpoint.objects.filter(run=OuterRef("last_run"))))


def _write_for_last_run(pk: int) -> None:
    with transaction.atomic():
        rating_list = RatingList.objects.select_for_update(of=("self",)).get(pk=pk)
        run = rating_list.runs.finished().latest_first().first()
        if run is not None and rating_list.out_of_date_from is None:
            run.list = rating_list
            write_run_checkpoint(run)


def _find_published_without_checkpoint() -> Iterator[DatedList]:
    """Yield the dated lists of public lists whose present publication has no checkpoint, oldest first."""
    present = Q(tree__startswith="published", dated__revised_at=None) | Q(made_at__gte=F("dated__revised_at"))
    written = models.Checkpoint.objects.filter(present, dated=OuterRef("pk"))
    dated = DatedList.objects.filter(list__in=public_lists(), list__checkpoints__isnull=False).distinct()
    return dated.exclude(Exists(written)).select_related("list__comparison_to").order_by("day").iterator()


def _sign_unsigned() -> None:
    """Sign the checkpoints that were written while the site had no key that could be read."""
    unsigned = models.Checkpoint.objects.filter(signatures="")
    key = find_readable_key()
    if key is None:
        return
    for pk, text in unsigned.order_by("list", "number").values_list("pk", "text").iterator(chunk_size=500):
        models.Checkpoint.objects.filter(pk=pk, signatures="").update(signatures=f"{sign_text(text, *key)}\n")
