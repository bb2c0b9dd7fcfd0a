"""Replay: a history's inputs in their total order, one step after the other. Every rating run goes through here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from .protocol import System
from .values import Adjustment, Award, Closing, Decision, History, Opening, Player, Row, Table, TableResult

Input = Adjustment | Decision | Table | Closing


@dataclass(frozen=True, slots=True)
class Step:
    """What one input did. `place` counts the steps of a day from 0."""

    day: date
    place: int
    cause: Input
    result: TableResult[Any]


class Opened(Protocol):
    """What `opening_state` asks of a player."""

    @property
    def fixed(self) -> bool: ...

    @property
    def opening(self) -> Opening | None: ...


def opening_state(system: System[Any], player: Opened) -> Any:
    """The state of a player before the history's first step; ValueError says what is wrong with it."""
    if player.opening is None and not player.fixed:
        return system.newcomer()
    opening = player.opening or {}
    if player.fixed and opening.get("rating") is None:
        raise ValueError("a fixed player needs a rating")
    return system.read(opening, fixed=player.fixed)


def opening_states(system: System[Any], players: Mapping[str, Player]) -> dict[str, Any]:
    return {player.id: opening_state(system, player) for player in players.values()}


def replay(system: System[Any], history: History, states: dict[str, Any]) -> Iterator[Step]:
    """Rate the history, moving `states` (player id to state, all players) along; one step at a time."""
    by_table: dict[str, list[Decision]] = {}
    for decision in history.decisions:
        if decision.ruling == "withheld" or (decision.ruling == "printed" and decision.before):
            by_table.setdefault(decision.before or decision.date.isoformat(), []).append(decision)
    day, place = None, 0
    for on, cause in in_order(history, closing_days(system, history)):
        day, place = (on, 0) if on != day else (day, place + 1)
        if isinstance(cause, Table):
            rulings = [*by_table.get(cause.id, ()), *by_table.get(cause.last_day.isoformat(), ())]
            result = system.rate(
                cause,
                {id: history.players[id] for id in cause.players},
                {id: states[id] for id in cause.players},
                rulings,
            )
        elif isinstance(cause, Closing):
            result = system.close(on, history.players, states)
        else:
            result = _from_outside(system, history, states, cause)
        states.update(result.states)
        yield Step(on, place, cause, result)


def closing_days(system: System[Any], history: History) -> Sequence[date]:
    """The days on which the system moves states by itself, as far as the history's tables bring them with them."""
    if history.span is not None:
        return system.closing_days(*history.span)
    days = [table.last_day for table in history.tables]
    return system.closing_days(min(days), max(days)) if days else ()


def in_order(history: History, closings: Sequence[date] = ()) -> Iterator[tuple[date, Input]]:
    """All inputs that are steps, with their day: a date's adjustments and decisions before its tables, those
    that name a table just before it, tables by last day, first day, then their order in the history; what the
    system itself does on a closing day comes last.
    """
    tables = sorted(history.tables, key=lambda table: (table.last_day, table.date))
    outside: dict[str, list[Adjustment | Decision]] = {}
    at_once = [d for d in history.decisions if d.ruling not in ("printed", "withheld") or _sets_at_once(d)]
    several: tuple[Adjustment | Decision, ...] = (*history.adjustments, *at_once)
    for given in several:
        outside.setdefault(given.before or given.date.isoformat(), []).append(given)
    days = {table.last_day for table in tables} | {given.date for given in several if not given.before}
    days.update(closings)
    on_day: dict[date, list[Table]] = {day: [] for day in days}
    for table in tables:
        on_day[table.last_day].append(table)
    for day in sorted(days):
        yield from ((day, given) for given in outside.get(day.isoformat(), ()))
        for table in on_day[day]:
            yield from ((day, given) for given in outside.get(table.id, ()))
            yield day, table
        if day in closings:
            yield day, Closing(day)


def _sets_at_once(decision: Decision) -> bool:
    return decision.ruling == "printed" and not decision.before


def _from_outside(
    system: System[Any], history: History, states: Mapping[str, Any], cause: Adjustment | Decision
) -> TableResult[Any]:
    everybody = (id for id in states if not history.players[id].fixed)  # outsiders never change
    ids = [cause.player] if cause.player is not None else list(everybody)
    after, rows = {}, []
    for id in ids:
        state = states[id]
        try:
            moved = _moved(system, history.players[id], state, cause)
        except ValueError as error:
            kind = "decision" if isinstance(cause, Decision) else "adjustment"
            raise ValueError(f"{kind} of {cause.date} for player {id}: {error}") from None
        if cause.player is None and moved == state:
            continue
        after[id] = moved
        rows.append(_outside_row(system, history.players[id], state, moved, cause))
    return TableResult(tuple(rows), after)


def _moved(system: System[Any], player: Player, state: Any, cause: Adjustment | Decision) -> Any:
    if isinstance(cause, Decision):
        return system.decide(state, cause)
    if cause.set is not None:
        return system.adjust(state, cause.set, fixed=player.fixed)
    return system.shift(state, cause.shift or 0)


def _outside_row(system: System[Any], player: Player, state: Any, moved: Any, cause: Adjustment | Decision) -> Row:
    before, after = system.standing(state, player), system.standing(moved, player)
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
