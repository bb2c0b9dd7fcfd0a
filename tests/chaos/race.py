"""Two requests at once, each in a thread and on a connection of its own."""

from __future__ import annotations

import queue
import random
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.messages import get_messages
from django.core.signals import got_request_exception
from django.db import connection
from django.test import Client

from .boundaries import Boundaries, Pause
from .steps import Form, Step

SECONDS = 30
"""After which a request that goes on is a failure."""
LONGEST_PAUSE = 0.006
BLOCKED = "SELECT %s = ANY(pg_blocking_pids(%s))"


@dataclass
class Answer:
    """The response that a person received for a step."""

    status: int
    text: str
    problems: list[str] = field(default_factory=list)
    error: str = ""
    location: str = ""

    @property
    def is_success(self) -> bool:
        return self.status == 302 and not self.problems and "/accounts/" not in self.location


class Person:
    """Somebody with a browser: a thread, a connection to the database and a session of its own."""

    def __init__(self, name: str, users: dict[bool, Any]) -> None:
        self.name, self.thread, self.error = name, ThreadPoolExecutor(1, thread_name_prefix=name), ""
        self.clients = {officer: Client(raise_request_exception=False) for officer in users}
        for officer, user in users.items():
            self.clients[officer].force_login(user)
        self.pid = self.thread.submit(self._connect).result()

    def _connect(self) -> int:
        connection.ensure_connection()
        connection.close_at = None  # the backend is known by its process id
        return connection.connection.info.backend_pid

    def take(self, step: Step, form: Form, pause: Pause = lambda boundary: None) -> Future[Answer]:
        """Send a form, and call `pause` before it and at every boundary of the request."""
        return self.thread.submit(self._take, step, form, pause)

    def _take(self, step: Step, form: Form, pause: Pause) -> Answer:
        self.error = ""
        client = self.clients[step.officer]
        client.cookies.pop("messages", None)  # those of earlier steps, which no page has shown
        pause("start")
        got_request_exception.connect(self._note_error)
        try:
            with Boundaries(pause).watched():
                response = client.post(form.path, form.data)
        finally:
            got_request_exception.disconnect(self._note_error)
        problems = [str(message) for message in get_messages(response.wsgi_request) if message.level >= messages.ERROR]
        return Answer(response.status_code, response.text, problems, self.error, response.headers.get("Location", ""))

    def _note_error(self, **more: Any) -> None:
        """Django tells every thread of an exception; only that of this request counts."""
        if threading.current_thread().name.startswith(self.name):
            self.error = traceback.format_exc()

    def close(self) -> None:
        self.thread.submit(lambda: connection.close()).result()  # noqa: PLW0108 - that of the thread
        self.thread.shutdown()


@dataclass
class Meeting:
    """The responses to two requests that ran at the same time."""

    answers: tuple[Answer, Answer]
    boundary: str = ""
    blocked: bool = False


def alone(person: Person, step: Step, form: Form) -> tuple[Answer, list[str]]:
    """Take a step while nobody else does anything; return the names of its boundaries as well."""
    boundaries: list[str] = []
    return person.take(step, form, boundaries.append).result(SECONDS), boundaries


class Gate:
    """Holds a request at one of its boundaries until it is opened."""

    def __init__(self, at: int) -> None:
        self.at, self.number, self.boundary = at, 0, ""
        self.reached, self.opened = threading.Event(), threading.Event()

    def pause(self, boundary: str) -> None:
        self.number += 1
        if self.number == self.at + 1:
            self.boundary = boundary
            self.reached.set()
            assert self.opened.wait(SECONDS), "the other request did not end and was not blocked"


def forced(first: Person, second: Person, steps: tuple[Step, Step], forms: tuple[Form, Form], at: int) -> Meeting:
    """Hold the first request at a boundary until the second has ended, or waits for a lock of the first."""
    gate = Gate(at)
    events: queue.Queue[Future[Answer] | None] = queue.Queue()
    one = first.take(steps[0], forms[0], gate.pause)
    try:
        one.add_done_callback(lambda _: gate.reached.set())
        assert gate.reached.wait(SECONDS), "the first request did not reach its boundary"
        other = second.take(steps[1], forms[1])
        other.add_done_callback(events.put)
        blocked = _wait(events, first.pid, second.pid)
    finally:
        gate.opened.set()
    return Meeting((one.result(SECONDS), other.result(SECONDS)), gate.boundary, blocked)


def _wait(events: queue.Queue[Any], first: int, second: int) -> bool:
    """Wait until the second request has ended (False) or waits for a lock of the first (True)."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(queue.Empty):
            events.get(timeout=0.004)
            return False
        with connection.cursor() as cursor:
            cursor.execute(BLOCKED, [first, second])
            if cursor.fetchone()[0]:
                return True
    raise AssertionError("the second request neither ended nor was blocked")


def at_random(first: Person, second: Person, steps: tuple[Step, Step], forms: tuple[Form, Form], seed: str) -> Meeting:
    """Start both requests together, with random pauses at all their boundaries."""
    start = threading.Barrier(2, timeout=SECONDS)

    def pauses(name: str) -> Callable[[str], None]:
        chance = random.Random(f"{seed}/{name}")

        def pause(boundary: str) -> None:
            if boundary == "start":
                start.wait()
            time.sleep(chance.random() * LONGEST_PAUSE)

        return pause

    one = first.take(steps[0], forms[0], pauses("first"))
    other = second.take(steps[1], forms[1], pauses("second"))
    return Meeting((one.result(SECONDS), other.result(SECONDS)))
