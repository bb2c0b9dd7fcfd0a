"""ratings-inclusion/1: the proof that a line is in a published list, as a text with the checkpoint of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .checkpoints import decode_hash, parse_checkpoint
from .key_file import KeyFile
from .merkle import hash_leaf, list_inclusion_path, verify_inclusion
from .notes import NoteError, encode, find_valid, parse_note

FORMAT = "ratings-inclusion/1"


@dataclass(frozen=True)
class Inclusion:
    """A leaf of a tree, at an index from 0, with the hashes up to the root."""

    tree: str
    index: int
    leaf: bytes
    path: Sequence[bytes]


def prove_inclusion(tree: str, hashes: Sequence[bytes], index: int, leaf: bytes) -> Inclusion:
    """Return the proof for the leaf at an index of a tree."""
    return Inclusion(tree, index, leaf, list_inclusion_path(hashes, index))


def write_inclusion(proof: Inclusion, note: str) -> str:
    """Return the text of a proof; `note` is the signed checkpoint of the tree."""
    lines = [FORMAT, f"tree {proof.tree}", f"index {proof.index}", f"leaf {proof.leaf.decode()}"]
    lines += [f"hash {encode(step)}" for step in proof.path]
    return "".join(f"{line}\n" for line in lines) + f"\n{note}"


def check_inclusion(text: str, keys: KeyFile) -> str:
    """Return the content of the leaf that a proof proves; raise NoteError if it proves nothing."""
    head, _blank, note_text = text.partition("\n\n")
    proof = _parse(head.split("\n"))
    note = parse_note(note_text)
    if not find_valid(note, keys.keys):
        raise NoteError("no signature by a trusted key is valid for the checkpoint")
    tree = parse_checkpoint(note.text).trees.get(proof.tree)
    if tree is None:
        raise NoteError(f"the checkpoint has no tree {proof.tree!r}")
    if not verify_inclusion(hash_leaf(proof.leaf), proof.index, tree.size, proof.path, tree.root):
        raise NoteError("the hashes do not lead from the leaf to the root of the checkpoint")
    return proof.leaf.decode()


def _parse(lines: Sequence[str]) -> Inclusion:
    names, values = zip(*(line.partition(" ")[::2] for line in lines), strict=True)
    if names[:4] != (FORMAT, "tree", "index", "leaf") or set(names[4:]) - {"hash"} or not values[2].isdecimal():
        raise NoteError(f"expected {FORMAT} with tree, index, leaf and hashes")
    return Inclusion(values[1], int(values[2]), values[3].encode(), [decode_hash(value) for value in values[4:]])
