"""Promotions by month and by year, for the pages of promotions and grades."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet

from portal.grades.filters import DAN
from ratings.models import Award, RatingList
from ratings.queries.grades.awards import count_by_month
from ratings.queries.lists.lists import promotions_by_year


class Month(NamedTuple):
    """Promotions of a month that stand on one page, and the number of all that match the filters."""

    first_day: dt.date
    number: int
    awards: list[Award]


class YearOfPromotions(NamedTuple):
    """Number of promotions in a year, of all and to each grade, highest grade first."""

    year: int
    total: int
    grades: list[tuple[str, int]]

    @property
    def dan(self) -> int:
        """Number of promotions to a Dan grade."""
        return sum(number for grade, number in self.grades if grade.endswith(DAN))


def count_years(rating_list: RatingList) -> list[YearOfPromotions]:
    """Return the promotions of each year, latest year first."""
    order = list(reversed(rating_list.rating_system.grading.grades))
    return [
        YearOfPromotions(year, sum(numbers.values()), [(grade, numbers[grade]) for grade in order if grade in numbers])
        for year, numbers in promotions_by_year(rating_list).items()
    ]


def group_by_month(rating_list: RatingList, page: Iterable[Award], matching: QuerySet[Award]) -> list[Month]:
    """Return the promotions of a page by month, latest day and then highest grade first.

    `matching` are all promotions that match the filters; they are counted by month.
    """
    order = {grade: index for index, grade in enumerate(rating_list.rating_system.grading.grades)}
    awards = sorted(page, key=lambda award: (award.day, order.get(award.grade, -1)), reverse=True)
    if not awards:
        return []
    numbers = count_by_month(matching, awards[-1].day, awards[0].day)
    by_month = groupby(awards, key=lambda award: award.day.replace(day=1))
    return [Month(first_day, numbers[first_day], list(month)) for first_day, month in by_month]
