"""ratings-result/1: the output of `manage.py rate` as JSON or text, and its comparison with reference cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from ratings.systems import get_system_of
from ratings.systems.dated import DatedSystem
from ratings.systems.protocol import System
from ratings.systems.replay import Step, follow, opening_states, replay
from ratings.systems.state_checks import is_number
from ratings.systems.values import Closing, History, Row, Standing, StateJson, Table, TableResult

from .file import HistoryError, parse_history

FORMAT = "ratings-result/1"


@dataclass(frozen=True)
class RatedHistory:
    """A rated history.

    `steps` are in order, `states` are the final ones, and `lists` maps each closing day to its list: player id to the
    figures of the list's entry, best first.
    """

    history: History
    dated: DatedSystem[Any]
    steps: tuple[Step, ...]
    states: Mapping[str, Any]
    lists: Mapping[date, Mapping[str, StateJson]]

    @property
    def tables(self) -> Iterator[tuple[Table, TableResult[Any]]]:
        return ((step.cause, step.result) for step in self.steps if isinstance(step.cause, Table))

    @property
    def last_day(self) -> date | None:
        """Day of the last step; None without steps."""
        return self.steps[-1].day if self.steps else None

    @property
    def system(self) -> System[Any]:
        """The system with the options of the last step's day."""
        return self.dated.on(self.last_day)

    def standing(self, player: str) -> Standing:
        """Return a player's standing on the day of the last step."""
        return self.system.rating.standing(self.states[player], self.history.players[player], self.last_day)


def rate_history(history: History) -> RatedHistory:
    """Rate a history from its openings; raise HistoryError if an input cannot be applied."""
    dated = get_system_of(history)
    states = opening_states(dated.first, history.players)
    steps, lists = [], {}
    try:
        for step in replay(dated, history, states):
            steps.append(step)
            if isinstance(step.cause, Closing):
                lists[step.day] = _get_list_of(dated.on(step.day), history, states, step.day)
    except ValueError as error:
        raise HistoryError([str(error)]) from None
    return RatedHistory(history, dated, tuple(steps), states, lists)


def _get_list_of(system: System[Any], history: History, states: Mapping[str, Any], day: date) -> dict[str, StateJson]:
    entries = ((id, system.rating.list_entry(state, history.players[id], day)) for id, state in states.items())
    listed = [(id, entry) for id, entry in entries if entry is not None]
    return dict(sorted(listed, key=lambda item: (-item[1]["rating"], item[0])))


def result_document(result: RatedHistory, only: str | None = None) -> dict[str, Any]:
    """Return the JSON object that the history format describes under «Printed».

    If `only` is a table's id, the other tables are omitted.
    """
    lists = [
        {"date": day.isoformat(), "players": [{"id": id, **entry} for id, entry in entries.items()]}
        for day, entries in result.lists.items()
    ]
    return {
        "format": FORMAT,
        "system": result.history.system,
        "tables": [
            _serialize_table(table, table_result) for table, table_result in result.tables if only in (None, table.id)
        ],
        **({"lists": lists} if lists else {}),
        "players": [_serialize_player(result, id) for id in result.history.players],
    }


def _serialize_table(table: Table, result: TableResult[Any]) -> dict[str, Any]:
    return {
        "id": table.id,
        "settled": result.settled,
        "rounds": result.rounds,
        "warnings": list(result.warnings),
        "players": [_serialize_row(row) for row in result.rows],
    }


def _serialize_row(row: Row) -> dict[str, Any]:
    fields = asdict(replace(row, terms=(), figures={}))
    fields["terms"] = list(row.terms)
    del fields["figures"]
    note = fields.pop("note")
    named: dict[str, Any] = {"id": fields.pop("player"), **fields, **row.figures}
    return named | ({"note": note} if note else {})


def _serialize_player(result: RatedHistory, id: str) -> dict[str, Any]:
    standing = result.standing(id)
    return {
        "id": id,
        "rating": standing.rating,
        "games": standing.games,
        "grade": standing.grade,
        "category": standing.category,
        "published": standing.published,
        "opening": dict(result.system.rating.write(result.states[id])),
    }


def result_text(result: RatedHistory, only: str | None = None) -> str:
    """Return the result as text: one block per table, then the list by rating.

    If `only` is a table's id, the other tables are omitted.
    """
    decimals = result.system.presentation.decimals
    blocks = []
    for table, table_result in result.tables:
        if only not in (None, table.id):
            continue
        lines = [f"{table.id}  {table.event}  {table.last_day}".rstrip()]
        lines += [_format_row(row, decimals) for row in table_result.rows]
        lines += [f"  ! {warning}" for warning in table_result.warnings]
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


