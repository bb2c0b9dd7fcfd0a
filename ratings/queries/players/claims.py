"""Claims of pages: those that wait, with what an officer has to know, and one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from ratings.models import Claim, Player

from .roster import describe, described_players


@dataclass(frozen=True)
class Waiting:
    """A claim, who the player is, and the mail addresses that the user has confirmed."""

    claim: Claim
    described: str
    addresses: list[str]


def open_claims() -> QuerySet[Claim]:
    """The longest waiting first."""
    return Claim.objects.filter(state=Claim.State.OPEN).order_by("pk")


def waiting_claims() -> list[Waiting]:
    """Open claims with what tells who claims what."""
    claims = list(open_claims().select_related("player", "user").prefetch_related("user__emailaddress_set"))
    players = described_players(claim.player.public_id for claim in claims)
    return [
        Waiting(claim, describe(players[claim.player.public_id]), _confirmed_addresses(claim.user)) for claim in claims
    ]


def _confirmed_addresses(user: Any) -> list[str]:
    return [address.email for address in user.emailaddress_set.all() if address.verified]


def claims_of(user: Any) -> QuerySet[Claim]:
    """All that somebody has claimed, newest first."""
    return Claim.objects.filter(user=user.pk).select_related("player")


def page_of(user: Any) -> Player | None:
    """The player who somebody is."""
    return Player.objects.filter(account=user.pk).first()
