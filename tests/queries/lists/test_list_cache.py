"""The helper that caches long reads under the version of a list."""

import pytest
from pydantic import TypeAdapter

from ratings.queries.lists.list_cache import cached
from tests.factories import make_list

pytestmark = pytest.mark.django_db
NUMBERS = TypeAdapter(list[int])


def test_cached_reads_again_when_the_version_or_the_detail_changes():
    fesa, reads = make_list(), []

    def read():
        reads.append(len(reads))
        return list(reads)

    def ask(detail=""):
        return cached(fesa, "numbers", read, NUMBERS, detail=detail)

    assert [ask(), ask(), ask("x"), ask("x"), ask()] == [[0], [0], [0, 1], [0, 1], [0, 1, 2]]
    fesa.revision += 1
    assert [ask(), ask()] == [[0, 1, 2, 3]] * 2


def test_cached_gives_bytes_back_as_they_are():
    fesa = make_list()
    assert [cached(fesa, "bytes", lambda: b"\x00\n"), cached(fesa, "bytes", bytes)] == [b"\x00\n"] * 2
