"""Filter choices of a list."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter

from ratings.models import NameVisibility, RatingList, Standing
from ratings.queries.site.page_generation import get_page_generation

from .list_cache import cached
from .lists import clubs_of, countries_of

MAX_CLUBS = 150  # more are chosen by typing a name: two thousand choices would be most of the page
CACHE_SECONDS = 300  # limits the age where processes share no cache, so that a purge reaches one of them only


@dataclass(frozen=True)
class Choices:
    """The filter choices of a list: country codes, and clubs by public id and name (None: too many).

    `ages` is True if the age of at least one player is public.
    """

    countries: list[str]
    clubs: list[tuple[str, str]] | None
    ages: bool


CHOICES = TypeAdapter(Choices)


def choices_of(rating_list: RatingList) -> Choices:
    """Return the filter choices of a list.

    They are cached also under the generation of the cached pages, which ends when a player, club or membership is
    edited: countries and clubs change without a new version of the list.
    """

    def read_choices() -> Choices:
        published = Standing.objects.filter(list=rating_list, published=True)
        ages = published.filter(player__birth_public=True, player__shown=NameVisibility.FULL).exists()
        clubs = list(clubs_of(rating_list).values_list("public_id", "name")[: MAX_CLUBS + 1])
        return Choices(countries_of(rating_list), clubs if len(clubs) <= MAX_CLUBS else None, ages)

    return cached(rating_list, "choices", read_choices, CHOICES, detail=get_page_generation(), seconds=CACHE_SECONDS)
