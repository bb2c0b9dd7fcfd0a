"""Middleware by which a replica of the database serves anonymous pages."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import InterfaceError, OperationalError, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ratings.circuit_breaker import CircuitBreaker
from ratings.postgres.replica import REPLICA, read_from_replica
from ratings.queries.site.page_generation import compute_age, get_page_generation

from .cached_pages import LookUp
from .page_cache import is_anonymous_read

SECONDS_WITHOUT = 3.0
"""Seconds for which a replica that did not answer is not asked again."""
circuit = CircuitBreaker("The replica of the database", SECONDS_WITHOUT)
"""Circuit of its own: that of a server (ratings.postgres) opens only if the server hangs, and stops all connections."""


class Replica:
    """Middleware that reads anonymous pages from the replica, if the site has one and it answers.

    After a change that must be seen at once, such as hiding a name, pages are read from the primary database until the
    replica has the change too (REPLICA_LAG_SECONDS). It is inside the page cache, which keeps the pages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not settings.REPLICA_URL or not is_anonymous_read(request):
            return self.get_response(request)
        found: LookUp | None = getattr(request, "page_look_up", None)
        generation = found.generation if found else get_page_generation()
        if compute_age(generation) < settings.REPLICA_LAG_SECONDS or not is_available():
            return self.get_response(request)
        with read_from_replica():
            return self.get_response(request)


def is_available() -> bool:
    """Return True if the replica answers; a failure is logged once, and then the replica is left out for a while."""
    if circuit.is_open():
        return False
    replica = connections[REPLICA]
    try:
        replica.close_if_health_check_failed()
        replica.ensure_connection()
    except (OperationalError, InterfaceError) as error:
        circuit.record_failure(error)
        return False
    circuit.record_success()
    return True
