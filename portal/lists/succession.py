"""Comparisons of a list that is continued: they stay with it, and its successor may start one of its own."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from portal.site.views.access import may_see
from ratings.access import Action
from ratings.models import RatingList
from ratings.queries.lists.lists import public_lists


def describe_succession(request: HttpRequest, rating_list: RatingList) -> dict[str, Any]:
    """Return the comparisons that stay with a list that is continued, and those that its successor has left behind.

    Officers of a successor without a comparison get `offers`; who may add lists, an address that starts one as well.
    """
    context: dict[str, Any] = {}
    if rating_list.successor_id:
        context["staying"] = list(public_lists().filter(comparison_to=rating_list))
    if rating_list.begins_on:
        left = list(public_lists().filter(comparison_to__successor=rating_list))
        offers = bool(left) and may_see(request, Action.KEEP_LIST, rating_list) and not rating_list.comparisons.exists()
        context |= {"left_behind": left, "offers": offers}
        if offers and request.user.has_perm("ratings.add_ratinglist"):
            context["start"] = _build_address(rating_list, left[0])
    return context


def _build_address(rating_list: RatingList, model: RatingList) -> str:
    """Return the address of the form of a new comparison of a list, with the name and system of an earlier one."""
    values = {
        "comparison_to": rating_list.pk,
        "federation": rating_list.federation_id,
        "system": model.system,
        "name": model.name,
    }
    return f"{reverse('admin:ratings_ratinglist_add')}?{urlencode(values)}"
