from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ratings.formats.check_catalogue import CHECKS, Place
from ratings.formats.parsed import FATAL, HINT, WARNING


def checks(request: HttpRequest) -> HttpResponse:
    """Show the public catalogue of the checks of results, by place."""
    places = place_names()
    groups = [(place, places[place], [check for check in CHECKS if check.place == place]) for place in Place]
    levels = {FATAL: _("error"), WARNING: _("question"), HINT: _("note")}
    lines = [
        (place, name, [(check, levels[check.level]) for check in listed]) for place, name, listed in groups if listed
    ]
    return render(request, "results/checks.html", {"groups": lines, "count": len(CHECKS)})


def place_names() -> dict[Place, str]:
    return {
        Place.FILE: _("The file"),
        Place.DAYS: _("The days"),
        Place.PLAYER: _("Players"),
        Place.RESULT: _("Results"),
        Place.TABLE: _("The table"),
        Place.GRADE: _("Grades and published ratings"),
    }