def _format_row(row: Row, decimals: int) -> str:
    def format_rating(rating: float | None, sign: str = "") -> str:
        return "-" if rating is None else f"{rating:{sign}.{decimals}f}"

    awards = "; ".join(f"{award.grade} ({award.how})" for award in row.awards)
    return (
        f"  {row.player:<24} {format_rating(row.before):>8} {format_rating(row.change, '+'):>8}"
        f" {format_rating(row.after):>8}"
        f" {row.games:3} {row.category:<12} {row.grade or '':<8} {awards or row.note}"
    ).rstrip()


def compare_figures(cases: Mapping[str, Any]) -> Iterator[str]:
    """Compare all expected figures of reference cases with the ratings; yield one string per figure.

    The string describes the difference; it is empty if there is none, so that the caller can also count the figures.
    """
    for case in cases.get("cases", [cases]):
        name = case.get("name", "")
        for place, expected, got, tolerance in _collect_figures(case):
            ok = _is_equal(expected, got, tolerance)
            yield "" if ok else f"{name} {place}: expected {expected!r}, got {got!r}".lstrip()


def _collect_figures(case: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any, float]]:
    result = rate_history(parse_history(case["history"]))
    tolerance = case.get("tolerance", 0.001)
    rows = {table.id: {row.player: _serialize_row(row) for row in got.rows} for table, got in result.tables}
    for table, players in case.get("expect", {}).items():
        for player, figures in players.items():
            row = rows.get(table, {}).get(player, {})
            yield from _collect_row_figures(f"{table}.{player}", figures, row, tolerance)
    yield from _collect_list_figures(case, result, tolerance)
    for table, lines in case.get("lists", {}).items():
        lines_after = _get_list_after(result, table)
        for player in {**lines, **lines_after}:
            yield f"{table}.{player}", lines.get(player), lines_after.get(player), tolerance


def _collect_row_figures(
    place: str, expected: Mapping[str, Any], row: Mapping[str, Any], tolerance: float
) -> Iterable[tuple[str, Any, Any, float]]:
    """Yield the expected figures of a row; the key `_tol` is their own tolerance."""
    for figure, value in expected.items():
        if figure != "_tol":
            yield f"{place}.{figure}", value, row.get(figure, "nothing"), expected.get("_tol", tolerance)


def _collect_list_figures(
    case: Mapping[str, Any], result: RatedHistory, tolerance: float
) -> Iterable[tuple[str, Any, Any, float]]:
    """Yield the expected figures of lists (`expect_lists`) and of the rows of closing days (`expect_periods`)."""
    tolerances = case.get("list_tolerance", {})
    for day, players in case.get("expect_lists", {}).items():
        listed = result.lists.get(date.fromisoformat(day), {})
        for player, expected in players.items():
            entry = listed.get(player, {})
            if not isinstance(expected, dict):
                yield f"{day}.{player}", expected, entry.get("rating"), tolerance
                continue
            for figure, value in expected.items():
                at_most = tolerances.get(figure, tolerance)
                yield f"{day}.{player}.{figure}", value, entry.get(figure, "nothing"), at_most
    closings = {step.day: step.result.rows for step in result.steps if isinstance(step.cause, Closing)}
    for day, players in case.get("expect_periods", {}).items():
        rows = {row.player: _serialize_row(row) for row in closings.get(date.fromisoformat(day), ())}
        for player, expected in players.items():
            yield from _collect_row_figures(f"{day}.{player}", expected, rows.get(player, {}), tolerance)


def _get_list_after(result: RatedHistory, last: str) -> dict[str, dict[str, Any]]:
    """Return the published list after a table, as the federation prints it: rating, games and grade by player id."""
    players, rating = result.history.players, result.dated.first.rating
    states: Mapping[str, Any] = opening_states(result.dated.first, players)
    for step, states in follow(result.dated, result.history, result.steps):  # noqa: B007 - those of the last one
        rating = result.dated.on(step.day).rating
        if isinstance(step.cause, Table) and step.cause.id == last:
            break
    standings = ((id, rating.standing(state, players[id])) for id, state in states.items())
    return {id: {"rating": s.rating, "games": s.games, "grade": s.grade} for id, s in standings if s.published}


def _is_equal(expected: Any, got: Any, tolerance: float) -> bool:
    if is_number(expected) and is_number(got):
        return bool(abs(expected - got) <= tolerance)
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(key in got and _is_equal(value, got[key], tolerance) for key, value in expected.items())
    return bool(expected == got)
