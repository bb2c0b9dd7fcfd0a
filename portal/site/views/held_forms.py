from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from ratings.domain.site.held_forms import get_held_form

HIDDEN = ("_", "opened_version", "initial-", "held")
"""Beginnings of the names of fields that people do not type."""


@login_required
@never_cache
def continue_form(request: HttpRequest, key: str) -> HttpResponse:
    """Return a form that was interrupted by signing in again to its sender, who sends or discards it."""
    user = request.user
    assert isinstance(user, User)
    held = get_held_form(user, key)
    if held is None:
        return render(request, "site/continue.html", status=404)
    if request.method == "POST":
        held.delete()
        return redirect("front")
    typed = [
        (name, value) for name, value in held.fields if value and not name.startswith(HIDDEN) and "_FORMS" not in name
    ]
    files = [file.name for file in held.files.all()]
    return render(request, "site/continue.html", {"held": held, "typed": typed, "files": files})
