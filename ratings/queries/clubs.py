"""Reading clubs and who is in them."""

from __future__ import annotations

from django.db.models import Count, Prefetch, Q, QuerySet

from ratings.models import Club, Membership, Standing


def clubs_with_members() -> QuerySet[Club]:
    """All clubs by country and name, with the number of their present members."""
    present = Count("memberships", filter=Q(memberships__end__isnull=True))
    return Club.objects.annotate(members=present).order_by("country", "name")


def club_members(club: Club) -> QuerySet[Membership]:
    """Present members with their public standings, by name."""
    standings = Standing.objects.filter(list__comparison_to=None, published=True, rating__isnull=False)
    public = standings.select_related("list").order_by("list")
    return (
        club.memberships.filter(end__isnull=True)
        .select_related("player")
        .prefetch_related(Prefetch("player__standings", public, to_attr="public"))
        .order_by("player__family_name", "player__given_name", "player")
    )
