"""The cache: Redis with short timeouts, and the memory of the process while Redis does not answer.

Values are JSON or bytes, and counters are integers; nothing is pickled, so that write access to Redis does not allow
running code here. Without Redis, requests and failed sign-ins are counted in memory, so limits keep working: per
process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.exceptions import SuspiciousOperation
from django_redis.cache import RedisCache
from django_redis.serializers.base import BaseSerializer
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from ratings.circuit_breaker import CircuitBreaker
from ratings.queries.site.page_generation import GENERATION

circuit = CircuitBreaker("Redis", seconds=5)
MEMORY_ENTRIES = 10_000
MEMORY_BYTES = 4_000


class JsonSerializer(BaseSerializer):  # type: ignore[misc] # django-redis has no types
    """Serializer that writes bytes as they are and other values as JSON; a first byte says which.

    django-redis stores integers itself, as Redis counts them. TypeError: the value is neither bytes nor JSON.
    """

    def dumps(self, value: Any) -> bytes:
        return b"B" + value if isinstance(value, bytes) else b"J" + json.dumps(value).encode()

    def loads(self, value: bytes) -> Any:
        kind, content = value[:1], value[1:]
        if kind == b"B":
            return content
        if kind == b"J":
            return json.loads(content)
        raise SuspiciousOperation("a cached value was not written by this site")


class MemoryCache(LocMemCache):
    """Django's cache in the memory of the process, for the same values as Redis: JSON, bytes and integers."""

    serializer = JsonSerializer({})

    def _encode(self, value: Any) -> int | bytes:
        return value if type(value) is int else self.serializer.dumps(value)

    def add(self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return super().add(key, self._encode(value), timeout, version)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        encoded = super().get(key, None, version)
        if encoded is None:
            return default
        return encoded if isinstance(encoded, int) else self.serializer.loads(encoded)

    def set(self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        super().set(key, self._encode(value), timeout, version)


class CounterCache(MemoryCache):
    """Cache in the memory of the process for counters and other small values; bytes and large values are not stored.

    Pages are bytes: they are only stored where all processes delete them together.
    """

    def add(self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._is_small(value) and super().add(key, value, timeout, version)

    def set(self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        if self._is_small(value):
            super().set(key, value, timeout, version)

    def _is_small(self, value: Any) -> bool:
        return not isinstance(value, bytes) and len(self.serializer.dumps(value)) <= MEMORY_BYTES


class FallbackCache(BaseCache):
    """Cache in Redis; after a failure, for some seconds, in the memory of this process without asking Redis."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self.redis: RedisCache = RedisCache(server, params)
        self.memory = CounterCache("without-redis", dict(params) | {"OPTIONS": {"MAX_ENTRIES": MEMORY_ENTRIES}})

    def _call(self, method: str, *arguments: Any, **options: Any) -> Any:
        if not circuit.is_open():
            try:
                answer = getattr(self.redis, method)(*arguments, **options)
            except (RedisConnectionError, RedisTimeoutError, OSError) as error:
                circuit.record_failure(error)
            except RedisError as error:  # Redis answers, but refuses: full or read-only
                if method == "delete":  # a page that must go may still be there, so Redis is not used
                    circuit.record_failure(error)
            else:
                if circuit.record_success():
                    self._end_outage()
                return answer
        return getattr(self.memory, method)(*arguments, **options)

    def _end_outage(self) -> None:
        """Clear the counts, and purge cached pages, which may show names that were hidden during the outage."""
        self.memory.clear()
        self.delete(GENERATION)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._call("add", key, value, timeout=timeout, version=version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._call("get", key, default, version=version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._call("set", key, value, timeout=timeout, version=version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._call("touch", key, timeout=timeout, version=version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._call("delete", key, version=version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        return dict(self._call("get_many", keys, version=version))

    def set_many(
        self, data: Mapping[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        self._call("set_many", data, timeout=timeout, version=version)
        return []

    def delete_many(self, keys: Any, version: int | None = None) -> None:
        self._call("delete_many", keys, version=version)

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return bool(self._call("has_key", key, version=version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._call("incr", key, delta, version=version))

    def clear(self) -> None:
        self.memory.clear()
        self._call("clear")

    def close(self, **_options: Any) -> None:
        self.redis.close()
