"""Benchmark of the pages of a running server, from another process.

Pages are measured warm under a steady load, the same while cached pages are purged every second, and with empty caches.
"""

from __future__ import annotations

import gzip
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from threading import Event
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from ratings.domain.site.page_purging import purge_cached_pages

RATE, SECONDS, AT_ONCE = 20, 10, 16
COLD = 20
MOST = {"warm": 0.100, "cold": 0.400, "queries": 12, "html": 60_000, "script": 100_000}
SCRIPT = re.compile(rb'<script[^>]* src="([^"]+)"')


@dataclass(frozen=True)
class PageType:
    """Addresses of one kind of page; a measurement chooses among them."""

    name: str
    addresses: Sequence[str]


@dataclass(frozen=True)
class Measured:
    """Result for a page type: seconds (95th percentile), queries with empty caches, and compressed bytes (maximum)."""

    name: str
    warm: float
    purged: float
    cold: float
    queries: int
    html: int
    script: int

    @property
    def over(self) -> list[str]:
        return [name for name, most in MOST.items() if getattr(self, name) > most]


def p95(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1]


class Server:
    """Client of the measured server."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get(self, path: str) -> bytes:
        """Return the compressed body of a page; raise AssertionError unless the status is 200."""
        with closing(HTTPConnection(self.address, timeout=30)) as link:
            link.request("GET", path, headers={"Accept-Encoding": "gzip"})
            response = link.getresponse()
            body = response.read()
        if response.status != HTTPStatus.OK:
            raise AssertionError(f"{path} was answered {response.status}")
        return body if response.headers.get("Content-Encoding") == "gzip" else gzip.compress(body)

    def seconds(self, path: str) -> float:
        start = time.perf_counter()
        self.get(path)
        return time.perf_counter() - start


def measure_page(server: Server, page: PageType) -> Measured:
    queries = max(queries_of(path) for path in page.addresses[:3])
    cold = p95([time_cold_request(server, path) for path in choose_addresses(page.addresses, COLD)])
    for path in page.addresses:
        server.get(path)
    warm = p95(time_steady_load(server.seconds, choose_addresses(page.addresses, RATE * SECONDS)))
    with purge_every_second():
        purged = p95(time_steady_load(server.seconds, choose_addresses(page.addresses, RATE * SECONDS)))
    bodies = [server.get(path) for path in page.addresses]
    script = max(scripts_of(server, gzip.decompress(body)) for body in bodies[:3])
    return Measured(page.name, warm, purged, cold, queries, max(map(len, bodies)), script)


def choose_addresses(addresses: Sequence[str], number: int) -> list[str]:
    return random.Random(1).choices(addresses, k=number)


def time_cold_request(server: Server, path: str) -> float:
    cache.clear()
    return server.seconds(path)


@contextmanager
def purge_every_second() -> Iterator[None]:
    """Purge the cached pages every second."""
    stopped = Event()

    def purge() -> None:
        while not stopped.wait(1):
            purge_cached_pages()
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(purge)
        try:
            yield
        finally:
            stopped.set()


def time_steady_load(ask: Callable[[str], float], paths: Sequence[str]) -> list[float]:
    """Request RATE paths per second, and return the seconds of each, including those of waiting for a free thread.

    Requests do not wait for earlier ones to be answered.
    """
    start = time.perf_counter() + 0.1

    def request_page(number: int, path: str) -> float:
        due = start + number / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        ask(path)
        return time.perf_counter() - due

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(request_page, range(len(paths)), paths))


def queries_of(path: str) -> int:
    """Return the number of queries of a page with empty caches, counted in this process."""
    cache.clear()
    with override_settings(ALLOWED_HOSTS=["*"]), CaptureQueriesContext(connection) as queries:
        response = Client().get(path, headers={"accept-encoding": "gzip"})
    if response.status_code != HTTPStatus.OK:
        raise AssertionError(f"{path} was answered {response.status_code}")
    return len(queries)


def scripts_of(server: Server, page: bytes) -> int:
    """Return the compressed bytes of a page's scripts."""
    paths = [urlsplit(source.decode()).path for source in SCRIPT.findall(page)]
    return sum(len(server.get(path)) for path in paths)


def format_line(measured: Measured, floor: Measured) -> str:
    """Return a line of the printed table; `floor` is a page with a short text only, measured in the same run."""
    return (
        f"{measured.name:34}{1000 * measured.warm:8.0f}{measured.warm / floor.warm:7.1f}{1000 * measured.purged:11.0f}"
        f"{1000 * measured.cold:8.0f}{measured.cold / floor.cold:7.1f}{measured.queries:9}{measured.html / 1000:9.1f}"
        f"{measured.script / 1000:9.1f}"
        f"  {'over: ' + ', '.join(measured.over) if measured.over else 'ok'}"
    )


HEAD = (
    f"{'page':34}{'warm ms':>8}{'ratio':>7}{'purged ms':>11}{'cold ms':>8}{'ratio':>7}{'queries':>9}{'html KB':>9}"
    f"{'js KB':>9}"
)
