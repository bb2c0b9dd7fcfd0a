"""Circuit breaker: skips calls to a service that recently did not answer, so that few requests wait for it."""

from __future__ import annotations

import logging
from threading import Lock
from time import monotonic

logger = logging.getLogger(__name__)


class CircuitBreaker:
    """A record, kept for some seconds, that a service did not answer.

    All threads of a process share it.
    """

    def __init__(self, service: str, seconds: float) -> None:
        self.service = service
        self.seconds = seconds
        self._lock = Lock()
        self._open_until = 0.0
        self._failed = False

    def is_open(self) -> bool:
        """Return True while calls should be skipped."""
        return monotonic() < self._open_until

    def record_failure(self, error: BaseException) -> None:
        """Open the circuit for `seconds` seconds and log the first failure of an outage."""
        with self._lock:
            if not self._failed:
                logger.error("%s does not answer (%s: %s)", self.service, type(error).__name__, error)
            self._failed = True
            self._open_until = monotonic() + self.seconds

    def record_success(self) -> bool:
        """Close the circuit and return True if this ends an outage."""
        if not self._failed:
            return False
        with self._lock:
            ended, self._failed, self._open_until = self._failed, False, 0.0
        if ended:
            logger.warning("%s answers again", self.service)
        return ended

    def reset(self) -> None:
        """Forget all failures, for tests."""
        self._failed, self._open_until = False, 0.0
