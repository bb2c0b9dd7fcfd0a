"""Figures of the portal in the format of Prometheus, beside those of django-prometheus about requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celery import current_app
from django.conf import settings
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, generate_latest, multiprocess
from prometheus_client.core import REGISTRY, GaugeMetricFamily
from prometheus_client.registry import Collector

from ratings.queries.site.metrics import Figures, read_figures

QUEUES = ("rating", "celery", "webhooks", "laboratory")
"""Queues of the workers (Procfile)."""


class PortalCollector(Collector):
    """Collector of the portal's own figures, which are read from the database when they are asked for."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        figures = read_figures()
        yield from describe_lists(figures)
        yield _describe("pending", "Number of pending items", {n: p.number for n, p in figures.pending.items()})
        yield _describe(
            "pending_oldest_seconds",
            "Age of the oldest pending item",
            {n: p.oldest for n, p in figures.pending.items()},
        )
        yield _describe("failed", "Number of items that failed and are not retried", figures.failed)
        yield _describe("queue_length", "Number of tasks in a queue of the workers", read_queue_lengths(), "queue")


def describe_lists(figures: Figures) -> Iterator[GaugeMetricFamily]:
    """Yield the gauges about lists, each with the list's short name as its label."""
    lists = figures.lists
    outdated = {each.slug: float(each.is_out_of_date) for each in lists}
    ages = {each.slug: each.run_age for each in lists if each.run_age is not None}
    seconds = {each.slug: each.run_seconds for each in lists if each.run_seconds is not None}
    yield _describe("list_out_of_date", "1 if the list has to be rated again", outdated, "list")
    yield _describe("list_age_seconds", "Seconds since the last finished rating run", ages, "list")
    yield _describe("run_seconds", "Duration of the last finished rating run", seconds, "list")


def _describe(name: str, text: str, values: Mapping[str, float], label: str = "kind") -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(f"portal_{name}", text, labels=[label])
    for key, value in sorted(values.items()):
        gauge.add_metric([key], value)
    return gauge


def read_queue_lengths() -> dict[str, int]:
    """Return the number of tasks in each queue; empty without workers, or if the broker does not answer."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return {}
    try:
        with current_app.connection_for_read(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
            client = broker.default_channel.client  # type: ignore[attr-defined] # a channel of Redis has one
            return {queue: client.llen(queue) for queue in QUEUES}
    except Exception:  # noqa: BLE001 - after any error, the lengths are not known; /health/ says why
        return {}


def is_allowed(authorization: str) -> bool:
    """Return True if a request has the token of METRICS_TOKEN, as `Bearer TOKEN`."""
    return bool(settings.METRICS_TOKEN) and constant_time_compare(authorization, f"Bearer {settings.METRICS_TOKEN}")


def write_metrics() -> bytes:
    """Return all figures as text, with those of the other processes of this web server if they share a directory."""
    own = CollectorRegistry()
    own.register(PortalCollector())
    if settings.METRICS_DIRECTORY:
        requests = CollectorRegistry()
        multiprocess.MultiProcessCollector(requests)  # type: ignore[no-untyped-call] # the package has no types there
    else:
        requests = REGISTRY
    return generate_latest(requests) + generate_latest(own)
