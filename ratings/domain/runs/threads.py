"""Work of a run that another thread does meanwhile, with a database connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from itertools import chain
from queue import Queue
from threading import Event
from typing import Any, TypeVar

from django.db import connection

R = TypeVar("R")
T = TypeVar("T")
Receiver = Callable[[T], None]


class StoppedError(Exception):
    """The receiver of a thread's items needs no more of them, so the thread ends."""


@contextmanager
def receive_from_thread(produce: Callable[[Receiver[T]], R], waiting: int) -> Iterator[tuple[Iterator[T], Future[R]]]:
    """Run a function in another thread; yield the items that it passes on, in their order, and its future result.

    At most `waiting` items wait to be received, which bounds the memory. An error of the function is raised behind its
    last item. When the block ends earlier, the function gets StoppedError with its next item.
    """
    items: Queue[T | None] = Queue(waiting)
    stopped = Event()

    def receive(item: T) -> None:
        if stopped.is_set():
            raise StoppedError
        items.put(item)

    def run() -> R:
        try:
            return produce(receive)
        finally:
            try:
                connection.close()  # that of this thread
            finally:
                items.put(None)

    with ThreadPoolExecutor(1, "run") as pool:
        future = pool.submit(copy_context().run, run)
        received = iter(items.get, None)
        try:
            yield chain(received, _raise_error(future)), future
        finally:
            stopped.set()
            for _ in received:  # so that the thread goes on, and notices
                pass


def _raise_error(future: Future[Any]) -> Iterator[Any]:
    """Yield nothing; raise the error of a function that has ended."""
    future.result()
    yield from ()
