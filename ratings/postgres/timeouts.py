"""Connections that stop waiting for a PostgreSQL server that hangs.

The server enforces `statement_timeout`, so it does not help when the server itself hangs (a stopped process, a network
that drops packets). A connection that has waited for some seconds therefore opens a new connection to check whether the
server still answers; if not, the first connection is closed and the caller gets an OperationalError.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from time import monotonic
from typing import Any, Self, TypeVar

import psycopg
from django.conf import settings

from ratings.circuit_breaker import CircuitBreaker

CONNECT_SECONDS = 2
PATIENCE_SECONDS = 3.0
"""Seconds without an answer between two checks of the server by a new connection."""
Returned = TypeVar("Returned")
CIRCUIT_SECONDS = 3.0
_limit: ContextVar[float | None] = ContextVar("answer_within", default=None)


@contextmanager
def answer_within(seconds: float) -> Iterator[None]:
    """Limit each database operation in the block to this number of seconds."""
    token = _limit.set(seconds)
    try:
        yield
    finally:
        _limit.reset(token)


@cache
def find_circuit(host: str, port: str) -> CircuitBreaker:
    """Return the circuit breaker of a server; a site may have a second one with a replica of its database."""
    return CircuitBreaker(f"PostgreSQL ({host or 'local'}:{port})", CIRCUIT_SECONDS)


class Connection(psycopg.Connection[Any]):
    """A connection whose operations end with OperationalError when the server hangs or a limit is reached."""

    circuit = find_circuit("", "")

    @classmethod
    def connect(cls, conninfo: str = "", **parameters: Any) -> Self:
        circuit = find_circuit(str(parameters.get("host") or ""), str(parameters.get("port") or ""))
        if circuit.is_open():
            raise psycopg.OperationalError("PostgreSQL did not answer a moment ago; not trying again yet")
        try:
            connection = super().connect(conninfo, **parameters)
        except psycopg.errors.ConnectionTimeout as error:
            circuit.record_failure(error)
            raise
        circuit.record_success()
        connection.circuit = circuit
        return connection

    def wait(self, gen: Generator[Any, Any, Returned], *arguments: Any, **options: Any) -> Returned:
        try:
            state = next(gen)
        except StopIteration as end:  # nothing to wait for, as for almost every row of a COPY
            return end.value  # type: ignore[no-any-return] # the return value of gen
        return super().wait(self._checked(gen, state), *arguments, **options)

    def _checked(self, gen: Generator[Any, Any, Returned], state: Any) -> Generator[Any, Any, Returned]:
        """Run a psycopg generator on from its first `state`, and check the time limits when there was nothing to read.

        Psycopg sends 0 in that case. Raises OperationalError when a limit is reached.
        """
        started = checked = monotonic()
        limit = _limit.get() or settings.ANSWER_SECONDS
        try:
            while True:
                ready = yield state
                if not ready:
                    now = monotonic()
                    if self.circuit.is_open() or (limit and now - started > limit):
                        self._give_up(f"PostgreSQL did not answer within {now - started:.1f} seconds")
                    if now - checked > PATIENCE_SECONDS:
                        self._check_server()
                        checked = monotonic()
                state = gen.send(ready)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return] # the return value of gen

    def _check_server(self) -> None:
        parameters: dict[str, Any] = self.info.get_parameters() | {"password": self.info.password}
        try:
            psycopg.connect(**(parameters | {"connect_timeout": CONNECT_SECONDS})).close()
        except psycopg.errors.ConnectionTimeout as error:
            self.circuit.record_failure(error)
            self._give_up("PostgreSQL hangs")
        except psycopg.Error:
            return  # the server answered: too many connections, shutting down, …

    def _give_up(self, reason: str) -> None:
        self.pgconn.finish()
        raise psycopg.OperationalError(reason)
