"""Benchmark of concurrent processes: two lists rated by two workers, and a page read while a list is rated."""

from __future__ import annotations

import datetime as dt
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import Future
from http import HTTPStatus

from django.test import Client, override_settings
from django.urls import reverse

from ratings.domain.runs.copy_rows import insert_instances
from ratings.models import Event, RatingList

from .measure import Figure, delete_derived, timed
from .workers import Worker

READINGS = 30
ONE_BY_ONE, BOTH = "two lists, one after the other", "two lists by two workers at once"
QUIET, BUSY = "reading the list's page (median)", "the same while the list is rated again"
NOT_COLLECTED = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}


def measure_two_lists(rating_list: RatingList) -> Iterator[Figure]:
    """Yield figures of rating the list and its copy: one after the other, then both at once by two workers."""
    lists = [rating_list, get_or_create_copy(rating_list)]
    with Worker(rating_list) as first, Worker(rating_list) as second:
        workers = [first, second]
        for each, worker in zip(lists, workers, strict=True):
            delete_derived(each)
            worker.rate(each).result()
        alone = 0.0
        for each, worker in zip(lists, workers, strict=True):
            delete_derived(each)
            alone += timed(worker.rate(each).result)
        yield Figure(ONE_BY_ONE, alone)
        for each in lists:
            delete_derived(each)
        futures: list[Future[int]] = []

        def rate_both() -> None:
            futures.extend(worker.rate(each) for each, worker in zip(lists, workers, strict=True))
            for future in futures:
                future.result()

        yield Figure(BOTH, timed(rate_both))


def measure_reading(rating_list: RatingList) -> Iterator[Figure]:
    """Yield the median time to read the list's page, alone and while the whole list is rated again."""
    address = reverse("list", args=[rating_list.slug])
    client = Client(headers={"host": "127.0.0.1"})

    def read() -> float:
        start = time.perf_counter()
        response = client.get(address)
        assert response.status_code == HTTPStatus.OK
        return time.perf_counter() - start

    with override_settings(STORAGES=NOT_COLLECTED), Worker(rating_list) as worker:
        read()
        quiet = [read() for _ in range(READINGS)]
        yield Figure(QUIET, statistics.median(quiet))
        rating_list.rated_tables.update(needs_rating=True)
        RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=dt.date.min)
        run = worker.rate(rating_list)
        busy = []
        while not run.done():
            busy.append(read())
            time.sleep(0.05)
        yield Figure(BUSY, statistics.median(busy))


def get_or_create_copy(rating_list: RatingList) -> RatingList:
    twin, created = RatingList.objects.get_or_create(
        slug=f"{rating_list.slug}-2",
        federation=rating_list.federation,
        name=f"{rating_list.name} 2",
        system=rating_list.system,
    )
    if created:
        through = Event.lists.through
        events = rating_list.events.values_list("pk", flat=True)
        insert_instances([through(event_id=pk, ratinglist_id=twin.pk) for pk in events])
        openings = list(rating_list.adjustments.all())
        for opening in openings:
            opening.pk, opening.list = None, twin
        insert_instances(openings)
    return twin
