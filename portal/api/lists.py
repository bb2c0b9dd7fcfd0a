"""API endpoints of rating lists: current standings, ratings on past days, changes and promotions."""

from __future__ import annotations

import datetime as dt

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from ratings import models
from ratings.models import NameVisibility, RatingList
from ratings.queries.lists.deviations import set_deviations, with_deviation_states
from ratings.queries.lists.keyset import Position, Slice, slice_of
from ratings.queries.lists.lists import public_lists, published_standings, with_clubs
from ratings.queries.lists.ranks import Ranks, ranks_of
from ratings.queries.site import public_api

from . import page_schemas, schemas, serializers
from .paging import Paging, paginate, paginate_with, rounded
from .schemas import Day, Page

router = Router(tags=["Lists"])
BY_RATING = ("-rating", "player__public_id")
BY_PLAYER = ("player__public_id",)
IN_ORDER = ("day", "place", "player__public_id")


def get_list(slug: str) -> RatingList:
    rating_list = public_lists().filter(slug=slug).first()
    if rating_list is None:
        raise Http404(f"There is no list “{slug}”: see /api/v1/lists.")
    return rating_list


def serialize_list(one: RatingList) -> page_schemas.RatingList:
    system = one.rating_system
    return page_schemas.RatingList(
        slug=one.slug,
        name=one.name,
        federation=one.federation.name,
        system=one.system,
        system_name=system.name,
        comparison_to=one.comparison_to.slug if one.comparison_to else None,
        decimals=system.presentation.decimals,
        grades=list(system.grading.grades) if one.has_grades else [],
        out_of_date_from=one.out_of_date_from,
        url=serializers.url_of(one),
    )


@router.get("", response=list[page_schemas.RatingList], summary="All rating lists")
def lists(request: HttpRequest) -> list[page_schemas.RatingList]:
    return [serialize_list(rating_list) for rating_list in public_lists().order_by("pk")]


@router.get("/{slug}", response=page_schemas.RatingList, summary="One rating list")
def one_list(request: HttpRequest, slug: str) -> page_schemas.RatingList:
    return serialize_list(get_list(slug))


class StandingFilters(Schema):
    country: str = Field("", pattern="^([A-Z]{2})?$", description="Only players of this country")
    club: str = Field(
        "", max_length=12, pattern="^[A-Za-z0-9]*$", description="Only current members of the club with this id"
    )
    grade: str = Field("", max_length=10, pattern=r"^[^\x00]*$", description="Only players with this grade")
    active: bool = Field(True, description="False: include inactive players")


@router.get("/{slug}/standings", response=Page[schemas.Standing], summary="The current list")
def standings(
    request: HttpRequest, response: HttpResponse, slug: str, filters: Query[StandingFilters], paging: Query[Paging]
) -> Page[schemas.Standing]:
    """Return players, highest rating first. Equal ratings share a rank. Filters do not change the ranks."""
    the_list = get_list(slug)
    today = timezone.localdate()
    active_on = today if filters.active else None
    lines, ranks = published_standings(the_list, active_on).order_by(), ranks_of(the_list, active_on)
    if filters.country:
        lines = lines.filter(player__country=filters.country)
    if filters.grade:
        lines = lines.filter(grade=filters.grade)
    if filters.club:
        members = models.Membership.objects.filter(club__public_id=filters.club, end__isnull=True)
        lines = lines.filter(player__in=members.values("player")).exclude(player__shown=NameVisibility.ANONYMOUS)
    return paginate(
        request,
        response,
        paging,
        with_clubs(with_deviation_states(lines, the_list)),
        BY_RATING,
        lambda rows: [serialize_standing(row, the_list, ranks) for row in set_deviations(rows, the_list, today)],
    )


def serialize_standing(line: models.Standing, the_list: RatingList, ranks: Ranks) -> schemas.Standing:
    decimals = the_list.decimals
    return schemas.Standing(
        rank=ranks.rank(line.rating or 0),
        player=serializers.player_ref(line.player),
        club=serializers.club_of(line.player),
        grade=line.grade if the_list.has_grades else "",
        rating=rounded(line.rating, decimals),
        deviation=rounded(line.deviation, decimals),  # type: ignore[attr-defined] # set by `set_deviations`
        category=line.category,
        games=line.games,
        change=rounded(line.last_change, decimals),
        last_played=line.last_played,
    )


class OnDay(Schema):
    on: Day = Field(description="The end of this day", examples=["2024-06-01"])


@router.get("/{slug}/ratings", response=Page[schemas.PastRating], summary="All ratings as of a date")
def ratings(
    request: HttpRequest, response: HttpResponse, slug: str, day: Query[OnDay], paging: Query[Paging]
) -> Page[schemas.PastRating]:
    """Return all ratings as of a date, in the order of the players' ids.

    They are computed with today's results, corrections included. What was published on a day is a dated list.
    """
    the_list = get_list(slug)
    decimals = the_list.decimals

    def past(lines: list[models.Standing]) -> list[schemas.PastRating]:
        set_deviations(lines, the_list, day.on)
        last = {line.pk: line.last for line in lines}  # type: ignore[attr-defined] # annotated by the query
        changes = public_api.changes_by_id(last.values())
        return [
            schemas.PastRating(
                player=serializers.player_ref(line.player),
                rating=rounded(changes[last[line.pk]].after, decimals),
                deviation=rounded(line.deviation, decimals),  # type: ignore[attr-defined] # set by `set_deviations`
                grade=changes[last[line.pk]].grade if the_list.has_grades else "",
                since=changes[last[line.pk]].day,
            )
            for line in lines
        ]

    lines = with_deviation_states(public_api.past_ratings(the_list, day.on), the_list, until=day.on)
    return paginate(request, response, paging, lines, BY_PLAYER, past)


class Since(Schema):
    since: Day | None = Field(None, description="From this day on")

    @property
    def day(self) -> dt.date:
        return self.since or dt.date.min


@router.get("/{slug}/changes", response=Page[schemas.Change], summary="Changes of ratings since a day")
def changes(
    request: HttpRequest, response: HttpResponse, slug: str, since: Query[Since], paging: Query[Paging]
) -> Page[schemas.Change]:
    """Return every rating change by the day of its event, oldest first.

    A rating run may replace past changes. “/runs” says from which day on to read them again.
    """
    the_list = get_list(slug)
    rows = public_api.public_changes(the_list).filter(day__gte=since.day)

    def find(position: Position | None, *, backwards: bool) -> Slice[models.Change]:
        # an opening list has thousands of changes on one day
        return slice_of(rows, IN_ORDER, paging.size, position, backwards=backwards, own_keys=2)

    return paginate_with(
        request,
        response,
        paging,
        find,
        IN_ORDER,
        lambda changes: [serializers.change(row, the_list) for row in changes],
    )


@router.get("/{slug}/promotions", response=Page[schemas.Promotion], summary="Grades won, newest first")
def promotions(
    request: HttpRequest, response: HttpResponse, slug: str, since: Query[Since], paging: Query[Paging]
) -> Page[schemas.Promotion]:
    """Return the last grade that each player won at each event, without grades that wait for approval."""
    the_list = get_list(slug)
    rows = public_api.public_promotions(the_list).filter(day__gte=since.day)
    return paginate(
        request,
        response,
        paging,
        rows,
        ("-day", "-place", "-pk"),
        lambda promotions: [serializers.promotion(row, the_list) for row in promotions],
    )
