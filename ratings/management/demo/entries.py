"""Demo entries for the announced event of the demo's organiser: entered players, a waiting list, one to confirm."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from ratings.domain.events.entering import ask_to_enter, enter_player
from ratings.models import EntryList, Event, EventEntry, RatingList

PLACES, PLAYERS = 12, 14
BEFORE = dt.timedelta(days=3)
"""How long before the first day entries close, at noon."""
STEP = 7
"""Every how many players of the list somebody enters, so that the field is mixed."""


def enter_players(event: Event, rating_list: RatingList) -> None:
    """Open the entries of an event and enter players of its list; the last ones wait for a place."""
    noon = dt.time(12, tzinfo=dt.UTC)
    EntryList.objects.create(event=event, limit=PLACES, closes_at=dt.datetime.combine(event.start - BEFORE, noon))
    standings = rating_list.standings.filter(published=True, player__shown="full", player__erased_at=None)
    players = [standing.player for standing in standings.select_related("player").order_by("-last_played", "player")]
    for player in players[::STEP][:PLAYERS]:
        enter_player(event, player)
    ask_to_enter(
        EventEntry(
            event=event,
            family_name="Vandenbroucke",
            given_name="Josephine",
            country="BE",
            email="josephine@example.org",
            message="It will be my first tournament.",
        )
    )
    EventEntry.objects.filter(event=event).update(entered_at=timezone.now() - dt.timedelta(days=1))
