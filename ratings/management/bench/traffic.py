"""Mixed traffic on a running site: visitors who read pages of all kinds, and staff who enter, accept and correct."""

from __future__ import annotations

import datetime as dt
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, cycle
from threading import Event, Thread

from .browser import Answer, Browser
from .staff import SEATS, Staff

READ_BY_STAFF = ("/organise/", "/organise/events/", "/me/")
WITHIN_DAYS = 60
"""Days before today within which the events of the staff are; accepting one rates the later ones again."""


class Traffic:
    """Traffic by threads. `errors` are lines about wrong answers; `statuses` counts the answers of visitors.

    `slowest` are the seconds of the slowest of them.
    """

    def __init__(self, address: str, pages: Mapping[str, Sequence[str]], rate: float, visitors: int) -> None:
        self.address, self.pages, self.visitors = address, pages, visitors
        self.pause = visitors / rate
        self.statuses: Counter[int] = Counter()
        self.done: Counter[str] = Counter()
        self.errors: list[str] = []
        self.slowest = 0.0
        self.ended = Event()

    @contextmanager
    def running(self, staff: Sequence[Staff], pause: float) -> Iterator[None]:
        """Send traffic until the block ends; the staff begin a new event every `pause` seconds."""
        threads = [Thread(target=self._guard, args=[self.visit, number]) for number in range(self.visitors)]
        threads.append(Thread(target=self._guard, args=[self.work, staff, pause]))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.ended.set()
            for thread in threads:
                thread.join()

    def _guard(self, run: Callable[..., None], *arguments: object) -> None:
        try:
            run(*arguments)
        except Exception as error:  # noqa: BLE001 - reported when the traffic has ended
            self.errors.append(f"{type(error).__name__}: {error}")

    def visit(self, number: int) -> None:
        """Read a page of a random kind now and again, as one of several visitors."""
        rng, kinds = random.Random(number), sorted(self.pages)
        due = time.monotonic() + self.pause * number / self.visitors
        while not self.ended.wait(max(0.0, due - time.monotonic())):
            due = max(due + self.pause, time.monotonic())
            path, start = rng.choice(self.pages[rng.choice(kinds)]), time.monotonic()
            self._note(Browser(self.address).get(path))
            self.slowest = max(self.slowest, time.monotonic() - start)

    def _note(self, answer: Answer) -> None:
        self.statuses[answer.status] += 1
        if answer.is_failure:
            self.errors.append(f"{answer.path} was answered {answer.status}")

    def work(self, staff: Sequence[Staff], pause: float) -> None:
        """Enter, submit and accept an event on each list in turn, and correct every third one."""
        rng, today = random.Random(0), dt.datetime.now(dt.UTC).date()
        for number, one in zip(count(1), cycle(staff), strict=False):
            day = today - dt.timedelta(days=rng.randrange(1, WITHIN_DAYS))
            event = one.enter_event(f"Measured Cup {number}", day)
            sheet = one.upload_results(event, day, rng.sample(one.read_players(), SEATS))
            one.save_results(sheet)
            one.submit(event)
            one.accept(event)
            self.done["accepted"] += 1
            if number % 3 == 0:
                one.correct(event)
                self.done["corrected"] += 1
            for path in READ_BY_STAFF:
                self._note(one.officer.get(path))
            if self.ended.wait(pause):
                return
