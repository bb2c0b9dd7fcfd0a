"""ratings-result/1: what `manage.py rate` prints of a rated history, as JSON or text, and its check against cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from ratings.systems import get_system
from ratings.systems.protocol import System
from ratings.systems.replay import Step, opening_states, replay
from ratings.systems.values import Closing, History, Row, Standing, Table, TableResult

from .history import HistoryError, history_of

FORMAT = "ratings-result/1"


@dataclass(frozen=True)
class Rated:
    """A history with what rating it gave: every step in order, the states at the end, and the list of each closing
    day (player id to rating).
    """

    history: History
    system: System[Any]
    steps: tuple[Step, ...]
    states: Mapping[str, Any]
    lists: Mapping[date, Mapping[str, float]]

    @property
    def tables(self) -> Iterator[tuple[Table, TableResult[Any]]]:
        return ((step.cause, step.result) for step in self.steps if isinstance(step.cause, Table))

    def standing(self, player: str) -> Standing:
        """On the day of the last step."""
        on = self.steps[-1].day if self.steps else None
        return self.system.standing(self.states[player], self.history.players[player], on)


def rated(history: History) -> Rated:
    """Rate a history from its openings on; HistoryError where an input cannot be applied."""
    system = get_system(history.system, history.options)
    states = opening_states(system, history.players)
    steps, lists = [], {}
    try:
        for step in replay(system, history, states):
            steps.append(step)
            if isinstance(step.cause, Closing):
                lists[step.day] = _ratings_on(system, history, states, step.day)
    except ValueError as error:
        raise HistoryError([str(error)]) from None
    return Rated(history, system, tuple(steps), states, lists)


def _ratings_on(system: System[Any], history: History, states: Mapping[str, Any], day: date) -> dict[str, float]:
    standings = {id: system.standing(state, history.players[id], day) for id, state in states.items()}
    return {id: s.rating for id, s in standings.items() if s.published and s.rating is not None}


def result_document(result: Rated, only: str | None = None) -> dict[str, Any]:
    """The JSON object of history-format's «Printed»; `only` keeps one table (by id)."""
    lists = [
        {"date": day.isoformat(), "players": [{"id": id, "rating": rating} for id, rating in ratings.items()]}
        for day, ratings in result.lists.items()
    ]
    return {
        "format": FORMAT,
        "system": result.history.system,
        "tables": [_table(table, got) for table, got in result.tables if only in (None, table.id)],
        **({"lists": lists} if lists else {}),
        "players": [_player(result, id) for id in result.history.players],
    }


def _table(table: Table, result: TableResult[Any]) -> dict[str, Any]:
    return {
        "id": table.id,
        "settled": result.settled,
        "rounds": result.rounds,
        "warnings": list(result.warnings),
        "players": [_row(row) for row in result.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    fields = asdict(replace(row, terms=()))
    fields["terms"] = list(row.terms)
    figures = fields.pop("figures")
    note = fields.pop("note")
    named: dict[str, Any] = {"id": fields.pop("player")} | fields | figures
    return named | ({"note": note} if note else {})


def _player(result: Rated, id: str) -> dict[str, Any]:
    standing = result.standing(id)
    return {
        "id": id,
        "rating": standing.rating,
        "games": standing.games,
        "grade": standing.grade,
        "category": standing.category,
        "published": standing.published,
        "opening": dict(result.system.write(result.states[id])),
    }


def result_text(result: Rated, only: str | None = None) -> str:
    """The same for people: a block a table, then the list by rating."""
    decimals = result.system.decimals
    blocks = []
    for table, got in result.tables:
        if only not in (None, table.id):
            continue
        lines = [f"{table.id}  {table.event}  {table.last_day}".rstrip()]
        lines += [_row_text(row, decimals) for row in got.rows]
        lines += [f"  ! {warning}" for warning in got.warnings]
        blocks.append("\n".join(lines))
    standings = {id: result.standing(id) for id in result.history.players}
    listed = sorted(
        ((id, s, s.rating) for id, s in standings.items() if s.published and s.rating is not None),
        key=lambda entry: (-entry[2], entry[0]),
    )
    lines = ["List"]
    lines += [
        f"{rank:4} {id:<24} {rating:>8.{decimals}f} {s.grade or '':<8}{s.games:5} {s.category}"
        for rank, (id, s, rating) in enumerate(listed, 1)
    ]
    return "\n\n".join([*blocks, "\n".join(lines)]) + "\n"


def _row_text(row: Row, decimals: int) -> str:
    def shown(rating: float | None, sign: str = "") -> str:
        return "-" if rating is None else f"{rating:{sign}.{decimals}f}"

    won = "; ".join(f"{award.grade} ({award.how})" for award in row.awards)
    return (
        f"  {row.player:<24} {shown(row.before):>8} {shown(row.change, '+'):>8} {shown(row.after):>8}"
        f" {row.games:3} {row.category:<12} {row.grade or '':<8} {won or row.note}"
    ).rstrip()


def differences(cases: Mapping[str, Any]) -> Iterator[str]:
    """Compare every figure of a file in the form of the reference cases; one line a difference, "" for none.

    Yields one string a figure, so that the caller can also count them.
    """
    for case in cases.get("cases", [cases]):
        name = case.get("name", "")
        for place, expected, got, tolerance in _figures(case):
            ok = _equal(expected, got, tolerance)
            yield "" if ok else f"{name} {place}: expected {expected!r}, got {got!r}".lstrip()


def _figures(case: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any, float]]:
    result = rated(history_of(case["history"]))
    tolerance = case.get("tolerance", 0.001)
    rows = {table.id: {row.player: _row(row) for row in got.rows} for table, got in result.tables}
    for table, players in case.get("expect", {}).items():
        for player, figures in players.items():
            row = rows.get(table, {}).get(player, {})
            for figure, value in figures.items():
                yield f"{table}.{player}.{figure}", value, row.get(figure, "nothing"), tolerance
    for day, ratings in case.get("expect_lists", {}).items():
        listed = result.lists.get(date.fromisoformat(day), {})
        for player, rating in ratings.items():
            yield f"{day}.{player}", rating, listed.get(player), tolerance
    for table, lines in case.get("lists", {}).items():
        lines_after = _list_after(result, table)
        for player in {**lines, **lines_after}:
            yield f"{table}.{player}", lines.get(player), lines_after.get(player), tolerance


def _list_after(result: Rated, last: str) -> dict[str, dict[str, Any]]:
    """The list lines as the federation prints them after a table: everybody published then."""
    states = opening_states(result.system, result.history.players)
    for step in result.steps:
        states.update(step.result.states)
        if isinstance(step.cause, Table) and step.cause.id == last:
            break
    standings = ((id, result.system.standing(state, result.history.players[id])) for id, state in states.items())
    return {id: {"rating": s.rating, "games": s.games, "grade": s.grade} for id, s in standings if s.published}


def _equal(expected: Any, got: Any, tolerance: float) -> bool:
    if isinstance(expected, float) and isinstance(got, int | float):
        return abs(expected - got) <= tolerance
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(key in got and _equal(value, got[key], tolerance) for key, value in expected.items())
    return bool(expected == got)
