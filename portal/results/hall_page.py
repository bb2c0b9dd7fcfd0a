"""The boards of a round as the page of the hall shows them to one phone."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.events.running_standings import StandingRow, build_hall_standings, find_ratings
from ratings.domain.results.hall.links import sign_link
from ratings.localize import join_details, join_parts
from ratings.matching import fold
from ratings.models import Event, Game, Hall, HallLink, HallResult, Standing
from ratings.queries.events.events import lists_of
from ratings.queries.players.roster import players_with_details
from ratings.queries.results.halls import BoardState, Code, HallState, Person, RoundState, read_hall

from .forms import InviteForm
from .hall_devices import Access

SIDES = ("first", "second")


@dataclass(frozen=True)
class Side:
    """A player at a board: the name on the button, and grade and rating below it."""

    label: str
    detail: str


@dataclass(frozen=True)
class BoardLine:
    """A board for the template; `answers` are (who, result) of two different results, `state` says who sent it."""

    state: BoardState
    first: Side
    second: Side | None
    note: str
    sent: str
    answers: list[tuple[str, str]]

    @property
    def code(self) -> str:
        return "" if self.state.code in (None, Code.CLEAR) else str(self.state.code)

    @property
    def heading(self) -> str:
        """Name of the board for screen readers."""
        names = {"number": self.state.board.number, "first": self.first.label}
        if self.second is None:
            return _("Board %(number)d: %(first)s, bye") % names
        return _("Board %(number)d: %(first)s against %(second)s") % (names | {"second": self.second.label})

    @property
    def second_words(self) -> str:
        """Meaning of the button of the second player."""
        return _("%(name)s won") % {"name": self.second.label} if self.second else _("No point")


class BoardWriter:
    """Writer of board lines: looks up the ratings of all people once."""

    def __init__(self, hall: Hall, state: HallState, device: str) -> None:
        self.device, self.people = device, state.people
        lists = lists_of(hall.event)
        players = players_with_details(person.player for person in state.people.values() if person.player)
        self.ratings: Mapping[int, Standing] = find_ratings(lists[0], state, players) if lists else {}
        self.families = Counter(fold(person.family) for person in state.people.values())

    def write(self, state: BoardState) -> BoardLine:
        """Return the line of a board."""
        board = state.board
        first, second = self.write_side(board.first), None if board.second is None else self.write_side(board.second)
        results = describe_results(first.label, second.label if second else "")
        answers = [
            (_("You") if entry.device == self.device else entry.name, results[entry.code]) for entry in state.entries
        ]
        return BoardLine(
            state,
            first,
            second,
            self.write_note(state),
            self.write_sender(state),
            answers if state.is_question else [],
        )

    def write_side(self, id: int) -> Side:
        person, standing = self.people.get(id, Person(id, "?")), self.ratings.get(id)
        label = person.family if self.families[fold(person.family)] == 1 else person.name
        if standing is None:
            return Side(label, _("new"))
        return Side(label, join_details([standing.grade, f"{standing.rating:.0f}"]))

    def write_note(self, state: BoardState) -> str:
        """Return who takes which handicap, or who has Black."""
        board = state.board
        sides = {"a": board.first, "b": board.second or board.first}
        if board.handicap:
            taker = self.write_side(sides["b" if board.giver == "a" else "a"]).label
            what = Game.Handicap(board.handicap).label
            return _("%(name)s takes %(handicap)s") % {"name": taker, "handicap": what}
        if not board.black:
            return ""
        black = self.write_side(sides[board.black]).label
        if board.stones:
            return _("%(name)s: Black, %(stones)d stones") % {"name": black, "stones": board.stones}
        return _("%(name)s has Black") % {"name": black}

    def write_sender(self, state: BoardState) -> str:
        """Return who sent the result; empty without one, and for a bye that nobody has entered."""
        if state.is_question:
            return _("two different results")
        names = [entry.name for entry in state.entries if entry.device != self.device]
        if not state.entries:
            return ""
        return _("sent by %(name)s") % {"name": join_parts(dict.fromkeys(names))} if names else _("sent")


def describe_results(first: str, second: str) -> dict[str, str]:
    """Return the words for each result of a board."""
    won = _("%(name)s won")
    return {
        Code.FIRST: won % {"name": first},
        Code.DRAW: _("draw"),
        Code.SECOND: won % {"name": second} if second else _("no point"),
        Code.CLEAR: _("no result"),
    }


def build_hall_page(hall: Hall, access: Access, wanted: str) -> dict[str, Any]:
    """Return the context of the page of a hall, with the round of the address or the current one."""
    state = read_hall(hall)
    is_number = wanted.isascii() and wanted.isdecimal() and len(wanted) < 4
    number = int(wanted) if is_number and 1 <= int(wanted) <= len(state.rounds) else state.current
    shown = state.rounds[number - 1]
    writer = BoardWriter(hall, state, access.device.id if access.device else "")
    standings = build_hall_standings(hall, state)
    rows: list[StandingRow] = standings.rows
    return {
        "hall": hall,
        "event": hall.event,
        "state": state,
        "shown": shown,
        "next": number + 1 if number < len(state.rounds) else None,
        "is_next_paired": number < len(state.rounds) and bool(state.rounds[number].boards),
        "missing": describe_missing(shown),
        "lines": [writer.write(board) for board in shown.boards],
        "standings": standings,
        "rows": rows,
        "rating_list": standings.rating_list,
        "manages": access.manages,
        "is_open": hall.event.is_open,
        "is_hall": True,
    } | (describe_helpers(hall) if access.manages else {})


def describe_helpers(hall: Hall) -> dict[str, Any]:
    """Return the context of the links by which helpers join: those that work, those that have ended, and the form."""
    lines = list_links(hall)
    return {
        "links": [line for line in lines if line.link.is_valid()],
        "ended": [line for line in lines if not line.link.is_valid()],
        "invite": InviteForm(initial={"until": InviteForm.TONIGHT}),
    }


def describe_missing(shown: RoundState) -> str:
    """Return what a round still needs, in words; empty if it is complete."""
    if not shown.boards:
        return _("no pairings yet")
    parts = []
    if shown.open:
        parts.append(_("boards open: %(count)d") % {"count": shown.open})
    if shown.questions:
        parts.append(_("questions: %(count)d") % {"count": shown.questions})
    return join_parts(parts)


@dataclass(frozen=True)
class Helper:
    """A person who joined by a link, with the time, and that of the last result; None for what is not known."""

    device: str
    name: str
    joined: dt.datetime | None
    last: dt.datetime | None = None
    is_removed: bool = False


@dataclass(frozen=True)
class LinkLine:
    """A link with its token and those who joined by it; `is_restorable` if it was revoked before its end."""

    link: HallLink
    token: str
    helpers: list[Helper]
    is_restorable: bool = False


def list_links(hall: Hall) -> list[LinkLine]:
    """Return the links of a hall, those that have ended too, in the order in which they were made."""
    taps = Prefetch("results", HallResult.objects.order_by("pk"))
    return [write_link(link) for link in hall.links.prefetch_related(taps)]


@dataclass(frozen=True)
class DeskLink:
    """A link for helpers on the organiser's desk: its event, and the names of those who joined by it."""

    link: HallLink
    event: Event
    names: list[str]


def list_desk_links(events: Iterable[Event]) -> list[DeskLink]:
    """Return the links of some events by which helpers can send results now, the first to end first."""
    by_id = {event.pk: event for event in events if event.is_open}
    links = HallLink.objects.filter(hall__event__in=by_id, revoked_at=None, expires_at__gt=timezone.now())
    return [
        DeskLink(
            link,
            by_id[link.hall.event_id],
            [helper["name"] for helper in link.helpers or () if "removed" not in helper],
        )
        for link in links.select_related("hall").order_by("expires_at", "pk")
    ]


def write_link(link: HallLink) -> LinkLine:
    """Return the line of a link; a helper who has changed the name has the latest one."""
    helpers = {
        helper["device"]: Helper(
            helper["device"], helper["name"], dt.datetime.fromisoformat(helper["at"]), is_removed="removed" in helper
        )
        for helper in link.helpers or ()
    }
    for tap in link.results.all():
        helpers[tap.device] = replace(helpers.get(tap.device, Helper(tap.device, tap.name, None)), last=tap.at)
    is_restorable = link.revoked_at is not None and link.expires_at > timezone.now()
    return LinkLine(link, sign_link(link), list(helpers.values()), is_restorable)
