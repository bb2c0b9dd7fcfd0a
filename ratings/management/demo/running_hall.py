"""A demo event of today in the hall: two rounds are complete, in the third one board is open and one is a question."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from ratings.domain.results.hall.halls import add_people, start_hall
from ratings.domain.results.hall.links import join_by_link, make_link
from ratings.domain.results.hall.pairing import save_typed_pairings
from ratings.domain.results.hall.provisional import save_provisional_ratings
from ratings.domain.results.hall.recording import Device, Tap, record_tap
from ratings.domain.results.submitting import announce_event
from ratings.domain.site.acting import act_as
from ratings.models import EntryList, Event, EventEntry, Hall, HallResult, RatingList
from ratings.queries.events.entry_templates import read_entered_rows
from ratings.queries.results.halls import Person

from .events_in_progress import Plan, backdate_event, make_event, nearby_players
from .times import backdate

SCHEDULE = "18:30 registration\n19:00 round 1\n19:40 round 2\n20:20 round 3\n21:00 round 4\n21:40 round 5"
PLAN = Plan("Evening Cup", 0, -21, -2, {"schedule": SCHEDULE, "start_time": dt.time(19)})
NUMBER, PLAYERS, ROUNDS = 3, 6, 5
PAIRINGS = {1: "1-4\n2-5\n3-6", 2: "1-2\n3-4\n5-6", 3: "1-3\n2-6\n4-5"}
TIM, EVA = "Tim", "Eva"
RESULTS = [
    (1, 1, TIM, "first"), (1, 2, TIM, "first"), (1, 3, EVA, "draw"),
    (2, 1, TIM, "first"), (2, 2, EVA, "second"), (2, 3, EVA, "first"),
    (3, 1, TIM, "first"), (3, 3, TIM, "first"), (3, 3, EVA, "second"),
]  # fmt: skip
"""(round, board, helper, result): of the third round the second board is open, and the helpers differ on the third."""


def create_hall(organiser: User, today: dt.date) -> Hall:
    """Create the event of today on the first list, with its hall, by the demo's organiser."""
    rating_list = RatingList.objects.filter(comparison_to=None).order_by("pk")[0]
    event = make_event(PLAN, NUMBER, today, organiser, rating_list)
    with act_as(organiser):
        announce_event(event)
        event.refresh_from_db()
        _enter_players(event, rating_list)
        hall = start_hall(event, ROUNDS)
        people = [Person(0, row.family, row.given, row.country) for row in read_entered_rows(event)]
        add_people(hall, people)
        for round_, text in PAIRINGS.items():
            save_typed_pairings(hall, round_, text)
        _record_results(hall)
    backdate_event(event, PLAN, today)
    save_provisional_ratings(hall.pk)
    return hall


def _enter_players(event: Event, rating_list: RatingList) -> None:
    EntryList.objects.create(event=event)
    for player in nearby_players(rating_list, PLAYERS):
        EventEntry.objects.create(event=event, player=player, state=EventEntry.State.CONFIRMED)
    backdate(EventEntry.objects.filter(event=event), event.start + dt.timedelta(days=PLAN.entered), "entered_at")


def _record_results(hall: Hall) -> None:
    link = make_link(hall, "Helpers")
    devices = {name: Device(name.lower(), name, None, link) for name in (TIM, EVA)}
    for device in devices.values():
        join_by_link(link, device.id, device.name)
    for number, (round_, board_number, name, code) in enumerate(RESULTS, 1):
        board = hall.boards.get(round=round_, number=board_number)
        uuid = HallResult._meta.get_field("uuid").to_python(f"{number:032x}")
        record_tap(hall, devices[name], Tap(board.pk, code, uuid))
