"""Storage of the hashes of a tree's leaves in blocks, of which only those that may have changed are written again."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.formats.proof.checkpoints import TreeHead
from ratings.formats.proof.merkle import BLOCK_LEAVES, HASH_BYTES, compute_root, split_hashes
from ratings.models import LeafBlock, RatingList

INSERTED_AT_ONCE = 50
"""Blocks of 32 KB each in one statement."""


def count_leaves(rating_list: RatingList) -> dict[str, int]:
    """Return the number of stored leaves of each tree of a list."""
    sizes: dict[str, int] = {}
    for tree, size in rating_list.leaf_blocks.order_by().values_list("tree", "size"):
        sizes[tree] = sizes.get(tree, 0) + size
    return sizes


def replace_leaves(rating_list: RatingList, tree: str, unchanged: int, hashes: Iterable[bytes]) -> TreeHead:
    """Replace the hashes of a tree's leaves behind the first `unchanged` ones; return the size and root of the tree."""
    blocks = rating_list.leaf_blocks.filter(tree=tree)
    first, rest = divmod(unchanged, BLOCK_LEAVES)
    roots = [bytes(root) for root in blocks.filter(number__lt=first).order_by("number").values_list("root", flat=True)]
    kept = b""
    if rest:
        kept = bytes(blocks.values_list("hashes", flat=True).get(number=first))[: rest * HASH_BYTES]
    joined = kept + b"".join(hashes)
    new = []
    for number, at in enumerate(range(0, len(joined), BLOCK_LEAVES * HASH_BYTES), first):
        part = joined[at : at + BLOCK_LEAVES * HASH_BYTES]
        root = compute_root(list(split_hashes(part)))
        roots.append(root)
        size = len(part) // HASH_BYTES
        new.append(LeafBlock(list=rating_list, tree=tree, number=number, size=size, hashes=part, root=root))
    blocks.filter(number__gte=first).delete()
    LeafBlock.objects.bulk_create(new, INSERTED_AT_ONCE)
    return TreeHead(first * BLOCK_LEAVES + len(joined) // HASH_BYTES, compute_root(roots))
