"""Who is acting: set for the time of a request, so that records can say who asked without every function being told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.models import User

_acting: ContextVar[Any] = ContextVar("acting", default=None)


@contextmanager
def acting(user: Any) -> Iterator[None]:
    """For a while `user` (or, for a request that has not looked yet, what is to become one) does what is done."""
    token = _acting.set(user)
    try:
        yield
    finally:
        _acting.reset(token)


def acting_user() -> User | None:
    """The user who acts; None for commands, tasks and visitors."""
    given = _acting.get()
    user = given() if callable(given) else given
    return User.objects.filter(pk=user.pk).first() if user is not None and user.is_authenticated else None
