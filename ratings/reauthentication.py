"""Signing in again before decisions, so that an officer's unattended session cannot be used to decide anything.

A form that is interrupted by this is stored and restored afterwards, so that no data has to be entered twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.http import urlencode

from ratings.access import Action, administered_federations, may, needs_second_factor
from ratings.domain.site.held_forms import UploadedFormFile, get_held_form, save_held_form
from ratings.models import HeldForm

View = Callable[..., HttpResponse]
HELD_FIELD = "held"
"""Name of the field with the key of a stored form, with which the form is sent again."""
NOT_STORED = ("csrfmiddlewaretoken", "password")
"""Prefixes of the names of fields whose values are not stored."""


def require_recent_sign_in(view: View, *, button: str = "", except_button: str = "", **only: Collection[str]) -> View:
    """Return a view whose forms require a recent log-in.

    `button` is the name of the field that only the button of the decision sends; the view must not decide without it.
    `except_button` is that of a button which decides nothing, such as a preview. `only` restricts the requirement to
    some values of URL parameters, such as `what=("accept",)`.
    """

    @wraps(view)
    def protected_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_protected = all(kwargs.get(name) in values for name, values in only.items())
        if except_button and except_button in request.POST:
            is_protected = False
        if request.method == "POST" and is_protected:
            response = get_interruption(request, button=button)
            if response is not None:
                return response
        return view(request, *args, **kwargs)

    return protected_view


def get_interruption(request: HttpRequest, *, button: str = "") -> HttpResponse | None:
    """Return the response that interrupts a form, or None if the form can be processed.

    A stored form is restored into the request.
    """
    user = request.user
    if not (isinstance(user, User) and needs_recent_sign_in(user)):
        return None  # the view refuses the request itself
    held = get_held_form(user, request.POST.get(HELD_FIELD, "")) if HELD_FIELD in request.POST else None
    if held is not None and held.path != request.get_full_path():
        held = None
    if held is None and HELD_FIELD in request.POST:
        return render(request, "site/continue.html", status=404)
    if signed_in_recently(request) or (held is None and button and button not in request.POST):
        if held is not None:
            _restore_form(request, held)
        return None
    try:
        held = held or _store_form(request, user)
    except ValidationError as error:
        return render(request, "site/continue.html", {"problems": error.messages}, status=422)
    return redirect_to_sign_in(reverse("continue_form", args=[held.key]))


def redirect_to_sign_in(after: str) -> HttpResponse:
    """Redirect to the page that asks for the password or passkey again, and from there to the path `after`."""
    return redirect(f"{reverse('account_reauthenticate')}?{urlencode({'next': after})}")


def signed_in_recently(request: HttpRequest) -> bool:
    """Return whether the user has authenticated within the last ACCOUNT_REAUTHENTICATION_TIMEOUT seconds."""
    if not settings.SIGN_IN_AGAIN:
        return True
    records = get_authentication_records(request, request.user)
    return (
        bool(records) and time.time() - max(record["at"] for record in records) < app_settings.REAUTHENTICATION_TIMEOUT
    )


def needs_recent_sign_in(user: User) -> bool:
    """Return whether a user has any of the permissions that require signing in again."""
    works = user.is_staff or may(user, Action.ORGANISE) or needs_second_factor(user)
    return works or administered_federations(user).exists()


def _store_form(request: HttpRequest, user: User) -> HeldForm:
    fields = [
        (name, str(value))
        for name, values in request.POST.lists()
        if not name.startswith(NOT_STORED)
        for value in values
    ]
    files = [
        UploadedFormFile(field, str(file.name or ""), str(file.content_type or ""), file.read())
        for field, uploads in request.FILES.lists()
        for file in uploads
    ]
    return save_held_form(user, request.get_full_path(), fields, files)


def _restore_form(request: HttpRequest, held: HeldForm) -> None:
    """Restore the fields and files of the interrupted request."""
    fields = QueryDict(mutable=True)
    for name, value in held.fields:
        fields.appendlist(name, value)
    files: MultiValueDict[str, Any] = MultiValueDict()
    for file in held.files.all():
        uploaded = SimpleUploadedFile(file.name or "file", bytes(file.data), file.content_type)
        files.appendlist(file.field, uploaded)
    request.POST = fields  # type: ignore[assignment] # a mutable copy, which is not changed afterwards
    request._files = files  # type: ignore[attr-defined] # noqa: SLF001 - FILES has no setter
    held.delete()
