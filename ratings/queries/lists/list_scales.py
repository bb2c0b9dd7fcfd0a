"""Scales of rating lists, for reading files of other federations."""

from __future__ import annotations

from ratings.formats.list_import import ListScale
from ratings.models import RatingList

from .fide_lines import chapter_of


def scale_of(rating_list: RatingList) -> ListScale:
    """Return which ratings of a file a list takes, and on which scale."""
    gor_of_zero = rating_list.rating_system.presentation.gor_of_zero
    chapter = chapter_of(rating_list)
    return ListScale(chapter, gor_of_zero) if chapter else ListScale(gor_of_zero=gor_of_zero)
