"""Separate processes that rate lists for benchmarks."""

from __future__ import annotations

import resource
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import Self

import django

from ratings.domain.runs.rerating import rerate
from ratings.models import RatingList


class Worker:
    """Separate process that rates lists; the engine of their system is loaded before the measurement."""

    def __init__(self, rating_list: RatingList) -> None:
        self._list = rating_list
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), django.setup)

    def __enter__(self) -> Self:
        self._pool.submit(load_engine, self._list.pk).result()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown()

    def rate(self, rating_list: RatingList) -> Future[int]:
        """Rate a list; the result is the peak memory of the worker's process so far, in megabytes."""
        return self._pool.submit(rate, rating_list.pk)


def load_engine(list_id: int) -> bool:
    """Load the compiled code of a list's system; return False if there is none."""
    return RatingList.objects.get(pk=list_id).rating_system.rating.compiled


def rate(list_id: int) -> int:
    rerate(list_id)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
