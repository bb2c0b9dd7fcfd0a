"""Players as the public may see them, and what became of their ratings."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.models import Player, RatingList
from ratings.queries import open_data
from ratings.queries.players import public_standings, with_present_club

from . import schemas, schemas_more, shown
from .lists import OnDay, list_called
from .paging import Paging, page_found, page_of, rounded
from .problems import called
from .schemas import Page

router = Router(tags=["Players"])
NEWEST = ("-day", "-place", "player__public_id")


class MergedError(Exception):
    """The player is another one's record now, under whose id everything is found."""

    def __init__(self, asked: str, into: str) -> None:
        super().__init__(asked, into)
        self.asked, self.into = asked, into


def player_called(public_id: str) -> Player:
    several = with_present_club(Player.objects.select_related("merged_into"))
    found = called(several, public_id, f"There is no player {public_id}.")
    if found.merged_into is not None:
        raise MergedError(public_id, found.merged_into.public_id)
    return found


class Search(Schema):
    q: str = Field("", max_length=100, pattern=r"^[^\x00]*$", description="Any parts of a name, or an id")


class OnList(Schema):
    list: str = Field("", max_length=50, pattern="^[-A-Za-z0-9_]*$", description="Slug of a list")


@router.get("", response=Page[schemas.PlayerRef], summary="Players by name")
def players(
    request: HttpRequest, response: HttpResponse, search: Query[Search], paging: Query[Paging]
) -> Page[schemas.PlayerRef]:
    """In the order of their ids. Who is not shown by his full name is not found by it."""
    return page_of(
        request, response, paging, open_data.public_players(search.q), ("public_id",),
        lambda rows: [shown.player_ref(row) for row in rows],
    )  # fmt: skip


@router.get("/{public_id}", response=schemas_more.Player, summary="One player")
def player(request: HttpRequest, public_id: str) -> schemas_more.Player:
    found = player_called(public_id)
    standings = [standing(line) for line in public_standings(found) if line.published]
    ref = shown.player_ref(found).model_dump()
    return schemas_more.Player(
        **ref, native_name=found.public_native, club=shown.club_of(found), standings=standings
    )  # fmt: skip


def standing(line: models.Standing) -> schemas_more.PlayerStanding:
    decimals = line.list.rating_system.decimals
    return schemas_more.PlayerStanding(
        list=line.list.slug, rating=rounded(line.rating, decimals), grade=line.grade if line.list.graded else "",
        category=line.category, games=line.games, change=rounded(line.last_change, decimals),
        last_played=line.last_played,
    )  # fmt: skip


@router.get("/{public_id}/standings", response=list[schemas_more.PlayerPast], summary="One player as of a date")
def standings(request: HttpRequest, public_id: str, day: Query[OnDay]) -> list[schemas_more.PlayerPast]:
    """His ratings at the end of a day, as they are computed today."""
    found = player_called(public_id)
    lists = [line.list for line in public_standings(found)]
    return [
        schemas_more.PlayerPast(
            list=last.list.slug, rating=rounded(last.after, last.list.rating_system.decimals),
            grade=last.grade if last.list.graded else "", since=last.day,
        )
        for last in open_data.last_changes(found, lists, day.on)
    ]  # fmt: skip


def list_of(player: Player, slug: str) -> RatingList:
    """The list asked for, else the first that shows him."""
    lists: list[RatingList] = [line.list for line in public_standings(player) if slug in ("", line.list.slug)]
    if not lists:
        raise Http404(f"{player.public_id} is on no such list.")
    return lists[0]


@router.get("/{public_id}/changes", response=Page[schemas.Change], summary="One player's changes, newest first")
def changes(
    request: HttpRequest, response: HttpResponse, public_id: str, on_list: Query[OnList], paging: Query[Paging]
) -> Page[schemas.Change]:
    """On the list asked for, else on the first that shows him."""
    found = player_called(public_id)
    the_list = list_of(found, on_list.list)
    rows = open_data.public_changes(the_list).filter(player=found)
    return page_of(
        request, response, paging, rows, NEWEST, lambda several: [shown.change(row, the_list) for row in several]
    )


@router.get("/{public_id}/games", response=Page[schemas.Game], summary="One player's games, newest first")
def games(
    request: HttpRequest, response: HttpResponse, public_id: str, on_list: Query[OnList], paging: Query[Paging]
) -> Page[schemas.Game]:
    """All of accepted events; with a list those rated on it, and its ratings."""
    found = player_called(public_id)
    the_list = list_called(on_list.list) if on_list.list else None
    find = partial(open_data.games_of, found, the_list, paging.size)
    keys = open_data.NEWEST_GAMES
    return page_found(request, response, paging, find, keys, lambda several: with_ratings(several, the_list))


def with_ratings(games: list[models.Game], the_list: RatingList | None) -> list[schemas.Game]:
    if the_list is None:
        return shown.games(games, {}, 0)
    return shown.games(games, open_data.ratings_before(the_list, games), the_list.rating_system.decimals)
