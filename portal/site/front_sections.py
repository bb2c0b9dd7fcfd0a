"""Sections of front pages about several lists, each with its list: rising players, countries, the latest result."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString

from portal.events.highlights import describe_upset_of_year
from portal.events.stories import render_story
from portal.lists.sparkline import draw_sparkline
from portal.templatetags.portal_format import displayed_change, sorted_countries
from ratings.models import Event, RatingList
from ratings.queries.events.crosstables import rated_tables
from ratings.queries.events.table_facts import read_biggest_upset
from ratings.queries.lists.choices import choices_of
from ratings.queries.lists.period_changes import Cause, read_period_causes
from ratings.queries.lists.recent_changes import YEAR, read_points_of_year
from ratings.queries.lists.rises import PERIOD, Rise, read_rises_of_lists
from ratings.queries.players.countries import statistics_of_lists


class RisingPlayers(NamedTuple):
    """Players who rose most on a list, each with the curve of the last year, and what explains their changes."""

    rating_list: RatingList
    rises: Sequence[tuple[Rise, str]]
    causes: Mapping[int, Cause]


def read_rising_players(lists: Sequence[RatingList], today: dt.date, number: int) -> list[RisingPlayers]:
    """Return the players who rose most of late on each list; a list without any is left out."""
    found = []
    for rating_list, rises in read_rises_of_lists(lists, today, number):
        if not rises:
            continue
        players, start = [rise.player.pk for rise in rises], today - PERIOD - dt.timedelta(days=1)
        points = read_points_of_year(rating_list, players, today)
        curves = [(rise, draw_sparkline(points.get(rise.player.pk, ()), today)) for rise in rises]
        found.append(RisingPlayers(rating_list, curves, read_period_causes(rating_list, players, start, today)))
    return found


class CountriesOfList(NamedTuple):
    """A list and its countries: name, code and number of active players of each, most players first."""

    rating_list: RatingList
    countries: Sequence[tuple[str, str, int]]


def read_countries(lists: Sequence[RatingList]) -> list[CountriesOfList]:
    """Return the countries of each list that has several of them.

    The numbers of players are those of the stored statistics, 0 before there are any.
    """
    found = []
    for rating_list, figures in statistics_of_lists(lists):
        active = {line["country"]: line["active"] for line in (figures or {}).get("countries", [])}
        countries = sorted_countries(choices_of(rating_list).countries)
        lines = sorted(((name, code, active.get(code, 0)) for name, code in countries), key=lambda line: -line[2])
        if len(lines) > 1:
            found.append(CountriesOfList(rating_list, lines))
    return found


class Story(NamedTuple):
    """The latest event with its podium and its highlights on a list, as HTML."""

    event: Event
    rating_list: RatingList
    text: SafeString


def build_latest_story(event: Event, lists: Sequence[RatingList]) -> Story | None:
    """Return the story of an event on the first of these lists that it has; None without places and highlights."""
    own = {rating_list.pk for rating_list in event.lists.all()}
    rating_list = next((each for each in lists if each.pk in own), None)
    if rating_list is None:
        return None
    text = render_story(event, rating_list, rated_tables(event, rating_list))
    return Story(event, rating_list, text) if text.strip() else None


def find_upset_of_year(lists: Sequence[RatingList], today: dt.date) -> dict[str, Any] | None:
    """Return the sentence about the biggest upset of the last year on these lists, and the winner's change."""
    upsets = [(read_biggest_upset(rating_list, today - YEAR), rating_list) for rating_list in lists]
    found = [(upset, rating_list) for upset, rating_list in upsets if upset is not None]
    if not found:
        return None
    upset, rating_list = max(found, key=lambda each: each[0].chance)
    change = upset.winner
    address = reverse("explanation", args=[rating_list.slug, change.table_id, change.player.public_id])
    sentence = describe_upset_of_year(upset, rating_list)
    return {
        "sentence": sentence,
        "change": displayed_change(change, rating_list),
        "why": address,
        "rating_list": rating_list,
    }
