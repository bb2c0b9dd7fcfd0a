from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from ratings.domain.acting import acting


class ActingUser:
    """Lets the domain know who acts; the session is looked at only if it asks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting(lambda: request.user):
            return self.get_response(request)
