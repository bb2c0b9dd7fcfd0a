"""Storage of the hashes of a tree's leaves in blocks, of which only those that may have changed are written again."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from ratings.formats.proof.checkpoints import TABLES, TreeHead
from ratings.formats.proof.merkle import BLOCK_LEAVES, HASH_BYTES, compute_root, split_hashes
from ratings.models import LeafBlock, RatingList

KEYS = "q"
"""Type code of an array of primary keys: 8 bytes each."""
INSERTED_AT_ONCE = 50
"""Blocks of 32 KB each in one statement."""


def count_leaves(rating_list: RatingList) -> dict[str, int]:
    """Return the number of stored leaves of each tree of a list."""
    sizes: dict[str, int] = {}
    for tree, size in rating_list.leaf_blocks.order_by().values_list("tree", "size"):
        sizes[tree] = sizes.get(tree, 0) + size
    return sizes


def read_table_hashes(rating_list: RatingList, unchanged: int) -> dict[int, bytes]:
    """Return the stored hashes of the leaves of tables behind the first `unchanged` ones, by the table's key."""
    blocks = rating_list.leaf_blocks.filter(tree=TABLES, number__gte=unchanged // BLOCK_LEAVES).order_by("number")
    stored: dict[int, bytes] = {}
    for rows, hashes in blocks.values_list("rows", "hashes"):
        stored.update(zip(array(KEYS, bytes(rows)), split_hashes(bytes(hashes)), strict=True))
    return stored


def read_hashes(rating_list: RatingList, tree: str, unchanged: int) -> bytes:
    """Return the stored hashes of a tree's leaves behind the first `unchanged` ones, joined."""
    first, rest = divmod(unchanged, BLOCK_LEAVES)
    blocks = rating_list.leaf_blocks.filter(tree=tree, number__gte=first).order_by("number")
    return b"".join(map(bytes, blocks.values_list("hashes", flat=True)))[rest * HASH_BYTES :]


def replace_leaves(
    rating_list: RatingList, tree: str, unchanged: int, hashes: Iterable[bytes], tables: Sequence[int] = ()
) -> TreeHead:
    """Replace the hashes of a tree's leaves behind the first `unchanged` ones; return the size and root of the tree.

    `hashes` may be joined, several at once.
    `tables` are the primary keys of the new leaves' tables, for the tree of tables.
    """
    blocks = rating_list.leaf_blocks.filter(tree=tree)
    first, rest = divmod(unchanged, BLOCK_LEAVES)
    roots = [bytes(root) for root in blocks.filter(number__lt=first).order_by("number").values_list("root", flat=True)]
    kept, keys = b"", array(KEYS)
    if rest:
        stored_hashes, stored_rows = blocks.values_list("hashes", "rows").get(number=first)
        kept, keys = bytes(stored_hashes)[: rest * HASH_BYTES], array(KEYS, bytes(stored_rows))[:rest]
    keys.extend(tables)
    joined = kept + b"".join(hashes)
    new = []
    for number, at in enumerate(range(0, len(joined), BLOCK_LEAVES * HASH_BYTES), first):
        part = joined[at : at + BLOCK_LEAVES * HASH_BYTES]
        root = compute_root(list(split_hashes(part)))
        roots.append(root)
        size = len(part) // HASH_BYTES
        rows = keys[at // HASH_BYTES : at // HASH_BYTES + size].tobytes()
        block = LeafBlock(list=rating_list, tree=tree, number=number, size=size, hashes=part, root=root, rows=rows)
        new.append(block)
    blocks.filter(number__gte=first).delete()
    LeafBlock.objects.bulk_create(new, INSERTED_AT_ONCE)
    return TreeHead(first * BLOCK_LEAVES + len(joined) // HASH_BYTES, compute_root(roots))
