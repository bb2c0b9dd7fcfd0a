"""Demo data that follows the rating of a list: announced grades, dated lists, and a late table with corrections."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from itertools import starmap

from django.utils import timezone

from ratings.domain.events.tables import NewEntry, NumberedGame, save_event, save_table
from ratings.domain.grades.announcing import announce_due_grades
from ratings.domain.lists.publishing import publish
from ratings.domain.runs.rerating import rerate
from ratings.models import Club, DatedList, Event, Player, RatingList, RecordedStep, Table
from ratings.systems.values import Ruling

from .people import draw_public_id
from .times import backdate, evening

YEARS = 1
GAMES = [(1, 1, 2, 0.0), (1, 3, 4, 1.0), (2, 1, 3, 0.5), (2, 2, 4, 1.0), (3, 1, 4, 1.0), (3, 2, 3, 0.0)]
LATE = dt.timedelta(days=300)
"""How long ago the event was whose results come late."""


def announce_past_grades() -> int:
    """Announce all grades whose term is over, each dated when its term ended; return their number."""
    count = announce_due_grades()
    for rating_list in RatingList.objects.order_by("pk"):
        term = dt.timedelta(days=rating_list.announce_after or 0)
        decisions = rating_list.decisions.filter(ruling=Ruling.KEPT)
        for day in set(decisions.values_list("date", flat=True)):
            backdate(decisions.filter(date=day), min(day + term, timezone.now().date()), "made_at")
        announced = rating_list.recorded_steps.filter(what=RecordedStep.What.GRADE_ANNOUNCED)
        for earned in set(announced.values_list("values__day", flat=True)):
            day = dt.date.fromisoformat(earned) + term
            backdate(announced.filter(values__day=earned), min(day, timezone.now().date()), "at")
    return count


def publish_past(today: dt.date) -> None:
    """Publish the lists of 1 January and 1 July, on the days after them, and have the next ones published on time."""
    days = [dt.date(year, month, 1) for year in range(today.year - YEARS, today.year + 1) for month in (1, 7)]
    for day in days:
        for rating_list in RatingList.objects.filter(comparison_to=None):
            if day < today and rating_list.rated_tables.filter(day__lt=day).exists():
                at = min(evening(day + dt.timedelta(days=1)), timezone.now())
                publish(DatedList(list=rating_list, day=day), at=at)
        rate_all()  # with the grades that publishing announced
    published = RatingList.objects.filter(dated__isnull=False).distinct().values_list("pk", flat=True)
    RatingList.objects.filter(pk__in=list(published)).update(publish_on="01-01 07-01", publish_from=today)


def rate_all() -> None:
    for rating_list in RatingList.objects.order_by("pk"):
        rerate(rating_list.pk)


def add_late_event(rating_list: RatingList, today: dt.date) -> None:
    """Add a past event of four strong players now, so that ratings of their later opponents are corrected."""
    day = today - LATE
    day -= dt.timedelta(days=(day.weekday() - 2) % 7)  # a Wednesday, on which nobody plays elsewhere
    players = _strongest(rating_list, day)
    home = Counter(str(player.country) for player in players)
    host = max(
        Club.objects.filter(events__lists=rating_list).distinct().order_by("pk"), key=lambda c: home[str(c.country)]
    )
    event = Event(
        public_id=draw_public_id(random.Random(rating_list.slug)),
        name=f"{host.city} Masters' Evening {day.year}",
        start=day,
        end=day,
        place=host.city,
        country=host.country,
        club=host,
        organiser=host.name,
        time_control="20min + 30sec",
        state=Event.State.ACCEPTED,
    )
    save_event(event, [rating_list])
    seats = [NewEntry(player, number) for number, player in enumerate(players, 1)]
    save_table(Table(event=event, first_day=day, last_day=day), seats, list(starmap(NumberedGame, GAMES)))
    rate_all()


def _strongest(rating_list: RatingList, day: dt.date) -> list[Player]:
    """Return four strong players who were rated on a day and have played since then, from one country if possible."""
    rated = rating_list.changes.filter(day__lt=day, after__isnull=False).values("player")
    standings = rating_list.standings.filter(published=True, last_played__gt=day, player__in=rated)
    strongest = [standing.player for standing in standings.select_related("player").order_by("-rating", "player")[:24]]
    countries = Counter(str(player.country) for player in strongest)
    return sorted(strongest, key=lambda player: -min(4, countries[str(player.country)]))[:4]
