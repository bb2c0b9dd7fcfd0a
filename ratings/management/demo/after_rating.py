"""Demo data that follows the rating of a list: dated lists, and a late table with its corrections."""

from __future__ import annotations

import datetime as dt
from itertools import starmap

from ratings.domain.events.tables import NewEntry, NumberedGame, save_event, save_table
from ratings.domain.lists.publishing import publish
from ratings.domain.runs.rerating import rerate
from ratings.models import DatedList, Event, RatingList, Table
from ratings.queries.lists.lists import published_standings

YEARS = 1
GAMES = [(1, 1, 2, 0.0), (1, 3, 4, 1.0), (2, 1, 3, 0.5), (2, 2, 4, 1.0), (3, 1, 4, 1.0), (3, 2, 3, 0.0)]


def publish_past(today: dt.date) -> None:
    """Publish the lists of 1 January and 1 July, as they were on these days."""
    days = [dt.date(year, month, 1) for year in range(today.year - YEARS, today.year + 1) for month in (1, 7)]
    for day in days:
        for rating_list in RatingList.objects.filter(comparison_to=None):
            if day < today and rating_list.rated_tables.filter(day__lt=day).exists():
                publish(DatedList(list=rating_list, day=day))
        rate_all()  # with the grades that publishing announced


def rate_all() -> None:
    for rating_list in RatingList.objects.order_by("pk"):
        rerate(rating_list.pk)


def add_late_event(rating_list: RatingList, today: dt.date) -> None:
    """Add a past event of four strong players now, so that ratings of their later opponents are corrected."""
    day = today - dt.timedelta(days=300)
    players = [standing.player for standing in published_standings(rating_list, today)[:4]]
    event = Event(
        name=f"Masters' Evening {day.year}", start=day, end=day, time_control="10min", state=Event.State.ACCEPTED
    )
    save_event(event, [rating_list])
    seats = [NewEntry(player, number) for number, player in enumerate(players, 1)]
    save_table(Table(event=event, first_day=day, last_day=day), seats, list(starmap(NumberedGame, GAMES)))
    rate_all()
