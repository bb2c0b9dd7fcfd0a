"""Benchmark of all page types together: a steady load with writes, as on a busy evening.

RATE requests a second are drawn over all page types, and over all players, events and clubs: most of these pages are
not cached. Meanwhile something is written every second: a changed player, which purges the cached pages, and every
tenth time the last table is rated again, which outdates the cached reads of the list. A page of text is one of the
types; its 95th percentile under this load is the measure of the others. If the server cannot keep up, all requests
wait equally long and the ratios say nothing; then the benchmark fails.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event

from django.db import connection

from ratings.domain.events.tables import save_details
from ratings.models import Player, RatingList, Table

from .history import SEED
from .web import PageType, Server, Times, p95
from .workers import Worker

RATE, SECONDS, AT_ONCE = 20, 120, 16
CACHED_SECONDS = 10
LATE_SECONDS = 2
"""Most seconds that the load may take longer than SECONDS."""
MOST_RATIO = 6
WRITES_PER_RUN = 10
NAME = "mixed load"


@dataclass(frozen=True)
class Request:
    """A request of the load: its page type, the seconds until it was answered, and the header Cache-Status."""

    page: PageType
    seconds: float
    cache_status: str


@dataclass(frozen=True)
class MixedLoad:
    """Requests of a mixed load; `words` is the type that the others are compared with."""

    words: PageType
    requests: Sequence[Request]
    writes: int
    late: float
    """Seconds that the load took longer than SECONDS."""

    def times_of(self, pages: Iterable[PageType]) -> Times | None:
        """Return the times of page types; None without requests."""
        names = {page.name for page in pages}
        seconds = [request.seconds for request in self.requests if request.page.name in names]
        return Times.of(seconds) if len(seconds) > 1 else None

    def ratio_of(self, times: Times) -> float:
        words = self.times_of([self.words])
        assert words is not None
        return times.p95 / words.p95

    @property
    def groups(self) -> dict[str, Times]:
        """Times of the page of text, of all pages and of the API."""
        others = [request.page for request in self.requests if request.page != self.words]
        groups = {
            self.words.name: self.times_of([self.words]),
            "all pages": self.times_of(page for page in others if not page.is_api),
            "API": self.times_of(page for page in others if page.is_api),
        }
        return {name: times for name, times in groups.items() if times}

    @property
    def over(self) -> list[str]:
        """Names of the groups above the target, and of the load if the server did not keep up."""
        late = [f"{NAME}: {self.late:.0f} s late"] if self.late > LATE_SECONDS else []
        return late + [f"{NAME}: {name}" for name, times in self.groups.items() if self.ratio_of(times) > MOST_RATIO]

    @property
    def cache_counts(self) -> Counter[str]:
        """Numbers of responses by the header Cache-Status."""
        return Counter(request.cache_status.removeprefix("portal; ") or "not cached" for request in self.requests)


def measure_mixed_load(server: Server, pages: Sequence[PageType], rating_list: RatingList) -> MixedLoad:
    """Measure the page types, of which the first is the page of text."""
    rng = random.Random(SEED)
    types = [page for page in pages if not page.is_example]
    drawn = [rng.choice(types) for _ in range(RATE * SECONDS)]
    paths = [rng.choice(page.addresses) for page in drawn]
    with write_every_second(rating_list) as written:
        start = time.perf_counter()
        answers = time_steady_load(lambda path: server.get(path).cache_status, paths)
        late = time.perf_counter() - start - SECONDS
    requests = [Request(page, *answer) for page, answer in zip(drawn, answers, strict=True)]
    return MixedLoad(pages[0], requests, len(written), late)


def measure_cached_page(server: Server, page: PageType) -> float:
    """Return the seconds (95th percentile) of a cached page, requested RATE times a second."""
    server.get(page.addresses[0])
    answers = time_steady_load(lambda path: server.get(path).cache_status, [page.addresses[0]] * RATE * CACHED_SECONDS)
    return p95([seconds for seconds, _status in answers])


@contextmanager
def write_every_second(rating_list: RatingList) -> Iterator[list[int]]:
    """Write something every second, and yield the list to which the number of each write is appended."""
    stopped, written = Event(), list[int]()

    def write_until_stopped() -> None:
        rng, number, due = random.Random(SEED), 0, time.perf_counter()
        while not stopped.wait(max(0.0, due - time.perf_counter())):
            number, due = number + 1, due + 1
            if number % WRITES_PER_RUN:
                change_player(rng)
            else:
                change_last_table(rating_list)
                worker.rate(rating_list).result()
            written.append(number)
        connection.close()

    with Worker(rating_list) as worker, ThreadPoolExecutor(1) as pool:
        worker.rate(rating_list).result()  # loads the engine
        writing = pool.submit(write_until_stopped)
        try:
            yield written
        finally:
            stopped.set()
            writing.result()


def change_player(rng: random.Random) -> None:
    """Save a player with another year of birth, which purges the cached pages."""
    player = Player.objects.get(public_id=f"B{rng.randrange(100_000):06}")
    player.birth_year = rng.randrange(1950, 2000)
    player.save()


def change_last_table(rating_list: RatingList) -> None:
    """Save the list's last table, so that the list is out of date."""
    save_details(Table.objects.filter(event__lists=rating_list).latest("last_day", "pk"))


def time_steady_load(ask: Callable[[str], str], paths: Sequence[str]) -> list[tuple[float, str]]:
    """Request RATE paths per second, and return the seconds and the result of each.

    Requests do not wait for earlier ones to be answered; the seconds include those of waiting for a free thread.
    """
    start = time.perf_counter() + 0.1

    def request_page(number: int, path: str) -> tuple[float, str]:
        due = start + number / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        result = ask(path)
        return time.perf_counter() - due, result

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(request_page, range(len(paths)), paths))


def format_mixed_load(load: MixedLoad, pages: Sequence[PageType]) -> Iterator[str]:
    """Yield the lines of the printed table: the judged groups, each page type, and the counts of the cache."""
    yield f"{f'{RATE} a second, with writes':34}{'p50 ms':>8}{'p95 ms':>8}{'ratio':>7}{'most':>6}"
    for name, times in load.groups.items():
        judged = "ok" if load.ratio_of(times) <= MOST_RATIO else "over"
        yield f"{_format_times(name, times, load)}{MOST_RATIO:6}  {judged}"
    for page in pages[1:]:
        if times_of_page := load.times_of([page]):
            yield _format_times(f"  {page.name}", times_of_page, load)
    counts = ", ".join(f"{number} {status}" for status, number in load.cache_counts.most_common())
    yield f"{len(load.requests)} requests, {load.writes} writes, {load.late:.1f} s late; cache: {counts}"


def _format_times(name: str, times: Times, load: MixedLoad) -> str:
    return f"{name:34}{1000 * times.p50:8.0f}{1000 * times.p95:8.0f}{load.ratio_of(times):7.1f}"
