"""Replay of a history: its inputs are applied one by one, in their total order.

Every rating run uses this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from ratings.systems.messages import RatingMessage

from .dated import DatedSystem
from .protocol import System
from .rating_rules import PastInputs
from .state_checks import check_state, is_number
from .table_arrays import ClosedArrays
from .values import Adjustment, Award, Closing, Decision, History, Player, Row, Ruling, StateJson, Table, TableResult

Input = Adjustment | Decision | Table | Closing


@dataclass(frozen=True, slots=True)
class Step:
    """Effect of one input; `position` numbers the steps of a day from 0."""

    day: date
    position: int
    cause: Input
    result: TableResult[Any]


class Opened(Protocol):
    """Attributes of a player that `opening_state` reads."""

    @property
    def fixed(self) -> bool: ...

    @property
    def opening(self) -> StateJson | None: ...


def opening_state(system: System[Any], player: Opened) -> Any:
    """Return the state of a player before the first step of the history; raise ValueError if it is invalid."""
    if player.opening is None and not player.fixed:
        return system.rating.newcomer()
    opening = player.opening or {}
    if player.fixed and opening.get("rating") is None:
        raise ValueError(RatingMessage.FIXED_PLAYER_WITHOUT_RATING())
    return system.rating.read(opening, fixed=player.fixed)


def opening_states(system: System[Any], players: Mapping[str, Player]) -> dict[str, Any]:
    """Return the state of each player before the first step; raise ValueError that names the player of an error."""
    states = {}
    for player in players.values():
        try:
            states[player.id] = opening_state(system, player)
        except ValueError as error:
            raise ValueError(RatingMessage.OPENING_INVALID(player=player.id, error=error)) from None
    return states


def replay(
    dated: DatedSystem[Any],
    history: History,
    states: dict[str, Any],
    before: Callable[[date, Input], None] | None = None,
) -> Iterator[Step]:
    """Rate the history, each input by the options of its day, and yield one step per input.

    Update `states` (player id to state, for all players) after each step. Call `before` with the day and the input of
    each step while `states` are still those before it.
    """
    rulings = rulings_by_table(history.decisions)
    past = dated.first.rating.make_past_inputs()
    options = _OptionsByDay(dated, history, states)
    for day, place, cause in number_inputs(dated.first, history):
        system = options.use(day)
        if past is not None:
            past.settings = system.settings
        if before is not None:
            before(day, cause)
        result = apply(system, cause, history.players, states, rulings, past)
        states.update(result.states)
        options.newcomers.difference_update(result.states, [row.player for row in result.rows])
        if past is not None and isinstance(cause, Table | Adjustment):
            past.add(cause, history.players, states)
        yield Step(day, place, cause, result)


def follow(dated: DatedSystem[Any], history: History, steps: Iterable[Step]) -> Iterator[tuple[Step, dict[str, Any]]]:
    """Yield each step of a history that was rated before, with the states of all players after it."""
    states = opening_states(dated.first, history.players)
    options = _OptionsByDay(dated, history, states)
    for step in steps:
        options.use(step.day)
        states.update(step.result.states)
        options.newcomers.difference_update(step.result.states, [row.player for row in step.result.rows])
        yield step, states


class _OptionsByDay:
    """The system as its options change; newcomers begin by the options of the day of their first step."""

    def __init__(self, dated: DatedSystem[Any], history: History, states: dict[str, Any]) -> None:
        self.dated, self.states, self.system = dated, states, dated.first
        players = history.players.items()
        self.newcomers = {id for id, player in players if player.opening is None and not player.fixed}

    def use(self, day: date) -> System[Any]:
        """Return the system with the options of a day."""
        if self.dated.on(day) is not self.system:
            self.system = self.dated.on(day)
            self.states.update(dict.fromkeys(self.newcomers, self.system.rating.newcomer()))
        return self.system


def apply(
    system: System[Any],
    cause: Input,
    players: Mapping[str, Player],
    states: Mapping[str, Any],
    rulings: Mapping[str, Sequence[Decision]],
    past: PastInputs | None = None,
) -> TableResult[Any]:
    """Return the rows and new states that one input causes.

    For closing days and shifts, `states` must contain all players; `past` contains the inputs before a closing day.
    """
    if isinstance(cause, Table):
        table_rulings = [*rulings.get(cause.id, ()), *rulings.get(cause.last_day.isoformat(), ())]
        table_players = {id: players[id] for id in cause.players}
        try:
            return system.rating.rate(cause, table_players, {id: states[id] for id in cause.players}, table_rulings)
        except ValueError as error:
            details = {"table": cause.event or cause.id, "day": cause.last_day, "error": error}
            raise ValueError(RatingMessage.TABLE_NOT_RATABLE(**details)) from None
    if isinstance(cause, Closing):
        with _name_closing_day(cause):
            return system.rating.close(cause.date, players, states, past)
    return _apply_change(system, players, states, cause)


def close_in_arrays(
    system: System[Any],
    cause: Closing,
    players: Mapping[str, Player],
    states: Mapping[str, Any],
    past: PastInputs | None,
) -> ClosedArrays[Any]:
    """Return what `apply` returns for a closing day, as columns."""
    with _name_closing_day(cause):
        return system.rating.close_arrays(cause.date, players, states, past)


@contextmanager
def _name_closing_day(cause: Closing) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(RatingMessage.CLOSING_FAILED(day=cause.date, error=error)) from None


def rulings_by_table(decisions: Sequence[Decision]) -> dict[str, list[Decision]]:
    """Return the decisions on the rating of single tables, by table id or, without a table, by date."""
    by_table: dict[str, list[Decision]] = {}
    for decision in decisions:
        if decision.ruling == Ruling.WITHHELD or (decision.ruling == Ruling.PRINTED and decision.before):
            by_table.setdefault(decision.before or decision.date.isoformat(), []).append(decision)
    return by_table


def number_inputs(system: System[Any], history: History) -> Iterator[tuple[date, int, Input]]:
    """Yield all inputs and closing days in order, with their day and their position within the day, from 0."""
    day, place = None, 0
    closings, first = closing_days(system, history), system.rating.closes_before_tables
    for cause_day, cause in order_inputs(history, closings, closings_first=first):
        day, place = (cause_day, 0) if cause_day != day else (day, place + 1)
        yield cause_day, place, cause


def closing_days(system: System[Any], history: History) -> Sequence[date]:
    """Return the days on which the system changes states by itself, as far as the history's tables cause them."""
    if history.span is not None:
        return system.rating.closing_days(*history.span)
    if not history.tables:
        return ()
    first = min(table.last_day for table in history.tables)
    last = max(system.rating.last_day_of_span(table.last_day, table.list_day) for table in history.tables)
    return system.rating.closing_days(first, last)


