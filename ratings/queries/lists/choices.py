"""What the filters of a list offer, kept for some minutes: looked for anew it costs more than a page."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.models import RatingList, Shown, Standing

from .kept import kept_alone
from .lists import clubs_of, countries_of

MOST_CLUBS = 150  # more are asked for by name: two thousand choices would be most of the page
KEPT_SECONDS = 300  # countries and clubs of players are not in the list's revision


@dataclass(frozen=True)
class Choices:
    """Codes of countries, clubs by public id and name (None: too many), whether anybody lets his age be known."""

    countries: list[str]
    clubs: list[tuple[str, str]] | None
    ages: bool


def choices_of(rating_list: RatingList) -> Choices:
    def read() -> Choices:
        shown = Standing.objects.filter(list=rating_list, published=True)
        ages = shown.filter(player__birth_public=True, player__shown=Shown.FULL).exists()
        clubs = list(clubs_of(rating_list).values_list("public_id", "name")[: MOST_CLUBS + 1])
        return Choices(countries_of(rating_list), clubs if len(clubs) <= MOST_CLUBS else None, ages)

    found: Choices = kept_alone(rating_list, "choices", "", read, KEPT_SECONDS)
    return found
