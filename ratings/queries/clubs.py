"""Reading clubs and who is in them."""

from __future__ import annotations

from django.db.models import Count, Prefetch, Q, QuerySet

from ratings.models import Club, Membership, Shown, Standing

from .names import by_public_name


def clubs_with_members() -> QuerySet[Club]:
    """All clubs by country and name, with the number of their present members who are shown by name."""
    present = Q(memberships__end__isnull=True) & ~Q(memberships__player__shown=Shown.ANONYMOUS)
    return Club.objects.annotate(members=Count("memberships", filter=present)).order_by("country", "name")


def club_members(club: Club) -> QuerySet[Membership]:
    """Present members with their public standings, by name; who is not shown by name is in no club."""
    standings = Standing.objects.filter(list__comparison_to=None, published=True, rating__isnull=False)
    public = standings.select_related("list").order_by("list")
    return (
        club.memberships.filter(end__isnull=True)
        .exclude(player__shown=Shown.ANONYMOUS)
        .select_related("player")
        .prefetch_related(Prefetch("player__standings", public, to_attr="public"))
        .order_by(*by_public_name("player__"))
    )
