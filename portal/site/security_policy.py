"""Content security policies of files that a browser may open as documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.decorators import csp
from django.http import HttpResponse

View = Callable[..., HttpResponse]


def set_security_policy(allowed: dict[str, Any]) -> Callable[[View], View]:
    """Return a decorator for views of files that may do only what these directives allow, and be in no frame."""
    policy = {"default-src": ["'none'"], "frame-ancestors": ["'none'"], **allowed}
    return csp(policy)  # type: ignore[return-value] # typed for views without arguments
