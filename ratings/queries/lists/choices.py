"""Filter choices of a list."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, IntegerField, Max, Q
from django.db.models.functions import Coalesce, ExtractYear
from django.utils import timezone
from pydantic import TypeAdapter

from ratings.models import Gender, NameVisibility, RatingList
from ratings.queries.site.page_generation import get_page_generation

from .activity import active_standings
from .list_cache import cached
from .list_countries import countries_of
from .lists import clubs_of, published_standings

MAX_CLUBS = 150  # more are chosen by typing a name: two thousand choices would be most of the page
CACHE_SECONDS = 300  # limits the age where processes share no cache, so that a purge reaches one of them only


@dataclass(frozen=True)
class PublicGroups:
    """Latest public birth year among the players of a list (None: there is none), and whether women are listed."""

    youngest: int | None
    women: bool

    def has_age(self, year: int, oldest: int) -> bool:
        """Return True if a player whose birth year is public turns at most `oldest` years old in a year."""
        return self.youngest is not None and self.youngest >= year - oldest


@dataclass(frozen=True)
class Choices:
    """The filter choices of a list: country codes, clubs by public id and name (None: too many), and groups.

    `active_groups` are those of the active players only.
    """

    countries: list[str]
    clubs: list[tuple[str, str]] | None
    groups: PublicGroups
    active_groups: PublicGroups


CHOICES = TypeAdapter(Choices)


def birth_year(to_player: str) -> Coalesce:
    """Return the expression of a player's birth year; `to_player` is the way to the player, such as `player__`."""
    of_date = ExtractYear(f"{to_player}birth_date")
    return Coalesce(of_date, F(f"{to_player}birth_year"), output_field=IntegerField())


def public_birth_year(to_player: str) -> Q:
    """Return the condition that a player's birth year may be used by the filters of a list."""
    return Q(**{f"{to_player}birth_public": True, f"{to_player}shown": NameVisibility.FULL})


def public_woman(to_player: str) -> Q:
    """Return the condition that a player is a woman and makes this public."""
    gender = {"gender_public": True, "gender": Gender.FEMALE, "shown": NameVisibility.FULL}
    return Q(**{f"{to_player}{field}": value for field, value in gender.items()})


def choices_of(rating_list: RatingList) -> Choices:
    """Return the filter choices of a list.

    They are cached also under the generation of the cached pages, which ends when a player, club or membership is
    edited: countries and clubs change without a new version of the list.
    """

    def read_choices() -> Choices:
        clubs = list(clubs_of(rating_list).values_list("public_id", "name")[: MAX_CLUBS + 1])
        groups = _read_groups(rating_list)
        return Choices(countries_of(rating_list), clubs if len(clubs) <= MAX_CLUBS else None, *groups)

    return cached(rating_list, "choices", read_choices, CHOICES, detail=get_page_generation(), seconds=CACHE_SECONDS)


def _read_groups(rating_list: RatingList) -> tuple[PublicGroups, PublicGroups]:
    """Return the groups of all players of a list, and of the active ones."""
    listed = published_standings(rating_list, None).order_by()
    active, year = active_standings(rating_list, timezone.now().date()), birth_year("player__")
    born = listed.filter(public_birth_year("player__")).aggregate(all=Max(year), active=Max(year, filter=active))
    women = {"all": 0, "active": 0}
    if rating_list.federation.records_gender:
        count = {"all": Count("pk"), "active": Count("pk", filter=active)}
        women = listed.filter(public_woman("player__")).aggregate(**count)
    return PublicGroups(born["all"], women["all"] > 0), PublicGroups(born["active"], women["active"] > 0)
