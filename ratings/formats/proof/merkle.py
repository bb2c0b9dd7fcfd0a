"""Merkle trees with SHA-256 (RFC 6962, section 2.1; RFC 9162, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

HASH_BYTES = 32
BLOCK_LEAVES = 1024
"""Leaves whose hashes are stored together: a power of two, so that each full block is a subtree of its own."""
EMPTY_ROOT = sha256().digest()


def hash_leaf(content: bytes) -> bytes:
    """Return the hash of a leaf: SHA-256 of a zero byte and its content."""
    return sha256(b"\x00" + content).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node: SHA-256 of a byte 1 and the hashes of both sides."""
    return sha256(b"\x01" + left + right).digest()


def compute_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root above some hashes in their order, that of an empty tree without hashes.

    The hashes may be those of leaves, or the roots of consecutive blocks of BLOCK_LEAVES leaves each, of which the last
    may have fewer: the root is the same.
    """
    if not hashes:
        return EMPTY_ROOT
    level = list(hashes)
    while len(level) > 1:
        level = _hash_pairs(level)
    return level[0]


def _hash_pairs(level: Sequence[bytes]) -> list[bytes]:
    """Return the hashes of a tree's level above another one.

    A last hash without a neighbour rises as it is, which gives the tree of the RFC.
    """
    pairs = zip(level[::2], level[1::2], strict=False)
    # without calls of `hash_node`, which would take nearly as long as the hashing itself
    hashes = [sha256(b"\x01" + left + right).digest() for left, right in pairs]
    return hashes + list(level[len(hashes) * 2 :])


def compute_root_of_leaves(contents: Sequence[bytes]) -> bytes:
    """Return the root of a tree of leaves with these contents."""
    return compute_root([hash_leaf(content) for content in contents])


def list_inclusion_path(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes that lead from the leaf at an index (from 0) to the root, lowest first (RFC 6962, 2.1.1)."""
    path, level = [], list(hashes)
    while len(level) > 1:
        if index ^ 1 < len(level):
            path.append(level[index ^ 1])
        level = _hash_pairs(level)
        index //= 2
    return path


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Return True if the path leads from the hash of the leaf at an index to the root of a tree of `size` leaves.

    The algorithm is that of RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    node, last, result = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            result = hash_node(step, result)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            result = hash_node(result, step)
        node, last = node >> 1, last >> 1
    return last == 0 and result == root


def split_hashes(joined: bytes) -> Iterator[bytes]:
    """Yield the hashes that were stored one behind the other."""
    return (joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES))
