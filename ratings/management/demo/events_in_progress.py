"""Demo events in progress: one announced with entries, one with draft results, one waiting for an officer."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User

from ratings.domain.events.tables import save_event
from ratings.domain.results.file_submissions import ResultsFile, create_checked_submission
from ratings.domain.results.submissions import create_submission
from ratings.domain.results.submitting import announce_event, submit
from ratings.domain.site.acting import act_as
from ratings.formats.fesa.grid import read_grid
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.models import Event, Player, RatingList, Submission, Upload

from .entries import enter_players
from .people import draw_public_id
from .places import are_near
from .times import backdate

ROUNDS = {1: "2+ 3+ 4+", 2: "1- 4+ 3=", 3: "4+ 1- 2=", 4: "3- 2- 1-"}
PLACE, COUNTRY = "Strasbourg", "FR"


@dataclass
class Plan:
    """An event of the demo's organiser: its days count from today, negative in the past."""

    name: str
    held: int
    announced: int
    entered: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the announcement besides place, days and link."""


ANNOUNCEMENT = {
    "address": "Maison des associations, 1a place des Orphelins",
    "schedule": "9:00 registration at the venue\n9:30 round 1\n13:30 round 3\n17:30 prize giving",
    "contact": "rapid@strasbourg.example.org",
}
COMING, DRAFT, WAITING = (
    Plan("Rapid Cup", 40, -12, details=ANNOUNCEMENT),
    Plan("Club Evening", -3, -30, -2),
    Plan("Rapid", -9, -38, -6),
)


def create_events(organiser: User, today: dt.date) -> None:
    """Create the events on the first list, by the demo's organiser."""
    rating_list = RatingList.objects.filter(comparison_to=None).order_by("pk")[0]
    players = nearby_players(rating_list, 4)
    coming, draft, waiting = (
        make_event(plan, number, today, organiser, rating_list) for number, plan in enumerate((COMING, DRAFT, WAITING))
    )
    with act_as(organiser):
        for event in (coming, draft, waiting):
            announce_event(event)
        data = _grid(draft, players).encode("latin-1", "replace")
        table, problems = read_grid(data, today)
        assert table is not None
        create_checked_submission(draft, ResultsFile("turnering.txt", data, "grid", table, problems))
        coming.refresh_from_db()
        enter_players(coming, rating_list)
        waiting.refresh_from_db()
        _submission(waiting, players)
        submit(waiting)
    for event, plan in ((coming, COMING), (draft, DRAFT), (waiting, WAITING)):
        backdate_event(event, plan, today)


def nearby_players(rating_list: RatingList, count: int) -> list[Player]:
    """Return some players from the country of the events or near it, who have played last."""
    standings = rating_list.standings.filter(published=True, player__shown="full", player__erased_at=None)
    ordered = [standing.player for standing in standings.select_related("player").order_by("-last_played", "player")]
    ordered.sort(key=lambda player: (player.country != COUNTRY, not are_near(str(player.country), COUNTRY)))
    return ordered[:count]


def make_event(plan: Plan, number: int, today: dt.date, organiser: User, rating_list: RatingList) -> Event:
    """Save an event by its plan; its public id follows from its number."""
    day = today + dt.timedelta(days=plan.held)
    public_id = draw_public_id(random.Random(number))
    event = Event(
        public_id=public_id,
        name=f"{PLACE} {plan.name} {day.year}",
        start=day,
        end=day,
        place=PLACE,
        country=COUNTRY,
        time_control="30min + 30sec",
        rounds=5,
        link=f"https://strasbourg.example.org/{public_id.lower()}/",
        created_by=organiser,
        organiser="Shogi Strasbourg",
        **plan.details,
    )
    return save_event(event, [rating_list])


def _submission(event: Event, players: list[Player]) -> Submission:
    rows = [
        SheetRow(player.family_name, player.given_name, str(player.country), player.public_id, cells=cells.split())
        for player, cells in zip(players, ROUNDS.values(), strict=True)
    ]
    return create_submission(event, SheetContent(3, rows), days=(event.start, event.end))


def _grid(event: Event, players: list[Player]) -> str:
    """Return a grid as an organiser might send it, with an inconsistent result and an unknown name."""
    cells = ROUNDS | {4: "3- 2- 1+"}
    names = [(player.family_name, player.given_name) for player in players[:3]] + [("Neumann", "Eva")]
    rows = [f"{n} [{family}][{given}] [{cells[n]}]" for n, (family, given) in enumerate(names, 1)]
    head = [f"[{event.name}, {event.end}]", f"[{event.end}]", "[Time control: 30min + 30sec]"]
    return "\n".join([*head, *rows]) + "\n"


def backdate_event(event: Event, plan: Plan, today: dt.date) -> None:
    """Date an event's announcement, its results and its other steps by its plan."""
    announced, entered = today + dt.timedelta(days=plan.announced), today + dt.timedelta(days=plan.entered)
    backdate(Event.objects.filter(pk=event.pk), announced, "announced_at")
    backdate(event.steps.filter(what="announced"), announced, "at")
    backdate(event.steps.exclude(what="announced"), entered, "at")
    backdate(Submission.objects.filter(event=event), entered, "made_at", "changed_at")
    backdate(Upload.objects.filter(event=event), entered, "at")
