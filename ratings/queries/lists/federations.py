"""Federations that pages, mails and files name."""

from __future__ import annotations

from django.db.models import QuerySet

from ratings.models import Club, Event, Federation, RatingList, Standing
from ratings.queries.players.clubs import current_memberships

from .lists import public_lists


def only_federation() -> Federation | None:
    """Return the federation of all public lists; None if there are several, or none."""
    return _find_only(public_lists().filter(comparison_to=None))


def _find_only(lists: QuerySet[RatingList]) -> Federation | None:
    """Return the federation of all these lists; None if there are several, or none."""
    federations = Federation.objects.filter(lists__in=lists).distinct()[:2]
    return federations[0] if len(federations) == 1 else None


def federation_of_list(rating_list: RatingList | None) -> Federation | None:
    """Return the federation of a list; for no list, the only one."""
    return rating_list.federation if rating_list else only_federation()


def federation_of_event(event: Event) -> Federation | None:
    """Return the federation of an event's lists; the only one of the site if they have several."""
    return _find_only(event.lists.all()) or only_federation()


def federation_of_club(club: Club) -> Federation | None:
    """Return the federation on whose lists the members of a club are; the only one of the site if there are several."""
    members = current_memberships().filter(club=club).values("player")
    standings = Standing.objects.filter(player__in=members, published=True, rating__isnull=False)
    lists = public_lists().filter(comparison_to=None, pk__in=standings.values("list"))
    return _find_only(lists) or only_federation()