def order_inputs(
    history: History, closings: Sequence[date] = (), *, closings_first: bool = False
) -> Iterator[tuple[date, Input]]:
    """Yield all inputs that are steps, with their day, in the order in which they apply.

    Adjustments and decisions of a date come before its tables, those that name a table directly before that table.
    Tables are ordered by last day, first day and position in the history. A closing day comes after the tables of its
    day, or with `closings_first` before everything of its day.
    """
    tables = sorted(history.tables, key=lambda table: (table.last_day, table.date))
    changes_before: dict[str, list[Adjustment | Decision]] = {}
    at_once = [
        d
        for d in history.decisions
        if d.ruling not in (Ruling.PRINTED, Ruling.WITHHELD) or _is_printed_without_table(d)
    ]
    changes: tuple[Adjustment | Decision, ...] = (*history.adjustments, *at_once)
    for change in changes:
        changes_before.setdefault(change.before or change.date.isoformat(), []).append(change)
    days = {table.last_day for table in tables} | {change.date for change in changes if not change.before}
    days.update(closings)
    on_day: dict[date, list[Table]] = {day: [] for day in days}
    for table in tables:
        on_day[table.last_day].append(table)
    for day in sorted(days):
        if closings_first and day in closings:
            yield day, Closing(day)
        yield from ((day, change) for change in changes_before.get(day.isoformat(), ()))
        for table in on_day[day]:
            yield from ((day, change) for change in changes_before.get(table.id, ()))
            yield day, table
        if not closings_first and day in closings:
            yield day, Closing(day)


def _is_printed_without_table(decision: Decision) -> bool:
    return decision.ruling == Ruling.PRINTED and not decision.before


def _apply_change(
    system: System[Any], players: Mapping[str, Player], states: Mapping[str, Any], cause: Adjustment | Decision
) -> TableResult[Any]:
    # a shift concerns everybody but outsiders, who never change
    ids = [cause.player] if cause.player is not None else [id for id in states if not players[id].fixed]
    after, rows = {}, []
    for id in ids:
        state = states[id]
        try:
            new_state = _get_new_state(system, players[id], state, cause)
        except ValueError as error:
            details = {"day": cause.date, "player": id, "error": error}
            messages = {
                Decision: RatingMessage.DECISION_INVALID(**details),
                Adjustment: RatingMessage.ADJUSTMENT_INVALID(**details),
            }
            raise ValueError(messages[type(cause)]) from None
        if new_state == state and (
            cause.player is None or (isinstance(cause, Decision) and cause.ruling == Ruling.KEPT)
        ):
            continue
        after[id] = new_state
        rows.append(_make_change_row(system, players[id], state, new_state, cause))
    return TableResult(tuple(rows), after)


def _get_new_state(system: System[Any], player: Player, state: Any, cause: Adjustment | Decision) -> Any:
    if isinstance(cause, Decision):
        return system.grading.decide(state, cause)
    if cause.set is not None:
        return system.rating.adjust(state, cause.set, fixed=player.fixed, on=cause.date)
    shift = cause.shift or 0
    check_state({"shift": shift}, {"shift": is_number})
    return system.rating.shift(state, shift)


def _make_change_row(
    system: System[Any], player: Player, state: Any, new_state: Any, cause: Adjustment | Decision
) -> Row:
    before, after = system.rating.standing(state, player), system.rating.standing(new_state, player)
    awards: tuple[Award, ...] = ()
    if isinstance(cause, Decision) and after.grade and after.grade != before.grade:
        awards = (Award(after.grade, cause.ruling),)
    return Row(
        player.id,
        before.category,
        after.category,
        before.rating,
        after.rating,
        None if before.rating is None or after.rating is None else after.rating - before.rating,
        games_after=after.games,
        grade_before=before.grade,
        grade=after.grade,
        awards=awards,
        note=cause.reason,
    )
