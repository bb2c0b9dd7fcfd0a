"""The cache: what is written to Redis, and what happens without Redis."""

import pickle
import time

import pytest
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.core.exceptions import SuspiciousOperation
from redis.exceptions import TimeoutError as RedisTimeoutError

from portal.site import caching
from portal.site.caching import FallbackCache, JsonSerializer
from ratings.queries.site.page_generation import GENERATION

VALUES = [b"\x00bytes", "text ½", 1.5, True, None, [1, 2], {"a": [1]}]


class Harmful:
    def __reduce__(self):
        return (pytest.fail, ("unpickled a value that this site did not write",))


@pytest.mark.parametrize("value", VALUES)
def test_serializer_returns_what_it_was_given(value):
    serializer = JsonSerializer({})
    restored = serializer.loads(serializer.dumps(value))
    assert (restored, type(restored)) == (value, type(value))


@pytest.mark.parametrize("prefix", [b"", b"P", b"P" + b"0" * 32])
def test_serializer_never_loads_pickles(prefix):
    with pytest.raises((SuspiciousOperation, ValueError)):
        JsonSerializer({}).loads(prefix + pickle.dumps(Harmful()))


def test_serializer_refuses_objects_that_are_not_json():
    with pytest.raises(TypeError):
        JsonSerializer({}).dumps(Harmful())


def test_memory_cache_accepts_the_same_values_as_redis():
    memory = caching.MemoryCache("test", {})
    memory.set("tuple", (1, 2))
    memory.set("number", 5)
    assert (memory.get("tuple"), memory.incr("number"), memory.get("none", "default")) == ([1, 2], 6, "default")
    with pytest.raises(TypeError):
        memory.set("object", Harmful())


def test_cache_without_redis_counts_in_memory(without_redis):
    assert (cache.add("n", 1), cache.add("n", 1), cache.incr("n"), cache.get("n")) == (True, False, 2, 2)
    cache.set_many({"a": 1, "b": 2})
    assert (cache.get_many(["a", "b", "c"]), "a" in cache, cache.delete("a"), "a" in cache) == (
        {"a": 1, "b": 2}, True, True, False
    )  # fmt: skip


def test_cache_without_redis_stores_no_large_values(without_redis):
    cache.set("large", "x" * 100_000)
    cache.set("page", b"x")
    assert (cache.get("large"), cache.get("page")) == (None, None)


class Slow(LocMemCache):
    """A stand-in for Redis that answers, or fails after a while, as told."""

    calls, fails = 0, False

    def get(self, *arguments, **options):
        type(self).calls += 1
        if self.fails:
            raise RedisTimeoutError("Timeout reading from socket")
        return super().get(*arguments, **options)


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr(caching, "RedisCache", Slow)
    monkeypatch.setattr(Slow, "calls", 0)
    found = FallbackCache("slow", {"OPTIONS": {}})
    found.clear()
    return found


def test_hanging_redis_is_tried_once_and_again_after_a_while(slow, monkeypatch):
    monkeypatch.setattr(Slow, "fails", True)
    monkeypatch.setattr(caching.circuit, "seconds", 0.2)
    assert [slow.get("x") for _ in range(5)] == [None] * 5
    assert Slow.calls == 1
    time.sleep(0.25)
    monkeypatch.setattr(Slow, "fails", False)
    slow.get("x")
    assert Slow.calls == 2


def test_end_of_an_outage_forgets_copies_of_pages_and_counts(slow, monkeypatch):
    monkeypatch.setattr(caching.circuit, "seconds", 0)
    monkeypatch.setattr(Slow, "fails", True)
    slow.get("x")
    slow.memory.set("count", 5)
    monkeypatch.setattr(Slow, "fails", False)
    slow.redis.set(GENERATION, "before")
    slow.get("x")
    assert (slow.get(GENERATION), slow.memory.get("count")) == (None, None)
