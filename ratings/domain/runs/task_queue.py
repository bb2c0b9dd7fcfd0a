"""Sending tasks to the workers.

The work to do is stored in the database; a message to the queue only makes it start soon.
"""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.db import transaction

from ratings.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)
circuit = CircuitBreaker("The task queue", seconds=5)


def send_task(task: str, *arguments: Any) -> None:
    """Send a task, by its name, to the queue after commit.

    If the message is lost, the next sweep finds the work. A queue that does not answer delays the caller by at most
    one second, and later callers not at all while the circuit breaker is open (5 seconds).
    """

    def send() -> None:
        if circuit.is_open():
            logger.warning("%s%r was not sent; the next sweep will find the work", task, arguments)
            return
        try:
            current_app.tasks[task].delay(*arguments)
        except Exception as error:
            if not current_app.conf.task_always_eager:
                circuit.record_failure(error)
            logger.exception("%s%r could not run now; the next sweep will find the work", task, arguments)
        else:
            circuit.record_success()

    transaction.on_commit(send)
