from collections import defaultdict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratings.models import RatingList
from ratings.queries.lists.lists import public_lists


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    """Show the rules of every system in use, with the lists that are rated by it."""
    by_system: dict[str, list[RatingList]] = defaultdict(list)
    for rating_list in public_lists():
        by_system[rating_list.system].append(rating_list)
    systems = [(lists[0].rating_system, lists) for lists in by_system.values()]
    return render(request, "lists/all_rules.html", {"systems": systems})
