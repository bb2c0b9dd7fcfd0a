"""The boards of a hall in words: players with grade and rating, colours and handicaps, and who sent the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.events.running_standings import find_ratings
from ratings.localize import join_details, join_parts
from ratings.matching import fold
from ratings.models import Game, Hall, Standing
from ratings.queries.events.events import lists_of
from ratings.queries.players.player_details import players_with_details
from ratings.queries.results.halls import BoardState, Code, HallState, Person


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
        return write_heading(str(self.state.board.number), self.first, self.second)

    @property
    def second_words(self) -> str:
        """Meaning of the button of the second player."""
        return write_second_words(self.second)


def write_heading(number: str, first: Side, second: Side | None) -> str:
    names = {"number": number, "first": first.label}
    if second is None:
        return _("Board %(number)s: %(first)s, bye") % names
    return _("Board %(number)s: %(first)s against %(second)s") % (names | {"second": second.label})


def write_second_words(second: Side | None) -> str:
    return _("%(name)s won") % {"name": second.label} if second else _("No point")


class BoardWriter:
    """Writer of board lines: looks up the ratings of all people once."""

    def __init__(self, hall: Hall, state: HallState, device: str) -> None:
        self.device, self.people = device, state.people
        lists = lists_of(hall.event)
        players = players_with_details(person.player for person in state.people.values() if person.player)
        self.standings: Mapping[int, Standing] = find_ratings(lists[0], state, players) if lists else {}
        self.family_counts = Counter(fold(person.family) for person in state.people.values())

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
        person, standing = self.people.get(id, Person(id, "?")), self.standings.get(id)
        label = person.family if self.family_counts[fold(person.family)] == 1 else person.name
        if standing is None:
            return Side(label, _("new"))
        return Side(label, join_details([standing.grade, f"{standing.rating:.0f}"]))

    def write_note(self, state: BoardState) -> str:
        """Return who takes which handicap, or who has Black."""
        board = state.board
        sides = {"a": board.first, "b": board.second or board.first}
        if board.handicap:
            taker = self.write_side(sides["b" if board.giver == "a" else "a"]).label
            handicap = Game.Handicap(board.handicap).label
            return _("%(name)s takes %(handicap)s") % {"name": taker, "handicap": handicap}
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
