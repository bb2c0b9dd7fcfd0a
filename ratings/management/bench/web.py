"""Benchmark of the pages of a running server from another process, one request at a time.

`measure_page` requests a page with emptied caches (the page cache and the cache of long reads), and page of text
before each request in the same way. The ratio of the two says more than seconds, which depend on the machine.
`mixed_load.py` measures all page types together.
"""

from __future__ import annotations

import gzip
import random
import re
import statistics
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

TIMES, SIZED = 40, 16
MOST_RATIO, MOST_RATIO_OF_LARGE = 8, 16
"""Most times that a page may take of page of text; of a player with 5,000 games and an event of 700 × 9."""
MOST = {"warm": 0.100, "html": 60_000, "script": 100_000}
SCRIPT = re.compile(rb'<script[^>]* src="([^"]+)"')


@dataclass(frozen=True)
class PageType:
    """Addresses of one kind of page, drawn from all of this kind; the first three have scripts and queries counted.

    A large example (`is_example`) is one of the pages of another type, and not drawn by the mixed load again.
    """

    name: str
    addresses: Sequence[str]
    most_ratio: float = MOST_RATIO
    is_example: bool = False

    @property
    def is_api(self) -> bool:
        return self.addresses[0].startswith("/api/")


@dataclass(frozen=True)
class Times:
    """Seconds of requests: median and 95th percentile."""

    p50: float
    p95: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        return cls(statistics.median(seconds), p95(seconds))


@dataclass(frozen=True)
class Measured:
    """Result for a page type.

    `cold` and `words` are the times of the page and of page of text with empty caches, `warm` is the 95th percentile
    of cached responses in seconds, `queries` those with empty caches, `html` and `script` compressed bytes (maximum).
    """

    page: PageType
    cold: Times
    words: Times
    warm: float
    queries: int
    html: int
    script: int

    @property
    def ratio(self) -> Times:
        return Times(self.cold.p50 / self.words.p50, self.cold.p95 / self.words.p95)

    @property
    def over(self) -> list[str]:
        """Names of the figures above their targets."""
        names = [name for name, most in MOST.items() if getattr(self, name) > most]
        return [name for name in ("p50", "p95") if getattr(self.ratio, name) > self.page.most_ratio] + names


@dataclass(frozen=True)
class Answer:
    """Compressed body of a response, and its header Cache-Status."""

    body: bytes
    cache_status: str


def p95(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1]


class Server:
    """Client of the measured server."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get(self, path: str) -> Answer:
        """Return the response of a page; raise AssertionError unless the status is 200."""
        with closing(HTTPConnection(self.address, timeout=30)) as link:
            link.request("GET", path, headers={"Accept-Encoding": "gzip"})
            response = link.getresponse()
            body = response.read()
        if response.status != HTTPStatus.OK:
            raise AssertionError(f"{path} was answered {response.status}")
        is_compressed = response.headers.get("Content-Encoding") == "gzip"
        return Answer(body if is_compressed else gzip.compress(body), response.headers.get("Cache-Status", ""))

    def time_request(self, path: str) -> float:
        start = time.perf_counter()
        self.get(path)
        return time.perf_counter() - start


def measure_page(server: Server, page: PageType, words: PageType) -> Measured:
    """Measure a page type and, alternately, the page of text."""
    queries = max(count_queries(path) for path in page.addresses[:3])
    bodies = [server.get(path).body for path in page.addresses[:SIZED]]  # also loads templates in all processes
    script = max(measure_scripts(server, gzip.decompress(body)) for body in bodies[:3])
    paths = choose_addresses(page, TIMES)
    cold = [(time_cold_request(server, words.addresses[0]), time_cold_request(server, path)) for path in paths]
    server.get(paths[-1])
    warm = p95([server.time_request(paths[-1]) for _ in range(TIMES)])
    of_words, of_page = (Times.of(seconds) for seconds in zip(*cold, strict=True))
    return Measured(page, of_page, of_words, warm, queries, max(map(len, bodies)), script)


def choose_addresses(page: PageType, number: int) -> list[str]:
    return random.Random(1).choices(page.addresses, k=number)


def time_cold_request(server: Server, path: str) -> float:
    cache.clear()
    return server.time_request(path)


def count_queries(path: str) -> int:
    """Return the number of queries of a page with empty caches, counted in this process."""
    cache.clear()
    with override_settings(ALLOWED_HOSTS=["*"]), CaptureQueriesContext(connection) as queries:
        response = Client().get(path, headers={"accept-encoding": "gzip"})
    if response.status_code != HTTPStatus.OK:
        raise AssertionError(f"{path} was answered {response.status_code}")
    return len(queries)


def measure_scripts(server: Server, page: bytes) -> int:
    """Return the compressed bytes of a page's scripts."""
    paths = [urlsplit(source.decode()).path for source in SCRIPT.findall(page)]
    return sum(len(server.get(path).body) for path in paths)


def format_line(measured: Measured) -> str:
    """Return a line of the printed table."""
    cold, ratio = measured.cold, measured.ratio
    return (
        f"{measured.page.name:34}{1000 * cold.p50:8.0f}{ratio.p50:7.1f}{1000 * cold.p95:8.0f}{ratio.p95:7.1f}"
        f"{measured.page.most_ratio:6.0f}{1000 * measured.warm:9.0f}{measured.queries:9}"
        f"{measured.html / 1000:9.1f}{measured.script / 1000:7.1f}"
        f"  {'over: ' + ', '.join(measured.over) if measured.over else 'ok'}"
    )


HEAD = (
    f"{'without a cache, one at a time':34}{'p50 ms':>8}{'ratio':>7}{'p95 ms':>8}{'ratio':>7}{'most':>6}{'warm ms':>9}"
    f"{'queries':>9}{'html KB':>9}{'js KB':>7}"
)
