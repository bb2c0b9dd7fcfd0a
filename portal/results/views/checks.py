from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ratings.formats.check_catalogue import CHECKS, Check, Place
from ratings.formats.parsed import FATAL, HINT, WARNING


def checks(request: HttpRequest) -> HttpResponse:
    """Show the public catalogue of the checks of results, by place."""
    places = place_names()
    groups = [(place, places[place], [check for check in CHECKS if check.place == place]) for place in Place]
    lines = [
        (place, name, [(check, *describe_levels(check)) for check in listed])
        for place, name, listed in groups
        if listed
    ]
    return render(request, "results/checks.html", {"groups": lines, "count": len(CHECKS)})


def describe_levels(check: Check) -> tuple[str, str]:
    """Return the level of a check, and a sentence if it has another level in some cases."""
    levels = {FATAL: _("error"), WARNING: _("question"), HINT: _("note")}
    exception = ""
    if check.level_in_file:
        text = _("If only the file has the problem, and the results were read without it, it is a %(level)s.")
        exception = text % {"level": levels[check.level_in_file]}
    if check.level_submitted:
        text = _("Once the results are submitted, it is a %(level)s.")
        exception = text % {"level": levels[check.level_submitted]}
    return levels[check.level], exception


def place_names() -> dict[Place, str]:
    return {
        Place.FILE: _("The file"),
        Place.EVENT: _("The event"),
        Place.DAYS: _("The days"),
        Place.PLAYER: _("Players"),
        Place.RESULT: _("Results"),
        Place.TABLE: _("All results together"),
        Place.GRADE: _("Grades and published ratings"),
    }
