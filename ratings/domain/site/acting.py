"""The acting user of a request, so that records can name the user without passing them to every function."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.models import User

_acting: ContextVar[Any] = ContextVar("acting", default=None)


@contextmanager
def act_as(user: Any) -> Iterator[None]:
    """Set the acting user for the duration of a context; `user` is a user, or a function that returns one."""
    token = _acting.set(user)
    try:
        yield
    finally:
        _acting.reset(token)


def acting_user() -> User | None:
    """Return the acting user; None for commands, tasks and visitors."""
    value = _acting.get()
    user = value() if callable(value) else value
    return User.objects.filter(pk=user.pk).first() if user is not None and user.is_authenticated else None
