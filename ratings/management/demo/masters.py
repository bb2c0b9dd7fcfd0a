"""Masters' events of the shogi federation, in each of which an invited player earns a grade that needs approval."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING

from ratings.domain.events.tables import NewEntry, NumberedGame, save_event, save_table
from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Club, Event, Membership, Player, Table
from ratings.models.messages import RecordReason

from .calendar import last_sunday
from .people import Person

if TYPE_CHECKING:
    from .federation import Federation

WEEKS_AGO = {"ja_JP": 150, "uk_UA": 95, "fr_FR": 2}
"""How many weeks ago the invited players won their events, by the locales of their names."""
OPPONENTS = 5
JUST_BELOW = {"rating": 2438, "games": 160, "bonus_games": 100, "grade": "4 Dan"}
"""State of an invited player before the event: a rating just below the limit of 5 Dan."""


def masters_days(today: dt.date) -> list[dt.date]:
    """Return the last days of the masters' events; no other event is on these weekends."""
    return [last_sunday(today - dt.timedelta(weeks=weeks)) for weeks in WEEKS_AGO.values()]


def add_masters(federation: Federation, people: list[Person], clubs: list[Club]) -> None:
    """Save the masters' events, where an invited player wins all games against the strongest players of the day."""
    for locale, day in zip(WEEKS_AGO, masters_days(federation.today), strict=True):
        winner = federation.registry.player(locale, (1975, 1998))
        winner.save()
        club = next((club for club in clubs if club.country == winner.country), None)
        if club is not None:
            Membership.objects.create(player=winner, club=club, start=dt.date(day.year - 3, 9, 1))
        _save_start(federation, winner, day)
        active = sorted((p for p in people if p.plays_on(day)), key=lambda person: -person.strength_in(day.year))
        others = [person.player for person in active[:OPPONENTS]]
        home = Counter(str(player.country) for player in others)
        host = max(clubs, key=lambda club: home[str(club.country)])
        event = federation.new_event(host, day, ("Masters",), two_days=True)
        event.state = Event.State.ACCEPTED
        save_event(event, federation.rated_on)
        table = Table(event=event, first_day=event.start, last_day=event.end)
        entries = [NewEntry(player, number) for number, player in enumerate([winner, *others], 1)]
        save_table(table, entries, play_all(len(entries)))


def _save_start(federation: Federation, player: Player, day: dt.date) -> None:
    """Save the rating that an invited player brings from another list."""
    start = day - dt.timedelta(days=10)
    for rating_list in federation.rated_on:
        reason = RecordReason.CARRIED_OVER(year=start.year)
        save_adjustment(Adjustment(list=rating_list, player=player, date=start, set=JUST_BELOW, reason=reason))


def play_all(count: int) -> list[NumberedGame]:
    """Return the games of a table in which everybody plays everybody (of an even number), and lower numbers win."""
    circle = list(range(1, count + 1))
    games = []
    for round_ in range(1, count):
        pairs = zip(circle[: count // 2], reversed(circle[count // 2 :]), strict=True)
        games += [NumberedGame(round_, min(pair), max(pair), 1.0) for pair in pairs]
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return games
