"""Events whose results are on their way: one to come, one being entered, one that waits for an officer."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from ratings.domain.acting import acting
from ratings.domain.review import announce, submit
from ratings.domain.sheets import sheet_for, sheet_of_file
from ratings.domain.tables import save_event
from ratings.formats.entered import SheetContent, SheetRow
from ratings.formats.grid import read_grid
from ratings.models import Event, Player, RatingList, Sheet

ROUNDS = {1: "2+ 3+ 4+", 2: "1- 4+ 3=", 3: "4+ 1- 2=", 4: "3- 2- 1-"}


def make(organiser: User, today: dt.date) -> None:
    """Of the first list's federation, by the demo's organiser."""
    rating_list = RatingList.objects.filter(comparison_to=None).first()
    assert rating_list is not None
    standings = rating_list.standings.filter(published=True).select_related("player")
    players = [standing.player for standing in standings.order_by("-last_played", "player")[:4]]
    with acting(organiser):
        announce(_event("Winter Open", today + dt.timedelta(days=40), organiser, rating_list))
        entered = _event("Club Evening", today - dt.timedelta(days=3), organiser, rating_list)
        data = _grid(entered, players).encode("latin-1", "replace")
        table, problems = read_grid(data, today)
        assert table is not None
        sheet_of_file(entered, table, problems, file_name="turnering.txt", form="grid", data=data)
        waiting = _event("Autumn Rapid", today - dt.timedelta(days=9), organiser, rating_list)
        _sheet(waiting, players)
        submit(waiting)


def _event(name: str, day: dt.date, organiser: User, rating_list: RatingList) -> Event:
    event = Event(name=f"{name} {day.year}", start=day, end=day, time_control="30min + 30sec", created_by=organiser)
    return save_event(event, [rating_list])


def _sheet(event: Event, players: list[Player]) -> Sheet:
    rows = [
        SheetRow(player.family_name, player.given_name, str(player.country), player.public_id, cells=cells.split())
        for player, cells in zip(players, ROUNDS.values(), strict=True)
    ]
    return sheet_for(event, SheetContent(3, rows), days=(event.start, event.end))


def _grid(event: Event, players: list[Player]) -> str:
    """As an organiser might send it, with a result that does not fit and a name that nobody bears."""
    cells = ROUNDS | {4: "3- 2- 1+"}
    names = [(player.family_name, player.given_name) for player in players[:3]] + [("Neumann", "Eva")]
    rows = [
        f"{n} [{family}][{given}] [{cells[n]}]" for n, (family, given) in enumerate(names, 1)
    ]  # fmt: skip
    head = [f"[{event.name}, {event.end}]", f"[{event.end}]", "[Time control: 30min + 30sec]"]
    return "\n".join([*head, *rows]) + "\n"
