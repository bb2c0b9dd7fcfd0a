"""Demo events in progress: one announced, one with draft results, one waiting for an officer."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from ratings.domain.events.tables import save_event
from ratings.domain.results.file_submissions import ResultsFile, create_submission_from_file
from ratings.domain.results.submissions import create_submission
from ratings.domain.results.submitting import announce_event, submit
from ratings.domain.site.acting import act_as
from ratings.formats.fesa.grid import read_grid
from ratings.formats.sheet_content import SheetContent, SheetRow
from ratings.models import Event, Player, RatingList, Submission

ROUNDS = {1: "2+ 3+ 4+", 2: "1- 4+ 3=", 3: "4+ 1- 2=", 4: "3- 2- 1-"}


def create_events(organiser: User, today: dt.date) -> None:
    """Create the events on the first list, by the demo's organiser."""
    rating_list = RatingList.objects.filter(comparison_to=None).first()
    assert rating_list is not None
    standings = rating_list.standings.filter(published=True).select_related("player")
    players = [standing.player for standing in standings.order_by("-last_played", "player")[:4]]
    with act_as(organiser):
        announce_event(_event("Winter Open", today + dt.timedelta(days=40), organiser, rating_list))
        draft = _event("Club Evening", today - dt.timedelta(days=3), organiser, rating_list)
        data = _grid(draft, players).encode("latin-1", "replace")
        table, problems = read_grid(data, today)
        assert table is not None
        create_submission_from_file(draft, ResultsFile("turnering.txt", data, "grid", table, problems))
        waiting = _event("Autumn Rapid", today - dt.timedelta(days=9), organiser, rating_list)
        _submission(waiting, players)
        submit(waiting)


def _event(name: str, day: dt.date, organiser: User, rating_list: RatingList) -> Event:
    event = Event(
        name=f"{name} {day.year}", start=day, end=day, place="Strasbourg", country="FR", time_control="30min + 30sec",
        created_by=organiser,
    )  # fmt: skip
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
    rows = [
        f"{n} [{family}][{given}] [{cells[n]}]" for n, (family, given) in enumerate(names, 1)
    ]  # fmt: skip
    head = [f"[{event.name}, {event.end}]", f"[{event.end}]", "[Time control: 30min + 30sec]"]
    return "\n".join([*head, *rows]) + "\n"
