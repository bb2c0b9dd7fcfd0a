"""Organiser and officer of a running site: they enter events and results, accept and correct them, by its pages."""

from __future__ import annotations

import csv
import datetime as dt
import random
import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from .browser import Answer, Browser, fields_of

PAIRS = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
SEATS = 4
OTHER_SIDE = {"+": "-", "-": "+", "=": "="}
LIST = re.compile(r'name="lists" value="(\d+)"[^>]*>\s*([^<]+?)\s*</label>')
CORRECT = re.compile(r"/organise/tables/\d+/correct/$")


LISTS = {"shogi": "Shogi", "chess": "Chess", "go": "Go"}
PASSWORD = "demo"  # noqa: S105 - of the demo federation


def sign_in(address: str, name: str) -> Browser:
    """Return a browser in which a user of the demo is signed in."""
    browser = Browser(address)
    browser.sign_in(name, PASSWORD)
    return browser


def sign_in_staff(address: str) -> list[Staff]:
    """Return the demo's organiser and officer as the staff of some of its lists."""
    organiser, officer = (sign_in(address, name) for name in ("organiser", "officer"))
    return [Staff(organiser, officer, slug, name) for slug, name in LISTS.items()]


class Seat(NamedTuple):
    """A player as results files name them."""

    family: str
    given: str
    country: str


class Staff:
    """Organiser and officer of one list, each with a browser of their own.

    A step that is not answered as expected raises AssertionError with the address, the status and messages of the page.
    """

    def __init__(self, organiser: Browser, officer: Browser, slug: str, name: str, seed: int = 1) -> None:
        self.organiser, self.officer = organiser, officer
        self.slug, self.name = slug, name
        self.random = random.Random(seed)

    def read_players(self, most: int = 200) -> list[Seat]:
        """Return players of the list whose whole names are public, best first."""
        answer = expect(self.organiser.get(f"/lists/{self.slug}/list.csv?active=all"), 200)
        rows = csv.DictReader(answer.text.splitlines())
        seats = (Seat(row["Last name"], row["First name"], row["Country"]) for row in rows)
        return list(islice((seat for seat in seats if seat.given and "." not in seat.family + seat.given), most))

    def enter_event(self, name: str, day: dt.date) -> str:
        """Create an event of one day on the list, and return the address of its page for the organiser."""
        page = expect(self.organiser.get("/organise/events/new/"), 200).text
        lists = {label: value for value, label in LIST.findall(page)}
        fields = {key: text for key, text in fields_of(page).items() if key in {"token", "mode"}}
        fields |= {"name": name, "start": str(day), "end": str(day), "time_control": "30min", "lists": lists[self.name]}
        return expect(self.organiser.post("/organise/events/new/", fields), 302).location

    def upload_results(self, event: str, day: dt.date, players: Sequence[Seat]) -> str:
        """Upload random results of four players as text, and return the address of the draft."""
        cells = self._draw_cells()
        rows = [
            f"{number} [{player.family}][{player.given}] {player.country} [{' '.join(cells[number])}]"
            for number, player in enumerate(players, 1)
        ]
        text = "\n".join([f"[Measured Cup, Lyon, France, {day}]", f"[{day}]", "[Time control: 30min]", *rows, ""])
        return expect(self.organiser.post(f"{event}results/", {"text": text}), 302).location

    def save_results(self, sheet: str, browser: Browser | None = None, **changes: str) -> None:
        """Save a draft as its page shows it, with some fields changed, and confirm each warning."""
        browser = browser or self.organiser
        fields = fields_of(expect(browser.get(sheet), 200).text, "sheet") | changes | {"check": "1"}
        answer = expect(browser.post(sheet, fields), 200)
        fields = fields_of(answer.text, "sheet")
        if asked := [name for name, text in fields.items() if name.startswith("confirm-") and not text]:
            expect(browser.post(sheet, fields | dict.fromkeys(asked, "It was so.") | {"check": "1"}), 200)

    def submit(self, event: str) -> None:
        expect(self.organiser.post(f"{event}submit/", {}), 302)

    def accept(self, event: str) -> None:
        expect(self.officer.post(f"{event}accept/", {}), 302)

    def correct(self, event: str) -> None:
        """Change one game of the accepted results of an event, as the officer; later results are rated again."""
        links = expect(self.officer.get(event), 200).find_links()
        table = next(path for path in links if CORRECT.search(path))
        sheet = expect(self.officer.post(table, {}), 302).location
        a, b = self.random.choice(PAIRS[0])
        fields = fields_of(expect(self.officer.get(sheet), 200).text, "sheet")
        won = OTHER_SIDE[fields[f"row-{a}-round-1"][-1]]
        won = "+" if won == "=" else won
        changes = {f"row-{a}-round-1": f"{b}{won}", f"row-{b}-round-1": f"{a}{OTHER_SIDE[won]}"}
        self.save_results(sheet, self.officer, **changes, reason="The result was written down wrongly.")
        expect(self.officer.post(f"{event}submit/", {}), 302)
        self.accept(event)

    def _draw_cells(self) -> dict[int, list[str]]:
        cells: dict[int, list[str]] = {number: [] for number in range(1, SEATS + 1)}
        for pairs in PAIRS:
            for a, b in pairs:
                won = self.random.choice("+-=")
                cells[a].append(f"{b}{won}")
                cells[b].append(f"{a}{OTHER_SIDE[won]}")
        return cells


def expect(answer: Answer, status: int) -> Answer:
    """Return an answer with the expected status; raise AssertionError with the messages of the page otherwise."""
    if answer.status != status:
        said = re.findall(r'role="alert">([^<]+)', answer.text) + re.findall(
            r'class="errorlist"[^>]*>(.*?)</ul>', answer.text
        )
        raise AssertionError(f"{answer.path} was answered {answer.status}, not {status}: {said}")
    return answer
