"""Claims of player pages: the open ones with the details that an officer needs, and those of a user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from ratings.models import Claim, Player

from .player_details import describe, players_with_details


@dataclass(frozen=True)
class OpenClaim:
    """An open claim, with a description of the player and the mail addresses that the user has confirmed."""

    claim: Claim
    description: str
    addresses: list[str]


def open_claims() -> QuerySet[Claim]:
    """Return the open claims, oldest first."""
    return Claim.objects.filter(state=Claim.State.OPEN).order_by("pk")


def open_claims_with_details() -> list[OpenClaim]:
    """Return the open claims, oldest first, with the player's description and the user's confirmed addresses."""
    claims = list(open_claims().select_related("player", "user").prefetch_related("user__emailaddress_set"))
    players = players_with_details(claim.player.public_id for claim in claims)
    return [
        OpenClaim(claim, describe(players[claim.player.public_id]), _confirmed_addresses(claim.user))
        for claim in claims
    ]


def _confirmed_addresses(user: Any) -> list[str]:
    return [address.email for address in user.emailaddress_set.all() if address.verified]


def claims_of(user: Any) -> QuerySet[Claim]:
    """Return all claims of a user, newest first."""
    return Claim.objects.filter(user=user.pk).select_related("player")


def player_of_user(user: Any) -> Player | None:
    """Return the player whose account belongs to a user, None if there is none."""
    return Player.objects.filter(account=user.pk).first()
