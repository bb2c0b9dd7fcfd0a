"""Waking the worker. Work is a row in the database; a message only makes it happen soon."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.db import transaction

logger = logging.getLogger(__name__)


def wake(task: str, *arguments: Any) -> None:
    """After commit, ask for a task by its name; a lost message is found by the sweep."""

    def send() -> None:
        try:
            current_app.tasks[task].delay(*arguments)
        except Exception:
            logger.exception("%s%r could not run now; the next sweep will find the work", task, arguments)

    transaction.on_commit(send)
