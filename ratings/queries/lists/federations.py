"""Federations that pages, mails and files name."""

from __future__ import annotations

from ratings.models import Event, Federation, RatingList

from .lists import public_lists


def only_federation() -> Federation | None:
    """Return the federation of all public lists; None if there are several, or none."""
    federations = Federation.objects.filter(lists__in=public_lists().filter(comparison_to=None)).distinct()[:2]
    return federations[0] if len(federations) == 1 else None


def federation_of_list(rating_list: RatingList | None) -> Federation | None:
    """Return the federation of a list; for no list, the only one."""
    return rating_list.federation if rating_list else only_federation()


def federation_of_event(event: Event) -> Federation | None:
    """Return the federation of an event's lists; the only one of the site if they have several."""
    federations = Federation.objects.filter(lists__in=event.lists.all()).distinct()[:2]
    return federations[0] if len(federations) == 1 else only_federation()
