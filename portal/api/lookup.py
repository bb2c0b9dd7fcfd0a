"""API endpoint that looks up many players by their names or ids, with the rules of the page that does the same."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django_ratelimit.core import get_usage
from ninja import Router, Schema
from pydantic import Field

from portal.middleware.limits import address_of
from ratings.models import RatingList
from ratings.queries.players.lookup import MAX_CANDIDATES, MAX_LENGTH, MAX_LINES, ListedPlayer, look_up_players

from . import page_schemas, schemas, serializers
from .lists import get_list
from .paging import rounded
from .problems import problem

router = Router(tags=["Lists"])
RATE = "20/m"
Text = Annotated[str, Field(max_length=MAX_LENGTH, pattern=r"^[^\x00]*$", examples=["Adler, Ina"])]


class WantedPlayers(Schema):
    """The players to look up."""

    players: list[Text] = Field(
        min_length=1,
        max_length=MAX_LINES,
        description="Names in any order, public ids, or confirmed ids in other registries such as EGD 12345678",
    )


class FoundStanding(Schema):
    """The line of a player on the list that was asked for."""

    rank: int | None = Field(
        description="Place among the active players of the list; equal ratings share a rank; null for inactive players"
    )
    rating: schemas.Rating
    deviation: schemas.Deviation
    grade: schemas.Grade
    category: str = Field(description="How the system rates the player, for example provisional")
    games: int = Field(description="Rated games so far")
    last_played: schemas.Day | None = Field(description="Last day of the last rated event")


class FoundPlayer(schemas.PlayerRef):
    """A player who was looked up, with the standing on the list."""

    native_name: str = Field(description="Name in the player's own script; empty if unknown or not shown in full")
    club: schemas.Named | None = Field(description="Current club; null for players who are shown anonymously")
    outside_ids: list[page_schemas.OutsideId] = Field(
        description="Confirmed ids in other registries; the country is that of a national federation, else empty"
    )
    standing: FoundStanding | None = Field(description="Null for a player who is not on the list")


class LookedUp(Schema):
    """The player whom a text means, or those whom it may mean."""

    text: str = Field(description="As it was sent")
    verdict: Literal["found", "several", "similar", "unknown"] = Field(
        description="One player; several whom it means equally; only players with similar names; or nobody"
    )
    similar: bool = Field(description="True if the name only resembles that of the player who was found")
    player: FoundPlayer | None = Field(description="The player, if one was found")
    candidates: list[FoundPlayer] = Field(
        description=f"Else those whom it may mean, likeliest first, at most {MAX_CANDIDATES}: ask again with an id"
    )


@router.post("/{slug}/lookup", response=list[LookedUp], summary="Many players by name or id")
def look_up(request: HttpRequest, slug: str, wanted: WantedPlayers) -> list[LookedUp] | HttpResponse:
    """Return the player for each text, in their order, with the standing on the list. Nothing is stored.

    Players who do not show their full name are found by their public id only. At most 20 requests per minute.
    """
    usage = get_usage(request, group="lookup", key=address_of, rate=RATE, increment=True)
    if usage and usage["should_limit"]:
        response = problem(429, f"At most {usage['limit']} look-ups; again in {usage['time_left']} seconds.")
        response["Retry-After"] = str(usage["time_left"])
        return response
    the_list = get_list(slug)
    return [
        LookedUp(
            text=line.text,
            verdict=line.verdict.value,
            similar=line.is_similar,
            player=serialize_found(line.found, the_list) if line.found else None,
            candidates=[serialize_found(one, the_list) for one in line.candidates],
        )
        for line in look_up_players(wanted.players, the_list, timezone.localdate())
    ]


def serialize_found(found: ListedPlayer, the_list: RatingList) -> FoundPlayer:
    ids = [
        page_schemas.OutsideId(registry=each.registry, country=str(each.country), value=each.value)
        for each in found.outside_ids
    ]
    return FoundPlayer(
        **serializers.player_ref(found.player).model_dump(),
        native_name=found.player.public_native,
        club=serializers.club_of(found.player),
        outside_ids=ids,
        standing=serialize_standing(found, the_list),
    )


def serialize_standing(found: ListedPlayer, the_list: RatingList) -> FoundStanding | None:
    line, decimals = found.standing, the_list.decimals
    if line is None:
        return None
    return FoundStanding(
        rank=found.rank,
        rating=rounded(line.rating, decimals),
        deviation=rounded(found.deviation, decimals),
        grade=line.grade if the_list.has_grades else "",
        category=line.category,
        games=line.games,
        last_played=line.last_played,
    )
