"""Iteration over items that another thread makes meanwhile, with a database connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from queue import Empty, Queue
from threading import Event
from typing import TypeVar

from django.db import connection

R = TypeVar("R")
T = TypeVar("T")
Sender = Callable[[T], None]
"""Function by which a thread sends an item; it waits for room, and raises StoppedError if no more are needed."""
DRAIN_SECONDS = 0.1
"""Seconds between two checks whether a thread whose items are not needed any more has ended."""


class StoppedError(Exception):
    """End of a thread whose items are not needed any more."""


@contextmanager
def receive_from_thread(
    name: str, produce: Callable[[Sender[T]], R], waiting: int
) -> Iterator[tuple[Iterator[T], Future[R]]]:
    """Run a function in another thread; yield the items that it sends, in their order, and its future result.

    At most `waiting` items wait to be received, which bounds the memory. After an error of the function there are no
    more items, and the future result raises it. When the block ends earlier, the function gets StoppedError with its
    next item.
    """
    items: Queue[T | None] = Queue(waiting)
    stopped = Event()

    def send(item: T) -> None:
        if stopped.is_set():
            raise StoppedError
        items.put(item)

    def run() -> R:
        try:
            return produce(send)
        finally:
            try:
                connection.close()  # that of this thread
            finally:
                items.put(None)

    with ThreadPoolExecutor(1, name) as pool:
        future: Future[R] | None = None
        try:
            future = pool.submit(copy_context().run, run)
            yield iter(items.get, None), future
        finally:
            stopped.set()
            while future is not None and not future.done():
                _drain(items)


def _drain(items: Queue[T | None]) -> None:
    """Take waiting items, so that the thread that sends them goes on, and notices that they are not needed."""
    with suppress(Empty):
        items.get(timeout=DRAIN_SECONDS)
