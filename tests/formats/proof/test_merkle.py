from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.formats.proof.merkle import (
    BLOCK_LEAVES,
    compute_root,
    compute_root_of_leaves,
    hash_leaf,
    list_inclusion_path,
    verify_inclusion,
)

# inputs, roots and paths of the tests of google/certificate-transparency (merkletree/merkle_tree_test.cc)
INPUTS = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",  # of an empty tree
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
PATHS = {
    (0, 1): [],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
}


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_reference(size):
    assert compute_root_of_leaves(INPUTS[:size]).hex() == ROOTS[size]


@pytest.mark.parametrize(("place", "path"), PATHS.items())
def test_paths_are_those_of_the_reference(place, path):
    index, size = place
    hashes = [hash_leaf(content) for content in INPUTS[:size]]
    assert [step.hex() for step in list_inclusion_path(hashes, index)] == path
    assert verify_inclusion(hashes[index], index, size, [bytes.fromhex(step) for step in path], compute_root(hashes))


def test_every_leaf_is_proved_and_no_other_one():
    hashes = [hash_leaf(bytes([number])) for number in range(40)]
    for size in range(1, 41):
        root = compute_root(hashes[:size])
        for index in range(size):
            path = list_inclusion_path(hashes[:size], index)
            assert verify_inclusion(hashes[index], index, size, path, root)
            assert not verify_inclusion(hashes[index], index + 1, size, path, root)
            assert not verify_inclusion(hash_leaf(b"x"), index, size, path, root)
            assert not verify_inclusion(hashes[index], index, size, [*path, root], root)
            assert size == 1 or not verify_inclusion(hashes[index], index, size, path[:-1], root)
    assert not verify_inclusion(hashes[0], -1, 1, [], hashes[0])


@pytest.mark.parametrize("size", [1, BLOCK_LEAVES - 1, BLOCK_LEAVES, BLOCK_LEAVES + 1, 5 * BLOCK_LEAVES + 7])
def test_root_of_blocks_is_that_of_their_leaves(size):
    hashes = [hash_leaf(b"%d" % number) for number in range(size)]
    blocks = [compute_root(hashes[at : at + BLOCK_LEAVES]) for at in range(0, size, BLOCK_LEAVES)]
    assert compute_root(blocks) == compute_root(hashes)


def split_as_the_rfc_says(hashes):
    """RFC 6962, 2.1: split at the largest power of two that is smaller than the number of leaves."""
    if len(hashes) == 1:
        return hashes[0]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return sha256(b"\x01" + split_as_the_rfc_says(hashes[:half]) + split_as_the_rfc_says(hashes[half:])).digest()


@given(st.integers(1, 300))
def test_root_is_that_of_the_definition(size):
    hashes = [hash_leaf(b"%d" % number) for number in range(size)]
    assert compute_root(hashes) == split_as_the_rfc_says(hashes)
