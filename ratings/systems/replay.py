"""Replay: a history's inputs in their total order, one step after the other. Every rating run goes through here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from .protocol import System
from .values import Adjustment, Award, Closing, Decision, History, Opening, Player, Row, Table, TableResult
from .words import Words as _

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
        raise ValueError(_("a fixed player needs a rating"))
    return system.read(opening, fixed=player.fixed)


def opening_states(system: System[Any], players: Mapping[str, Player]) -> dict[str, Any]:
    return {player.id: opening_state(system, player) for player in players.values()}


def replay(system: System[Any], history: History, states: dict[str, Any]) -> Iterator[Step]:
    """Rate the history, moving `states` (player id to state, all players) along; one step at a time."""
    rulings = rulings_by_table(history.decisions)
    for day, place, cause in in_places(history, closing_days(system, history)):
        result = apply(system, cause, history.players, states, rulings)
        states.update(result.states)
        yield Step(day, place, cause, result)


def apply(
    system: System[Any],
    cause: Input,
    players: Mapping[str, Player],
    states: Mapping[str, Any],
    rulings: Mapping[str, Sequence[Decision]],
) -> TableResult[Any]:
    """What one input does to the states that come to it; for closing days and shifts `states` holds everybody."""
    if isinstance(cause, Table):
        of_table = [*rulings.get(cause.id, ()), *rulings.get(cause.last_day.isoformat(), ())]
        seated = {id: players[id] for id in cause.players}
        try:
            return system.rate(cause, seated, {id: states[id] for id in cause.players}, of_table)
        except ValueError as error:
            told = {"table": cause.event or cause.id, "day": cause.last_day, "error": error}
            raise ValueError(_("table {table} of {day}: {error}", **told)) from None
    if isinstance(cause, Closing):
        return system.close(cause.date, players, states)
    return _from_outside(system, players, states, cause)


def rulings_by_table(decisions: Sequence[Decision]) -> dict[str, list[Decision]]:
    """Decisions that speak of a table's own rating, by its id, or by the date whose tables they speak of."""
    by_table: dict[str, list[Decision]] = {}
    for decision in decisions:
        if decision.ruling == "withheld" or (decision.ruling == "printed" and decision.before):
            by_table.setdefault(decision.before or decision.date.isoformat(), []).append(decision)
    return by_table


def in_places(history: History, closings: Sequence[date]) -> Iterator[tuple[date, int, Input]]:
    """All inputs in order with their day and their place within it, from 0."""
    day, place = None, 0
    for on, cause in in_order(history, closings):
        day, place = (on, 0) if on != day else (day, place + 1)
        yield on, place, cause


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
    system: System[Any], players: Mapping[str, Player], states: Mapping[str, Any], cause: Adjustment | Decision
) -> TableResult[Any]:
    everybody = (id for id in states if not players[id].fixed)  # outsiders never change
    ids = [cause.player] if cause.player is not None else list(everybody)
    after, rows = {}, []
    for id in ids:
        state = states[id]
        try:
            moved = _moved(system, players[id], state, cause)
        except ValueError as error:
            told = {"day": cause.date, "player": id, "error": error}
            words = {
                Decision: _("decision of {day} for player {player}: {error}", **told),
                Adjustment: _("adjustment of {day} for player {player}: {error}", **told),
            }
            raise ValueError(words[type(cause)]) from None
        if moved == state and (cause.player is None or (isinstance(cause, Decision) and cause.ruling == "kept")):
            continue
        after[id] = moved
        rows.append(_outside_row(system, players[id], state, moved, cause))
    return TableResult(tuple(rows), after)


def _moved(system: System[Any], player: Player, state: Any, cause: Adjustment | Decision) -> Any:
    if isinstance(cause, Decision):
        return system.decide(state, cause)
    if cause.set is not None:
        return system.adjust(state, cause.set, fixed=player.fixed, on=cause.date)
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
