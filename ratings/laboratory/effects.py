"""Effects of proposed rules: a history rated as if they had come into force on a past day, beside the present rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ratings.systems import get_system_of
from ratings.systems.protocol import System
from ratings.systems.replay import opening_state, opening_states, replay
from ratings.systems.values import AwardHow, Closing, History, OptionChange, Player, Standing, Table

from .candidates import Candidate
from .conversion import convert_inputs, convert_player, convert_points


@dataclass(frozen=True)
class Effect:
    """A player's last rating by the present and by the proposed rules, and the grades by both.

    `on_day` is the rating with which the player goes on when the proposed rules come into force; None if the player is
    not on the list then. All are in rating points of the proposed rules, whose zero may be another one.
    """

    player: str
    present: float
    on_day: float | None
    rating: float
    grade_present: str
    grade: str


@dataclass(frozen=True)
class RunFigures:
    """Figures of the changes from a day on: the largest and the mean absolute change of a rating, and grades won.

    Changes are in rating points, of single tables or closing days; None if no rating changed. `grades_won` is None for
    systems without grades.
    """

    largest: float | None
    mean: float | None
    grades_won: int | None


@dataclass(frozen=True)
class Effects:
    """Effects on all players who are published by both rules, and the figures of both."""

    players: tuple[Effect, ...]
    present: RunFigures
    proposed: RunFigures


@dataclass(frozen=True)
class _Run:
    system: System[Any]
    later: System[Any]
    """The system with the options in force after the last input, and on the day from which changes are counted."""
    states: Mapping[str, Any]
    last_day: dt.date | None
    standings: Mapping[str, Standing]
    figures: RunFigures


def change_options(history: History, options: Mapping[str, Any], since: dt.date) -> History:
    """Return the history with these options in force from a day on; later changes keep the other options only."""
    return replace(history, option_changes=put_in_force(history.option_changes, OptionChange(since, options)))


def put_in_force(changes: Iterable[OptionChange], new: OptionChange) -> tuple[OptionChange, ...]:
    """Return changes of options with a new one, whose values hold to the end: later changes lose these options."""
    put = []
    for change in changes:
        others = {key: value for key, value in change.options.items() if key not in new.options}
        if change.date == new.date:
            new = replace(new, options={**others, **new.options})
        elif change.date < new.date:
            put.append(change)
        elif others:
            put.append(replace(change, options=others))
    return tuple(sorted([*put, new], key=lambda change: change.date))


def start_successor(history: History, candidate: Candidate, since: dt.date) -> History:
    """Return the history of a successor list that a candidate rates, from the history's ratings before a day on.

    Its players open with the ratings and numbers of games that they had at the end of the day before; tables,
    adjustments and changes of options from before are omitted.
    """
    before = replace(
        history,
        tables=tuple(table for table in history.tables if table.last_day < since),
        adjustments=tuple(one for one in history.adjustments if one.date < since),
        decisions=tuple(one for one in history.decisions if one.date < since),
        span=None,
    )
    standings = _rate(before, since, lambda: None).standings
    players = {id: _open(player, standings.get(id)) for id, player in history.players.items()}
    after = replace(
        history,
        players=players,
        tables=tuple(table for table in history.tables if table.last_day >= since),
        adjustments=tuple(one for one in history.adjustments if one.date >= since),
        decisions=(),
    )
    return convert_inputs(after, candidate)


def _open(player: Player, standing: Standing | None) -> Player:
    if player.fixed or standing is None:
        return player
    if standing.rating is None:
        return replace(player, opening=None)
    return replace(player, opening={"rating": standing.rating, "games": standing.games})


def compute_effects(
    present: History, proposed: History, since: dt.date, tick: Callable[[], None], *, is_successor: bool
) -> Effects:
    """Rate a history by the present and by the proposed rules, and compare both from a day on.

    `is_successor` says that the proposed rules begin a list of its own with the ratings of the present one. `tick` is
    called before each step; it may raise an exception to end the run. Raise ValueError, with the day, if rules do not
    cover an input.
    """
    first, second = _rate(present, since, tick), _rate(proposed, since, tick)
    start = _open_on_day if is_successor else _continue_on_day
    return Effects(tuple(_list_effects(present, first, second, start)), first.figures, second.figures)


def _list_effects(
    history: History, first: _Run, second: _Run, start: Callable[[Player, _Run, _Run], Standing]
) -> Iterator[Effect]:
    for id, standing in first.standings.items():
        other = second.standings.get(id)
        if other is None or not (standing.published and not standing.hidden) or standing.rating is None:
            continue
        present = convert_points(standing.rating, first.system, second.system)
        if other.rating is not None and present is not None:
            started = start(history.players[id], first, second)
            on_day = started.rating if started.published else None
            yield Effect(id, present, on_day, other.rating, standing.grade or "", other.grade or "")


def _continue_on_day(player: Player, first: _Run, second: _Run) -> Standing:
    """Return a player's standing by the proposed options with the last state of the present ones."""
    return second.later.rating.standing(first.states[player.id], player, first.last_day)


def _open_on_day(player: Player, first: _Run, second: _Run) -> Standing:
    """Return a player's standing on a successor list that begins with the last ratings of the present one."""
    opened = convert_player(_open(player, first.standings[player.id]), first.system, second.system)
    return second.system.rating.standing(opening_state(second.system, opened), opened)


def _rate(history: History, since: dt.date, tick: Callable[[], None]) -> _Run:
    dated = get_system_of(history)
    states = opening_states(dated.first, history.players)
    changes: list[float] = []
    awards, last_day = 0, None
    for step in replay(dated, history, states, lambda _day, _cause: tick()):
        last_day = step.day
        if step.day >= since and isinstance(step.cause, Table | Closing):
            changes += [abs(row.change) for row in step.result.rows if row.change]
            won = (award for row in step.result.rows for award in row.awards)
            awards += sum(award.how != AwardHow.DEMOTION for award in won)
    system = dated.on(last_day)
    standings = {
        id: system.rating.standing(states[id], player, last_day)
        for id, player in history.players.items()
        if not player.fixed
    }
    figures = RunFigures(
        max(changes, default=None),
        sum(changes) / len(changes) if changes else None,
        awards if system.grading.grades else None,
    )
    later = dated.on(max(last_day or since, since))
    return _Run(system, later, states, last_day, standings, figures)
