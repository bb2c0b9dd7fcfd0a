"""Boards of a hall with the results that people entered, and the standings after a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Prefetch

from ratings.models import Hall, HallBoard, HallResult

Code = HallResult.Code
POINTS = {Code.FIRST: 1.0, Code.DRAW: 0.5, Code.SECOND: 0.0}
"""Points of the first player."""


@dataclass(frozen=True)
class Person:
    """A player of a hall; `player` is the public id of the known player whom the name means, empty if none is known."""

    id: int
    family: str
    given: str = ""
    country: str = ""
    player: str = ""

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()


def people_of(hall: Hall) -> dict[int, Person]:
    """Return the people of a hall by id, in their order."""
    return {person["id"]: Person(**person) for person in hall.people}


@dataclass(frozen=True)
class BoardState:
    """A board with what is known of its result.

    `entries` are the results that count, one for each device, by the order of their arrival. `code` is the result on
    which all agree; None if there is none, or if there are two different ones (`is_question`). `seen` is the primary
    key of the last tap.
    """

    board: HallBoard
    entries: Sequence[HallResult] = ()
    seen: int = 0

    @property
    def is_question(self) -> bool:
        return len({entry.code for entry in self.entries}) > 1

    @property
    def code(self) -> str | None:
        """Result on which all agree; a bye without a tap is a win."""
        codes = {entry.code for entry in self.entries} - ({Code.CLEAR} if not self.is_question else set())
        if len(codes) == 1:
            return next(iter(codes))
        return Code.FIRST if self.is_bye and not self.is_question else None

    @property
    def is_bye(self) -> bool:
        return self.board.second is None

    @property
    def is_open(self) -> bool:
        return self.code is None


def resolve_board(board: HallBoard, results: Iterable[HallResult]) -> BoardState:
    """Return the state of a board after these taps, in the order of their arrival.

    Every device has at most one entry. A tap that clears removes the entry of its own device; if the result is that of
    another device, it is an entry itself, because the two differ. A decision removes the entries that it has seen.
    """
    entries: dict[str, HallResult] = {}
    seen = 0
    for result in results:
        own = entries.pop(result.device, None)
        if result.decides:
            entries = {device: entry for device, entry in entries.items() if entry.pk > result.seen}
        is_own_clear = result.code == Code.CLEAR and own is not None and own.code != Code.CLEAR
        if result.code != Code.CLEAR or (entries and not is_own_clear):
            entries[result.device] = result
        if all(entry.code == Code.CLEAR for entry in entries.values()):
            entries.clear()
        seen = result.pk
    return BoardState(board, tuple(entries.values()), seen)


@dataclass(frozen=True)
class RoundState:
    """The boards of a round."""

    number: int
    boards: Sequence[BoardState] = ()

    @property
    def results(self) -> int:
        return sum(not board.is_open for board in self.boards)

    @property
    def questions(self) -> int:
        return sum(board.is_question for board in self.boards)

    @property
    def open(self) -> int:
        """Number of boards without a result, questions excluded."""
        return len(self.boards) - self.results - self.questions

    @property
    def is_complete(self) -> bool:
        return bool(self.boards) and self.results == len(self.boards)


@dataclass(frozen=True)
class HallState:
    """People and rounds of a hall."""

    people: Mapping[int, Person]
    rounds: Sequence[RoundState] = field(default_factory=list)

    @property
    def current(self) -> int:
        """Number of the first round that is paired and not complete, else of the last paired one."""
        paired = [each for each in self.rounds if each.boards]
        return next((each.number for each in paired if not each.is_complete), paired[-1].number if paired else 1)

    @property
    def completed(self) -> int:
        """Number of rounds up to the first that is not complete."""
        return next((each.number - 1 for each in self.rounds if not each.is_complete), len(self.rounds))

    @property
    def paired(self) -> int:
        """Number of the last round with boards."""
        return max((each.number for each in self.rounds if each.boards), default=0)

    @property
    def has_results(self) -> bool:
        return any(board.entries for each in self.rounds for board in each.boards)


def read_hall(hall: Hall) -> HallState:
    """Return the state of a hall; two queries."""
    return read_halls([hall])[0]


def read_halls(halls: Sequence[Hall]) -> list[HallState]:
    """Return the states of several halls, in their order; two queries."""
    boards: dict[int, dict[int, list[BoardState]]] = {hall.pk: {} for hall in halls}
    taps = Prefetch("results", HallResult.objects.order_by("pk"))
    stored = HallBoard.objects.filter(hall__in=boards) if boards else HallBoard.objects.none()
    for board in stored.order_by("round", "number").prefetch_related(taps):
        boards[board.hall_id].setdefault(board.round, []).append(resolve_board(board, board.results.all()))
    return [_build_state(hall, boards[hall.pk]) for hall in halls]


def _build_state(hall: Hall, boards: Mapping[int, Sequence[BoardState]]) -> HallState:
    last = max(hall.rounds, *boards, 0) if boards else hall.rounds
    return HallState(people_of(hall), [RoundState(number, boards.get(number, ())) for number in range(1, last + 1)])


@dataclass
class Score:
    """A person's points and games in the standings; equal points share a rank."""

    person: Person
    points: float = 0.0
    games: int = 0
    rank: int = 0
    is_shared: bool = False


def rank_people(
    state: HallState, rounds: int, ratings: Mapping[int, float] | None = None, names: Mapping[int, str] | None = None
) -> list[Score]:
    """Return the standings after a number of rounds, best first; among equals by rating, then by name.

    `names` are the names as displayed, so that the order reveals no others.
    """
    scores = {id: Score(person) for id, person in state.people.items()}
    for each in state.rounds[:rounds]:
        for board in each.boards:
            _count_board(board, scores)
    known, named = ratings or {}, names or {id: person.name for id, person in state.people.items()}
    order = sorted(scores.values(), key=lambda s: (-s.points, -known.get(s.person.id, 0.0), named[s.person.id]))
    places: dict[float, int] = {}
    for place, score in enumerate(order, 1):
        score.rank = places.setdefault(score.points, place)
    equals = Counter(score.points for score in order)
    for score in order:
        score.is_shared = equals[score.points] > 1
    return order


def _count_board(state: BoardState, scores: Mapping[int, Score]) -> None:
    if state.code is None or state.code == Code.CLEAR:
        return
    points = POINTS[Code(state.code)]
    sides: list[tuple[int | None, float]] = [(state.board.first, points), (state.board.second, 1 - points)]
    for id, won in sides:
        if id is not None and id in scores:
            scores[id].points += won
            scores[id].games += not state.is_bye
