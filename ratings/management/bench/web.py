"""Measuring pages of a running server from another process: warm under a steady load, the same while something is
written every second (whole pages are kept only until then), and with emptied caches.
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

RATE, SECONDS, AT_ONCE = 20, 10, 16
COLD = 20
MOST = {"warm": 0.100, "cold": 0.400, "queries": 12, "html": 60_000, "script": 100_000}
SCRIPT = re.compile(rb'<script[^>]* src="([^"]+)"')


@dataclass(frozen=True)
class PageType:
    """Addresses of one kind of page, of which a measurement takes one after the other."""

    name: str
    addresses: Sequence[str]


@dataclass(frozen=True)
class Measured:
    """Seconds (95th percentile of all answers), queries with empty caches, and bytes of the largest, compressed."""

    name: str
    warm: float
    written: float
    cold: float
    queries: int
    html: int
    script: int

    @property
    def over(self) -> list[str]:
        return [what for what, most in MOST.items() if getattr(self, what) > most]


def p95(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1]


class Server:
    """Where pages are asked for."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get(self, path: str) -> bytes:
        """The compressed body; AssertionError for anything but 200."""
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
    cold = p95([after_emptying(server, path) for path in several(page.addresses, COLD)])
    for path in page.addresses:
        server.get(path)
    warm = p95(steadily(server.seconds, several(page.addresses, RATE * SECONDS)))
    with writing():
        written = p95(steadily(server.seconds, several(page.addresses, RATE * SECONDS)))
    bodies = [server.get(path) for path in page.addresses]
    script = max(scripts_of(server, gzip.decompress(body)) for body in bodies[:3])
    return Measured(page.name, warm, written, cold, queries, max(map(len, bodies)), script)


def several(addresses: Sequence[str], number: int) -> list[str]:
    return random.Random(1).choices(addresses, k=number)


def after_emptying(server: Server, path: str) -> float:
    cache.clear()
    return server.seconds(path)


@contextmanager
def writing() -> Iterator[None]:
    """Meanwhile a transaction writes every second (nothing, but the database cannot know)."""
    over = Event()

    def write() -> None:
        while not over.wait(1):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_current_xact_id()")
        connection.close()

    with ThreadPoolExecutor(1) as hand:
        hand.submit(write)
        try:
            yield
        finally:
            over.set()


def steadily(ask: Callable[[str], float], paths: Sequence[str]) -> list[float]:
    """So many requests a second, whether or not the ones before have been answered; waiting for a free hand counts."""
    start = time.perf_counter() + 0.1

    def at(number: int, path: str) -> float:
        due = start + number / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        ask(path)
        return time.perf_counter() - due

    with ThreadPoolExecutor(AT_ONCE) as hands:
        return list(hands.map(at, range(len(paths)), paths))


def queries_of(path: str) -> int:
    """Counted in this process, with empty caches."""
    cache.clear()
    with override_settings(ALLOWED_HOSTS=["*"]), CaptureQueriesContext(connection) as asked:
        response = Client().get(path, headers={"accept-encoding": "gzip"})
    if response.status_code != HTTPStatus.OK:
        raise AssertionError(f"{path} was answered {response.status_code}")
    return len(asked)


def scripts_of(server: Server, page: bytes) -> int:
    """Bytes of a page's scripts, compressed."""
    paths = [urlsplit(found.decode()).path for found in SCRIPT.findall(page)]
    return sum(len(server.get(path)) for path in paths)


def told(measured: Measured, floor: Measured) -> str:
    """A line of the table; `floor` is a page that only says a few words, measured in the same run."""
    return (
        f"{measured.name:34}{1000 * measured.warm:8.0f}{measured.warm / floor.warm:7.1f}{1000 * measured.written:11.0f}"
        f"{1000 * measured.cold:8.0f}{measured.cold / floor.cold:7.1f}{measured.queries:9}{measured.html / 1000:9.1f}"
        f"{measured.script / 1000:9.1f}"
        f"  {'over: ' + ', '.join(measured.over) if measured.over else 'ok'}"
    )


HEAD = (
    f"{'page':34}{'warm ms':>8}{'ratio':>7}{'written ms':>11}{'cold ms':>8}{'ratio':>7}{'queries':>9}{'html KB':>9}"
    f"{'js KB':>9}"
)
