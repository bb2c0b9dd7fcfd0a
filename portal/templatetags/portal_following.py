"""Button by which signed-in people follow a page, or stop that."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from ratings.models import Club, Event, Player, RatingList
from ratings.queries.site.following import FIELDS, find_follow

register = template.Library()


@register.inclusion_tag("site/follow.html", takes_context=True)
def follow_button(context: RequestContext, target: Any) -> dict[str, Any]:
    """Return the button to follow a player, club, event or list; none for visitors and for what has no followers.

    For signed-in people this costs one query.
    """
    user = getattr(context["request"], "user", None)
    if user is None or not user.is_authenticated or not _has_followers(target):
        return {}
    key = target.slug if isinstance(target, RatingList) else target.public_id
    return {
        "address": reverse("follow", args=[FIELDS[type(target)], key]),
        "follow": find_follow(user, target),
        "csrf_token": context.get("csrf_token"),
    }


def _has_followers(target: Any) -> bool:
    """Return True if something can be followed: not anonymous players, comparisons and lists that are not public."""
    if isinstance(target, Player):
        return target.merged_into_id is None and not target.is_anonymous
    if isinstance(target, RatingList):
        return target.public and target.comparison_to_id is None
    return isinstance(target, Club | Event)  # those without a public page have no page with a button
