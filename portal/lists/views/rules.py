from collections import defaultdict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.queries.lists import public_lists


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    """Every system in use, with the lists that are rated by it."""
    by_system: dict[str, list[RatingList]] = defaultdict(list)
    for one in public_lists():
        by_system[one.system].append(one)
    systems = [(lists[0].rating_system, lists) for lists in by_system.values()]
    return render(request, "portal/all_rules.html", {"systems": systems})
