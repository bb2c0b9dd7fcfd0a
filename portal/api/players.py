"""API endpoints of players, as the public may see them, and of their ratings and games."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.models import Player, RatingList
from ratings.queries.players.outside_ids import public_outside_ids
from ratings.queries.players.players import public_standings, rank_of, with_current_club
from ratings.queries.site import public_api

from . import page_schemas, schemas, serializers
from .lists import OnDay, get_list
from .paging import Paging, paginate, paginate_with, rounded
from .problems import get_by_public_id
from .schemas import Page

router = Router(tags=["Players"])
NEWEST = ("-day", "-place", "player__public_id")


class MergedError(Exception):
    """The requested player was merged into another one; `into` is the public id of that player."""

    def __init__(self, asked: str, into: str) -> None:
        super().__init__(asked, into)
        self.asked, self.into = asked, into


def get_player(public_id: str) -> Player:
    players = with_current_club(Player.objects.select_related("merged_into"))
    player = get_by_public_id(players, public_id, f"There is no player {public_id}.")
    if player.merged_into is not None:
        raise MergedError(public_id, player.merged_into.public_id)
    return player


class Search(Schema):
    q: str = Field("", max_length=100, pattern=r"^[^\x00]*$", description="Any parts of a name, or an id")


class OnList(Schema):
    list: str = Field("", max_length=50, pattern="^[-A-Za-z0-9_]*$", description="Slug of a list")


@router.get("", response=Page[schemas.PlayerRef], summary="Players by name")
def players(
    request: HttpRequest, response: HttpResponse, search: Query[Search], paging: Query[Paging]
) -> Page[schemas.PlayerRef]:
    """Return players in the order of their ids. Players who do not show their full name are not found by it."""
    return paginate(
        request,
        response,
        paging,
        public_api.public_players(search.q),
        ("public_id",),
        lambda rows: [serializers.player_ref(row) for row in rows],
    )


@router.get("/{public_id}", response=page_schemas.Player, summary="One player")
def player(request: HttpRequest, public_id: str) -> page_schemas.Player:
    the_player = get_player(public_id)
    standings = [standing(line) for line in public_standings(the_player) if line.published]
    ref = serializers.player_ref(the_player).model_dump()
    return page_schemas.Player(
        **ref,
        native_name=the_player.public_native,
        club=serializers.club_of(the_player),
        outside_ids=[outside_id(each) for each in public_outside_ids(the_player)],
        standings=standings,
    )


def outside_id(each: models.OutsideId) -> page_schemas.OutsideId:
    return page_schemas.OutsideId(registry=each.registry, country=str(each.country), value=each.value)


def standing(line: models.Standing) -> page_schemas.PlayerStanding:
    decimals = line.list.decimals
    return page_schemas.PlayerStanding(
        list=line.list.slug,
        rank=rank_of(line, timezone.localdate()),
        rating=rounded(line.rating, decimals),
        grade=line.grade if line.list.has_grades else "",
        category=line.category,
        games=line.games,
        change=rounded(line.last_change, decimals),
        last_played=line.last_played,
    )


@router.get("/{public_id}/standings", response=list[page_schemas.PlayerPast], summary="One player as of a date")
def standings(request: HttpRequest, public_id: str, day: Query[OnDay]) -> list[page_schemas.PlayerPast]:
    """Return the player's ratings at the end of a day, as computed today."""
    the_player = get_player(public_id)
    lists = [line.list for line in public_standings(the_player)]
    return [
        page_schemas.PlayerPast(
            list=last.list.slug,
            rating=rounded(last.after, last.list.decimals),
            grade=last.grade if last.list.has_grades else "",
            since=last.day,
        )
        for last in public_api.last_changes(the_player, lists, day.on)
    ]


def list_of(player: Player, slug: str) -> RatingList:
    """Return the requested list, or by default the first that shows the player; raise Http404 if there is none."""
    lists: list[RatingList] = [line.list for line in public_standings(player) if slug in ("", line.list.slug)]
    if not lists:
        raise Http404(f"{player.public_id} is on no such list.")
    return lists[0]


@router.get("/{public_id}/changes", response=Page[schemas.Change], summary="One player's changes, newest first")
def changes(
    request: HttpRequest, response: HttpResponse, public_id: str, on_list: Query[OnList], paging: Query[Paging]
) -> Page[schemas.Change]:
    """Return the changes on the requested list, or by default on the first list that shows the player."""
    the_player = get_player(public_id)
    the_list = list_of(the_player, on_list.list)
    rows = public_api.public_changes(the_list).filter(player=the_player)
    return paginate(
        request, response, paging, rows, NEWEST, lambda changes: [serializers.change(row, the_list) for row in changes]
    )


@router.get("/{public_id}/games", response=Page[schemas.Game], summary="One player's games, newest first")
def games(
    request: HttpRequest, response: HttpResponse, public_id: str, on_list: Query[OnList], paging: Query[Paging]
) -> Page[schemas.Game]:
    """Return the games of accepted events; with `list`, the games rated on it, with its ratings."""
    the_player = get_player(public_id)
    the_list = get_list(on_list.list) if on_list.list else None
    find = partial(public_api.games_of, the_player, the_list, paging.size)
    keys = public_api.NEWEST_GAMES
    return paginate_with(request, response, paging, find, keys, lambda games: with_ratings(games, the_list))


def with_ratings(games: list[models.Game], the_list: RatingList | None) -> list[schemas.Game]:
    if the_list is None:
        return serializers.games(games, {}, 0)
    return serializers.games(games, public_api.ratings_before(the_list, games), the_list.decimals)
