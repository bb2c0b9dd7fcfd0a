from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from ratings.access import Action, may


def require(request: HttpRequest, action: Action, about: Any = None) -> None:
    """PermissionDenied unless whoever asks may do this."""
    if not may(request.user, action, about):
        raise PermissionDenied
