"""Reader and writer of ratings-history/1: a rating history as one JSON file.

Files are read strictly and written in a fixed order. Invalid files raise HistoryError with the position of each
problem, as `tables[3].games[7].score: 2 is not one of 0, 0.5, 1`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

from pydantic import ValidationError

from ratings.systems.values import Adjustment, Decision, Game, History, OptionChange, Player, Table

from .checks import find_problems
from .schema import FORMAT, HistoryError, HistoryForm, PlayerForm, TableForm, format_validation_errors

__all__ = ["HistoryError", "parse_history", "read_history", "read_json", "write_history"]


def read_history(data: bytes) -> History:
    """Return the history of a file.

    Raises HistoryError with all problems of the schema or, if there are none, with all semantic problems.
    """
    return parse_history(read_json(data))


def read_json(data: bytes) -> object:
    """Return the JSON value of a file; raise HistoryError if the file is not JSON in UTF-8."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise HistoryError([f"not JSON in UTF-8: {error}"]) from None


def _reject_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def parse_history(document: object) -> History:
    """Return the history of parsed JSON; raise HistoryError with all problems, as `read_history` does."""
    try:
        parsed = HistoryForm.model_validate(document)
    except ValidationError as error:
        raise HistoryError(format_validation_errors(error)) from None
    if problems := find_problems(parsed):
        raise HistoryError(problems)
    return History(
        parsed.system,
        {player.id: _build_player(player) for player in parsed.players},
        tuple(_build_table(table) for table in parsed.tables),
        tuple(Adjustment(**dict(adjustment)) for adjustment in parsed.adjustments),
        tuple(Decision(**dict(decision)) for decision in parsed.decisions),
        parsed.options,
        option_changes=tuple(OptionChange(**dict(change)) for change in parsed.option_changes),
    )


def _build_player(player: PlayerForm) -> Player:
    outside = tuple(one.model_dump(exclude_defaults=True) for one in player.outside_ids)
    return Player(**(dict(player) | {"outside_ids": outside}))


def _build_table(table: TableForm) -> Table:
    fields = dict(table) | {
        "players": tuple(table.players),
        "under_21": frozenset(table.under_21),
        "games": tuple(Game(**dict(game)) for game in table.games),
    }
    return Table(**fields)


def write_history(history: History) -> str:
    """Return the JSON text of a history, with one entry per line.

    Equal inputs in the same order give the same bytes.
    """
    parts: dict[str, list[Mapping[str, Any]]] = {
        "players": [_collect_fields(player, Player("")) for player in history.players.values()],
        "adjustments": [describe_adjustment(adjustment) for adjustment in history.adjustments],
        "decisions": [describe_decision(decision) for decision in history.decisions],
        "tables": [describe_table(table) for table in history.tables],
    }
    head: dict[str, Any] = {"format": FORMAT, "system": history.system, "options": dict(history.options)}
    if history.option_changes:
        head["option_changes"] = [_collect_fields(c, OptionChange(dt.date.min, {})) for c in history.option_changes]
    lines = [f"{json.dumps(key)}: {_dump(value)}" for key, value in head.items()]
    for key, entries in parts.items():
        body = ",\n  ".join(_dump(entry) for entry in entries)
        lines.append(f"{json.dumps(key)}: [" + (f"\n  {body}\n" if entries else "") + "]")
    return "{" + ",\n".join(lines) + "}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


NAMES_IN_FILE = {"ruling": "is", "time_class": "class", "list_day": "list"}
NO_GAME, NO_TABLE = Game(None, "", None, None), Table("", dt.date.min, (), ())
REQUIRED = {"id", "date", "options", "players", "games", "round", "a", "b", "score", "player", "grade", "ruling"}


class _Fields(NamedTuple):
    """Fields of a kind of value: a function that reads all of them, their names in the file, and which are required."""

    read: Callable[[Any], tuple[Any, ...]]
    names: tuple[str, ...]
    required: tuple[bool, ...]


def _list_fields(kind: type[Any]) -> _Fields:
    names = tuple(field.name for field in fields(kind))
    required = tuple(name in REQUIRED for name in names)
    return _Fields(attrgetter(*names), tuple(NAMES_IN_FILE.get(name, name) for name in names), required)


FIELDS = {kind: _list_fields(kind) for kind in (Player, Adjustment, Decision, OptionChange, Table, Game)}


def _collect_fields(value: Any, default: Any) -> dict[str, Any]:
    """Return the fields of a value that differ from the default or are required, by their names in the file."""
    read, names, required = FIELDS[type(value)]
    return {
        name: dict(sorted(item.items())) if isinstance(item, dict) else item
        for name, item, usual, is_required in zip(names, read(value), read(default), required, strict=True)
        if item != usual or (is_required and item is not None)
    }


def _describe_record(record: Adjustment | Decision, default: Adjustment | Decision) -> dict[str, Any]:
    """Return the entry of a record in a history file, which has no id."""
    return {name: value for name, value in _collect_fields(record, default).items() if name != "id"}


def describe_adjustment(adjustment: Adjustment) -> dict[str, Any]:
    """Return the entry of an adjustment in a history file."""
    return _describe_record(adjustment, Adjustment(dt.date.min))


def describe_decision(decision: Decision) -> dict[str, Any]:
    """Return the entry of a decision in a history file."""
    return _describe_record(decision, Decision(dt.date.min, "", "", ""))


def describe_game(game: Game) -> dict[str, Any]:
    """Return the entry of a game in a history file, with `b` even if there is none."""
    described = _collect_fields(game, NO_GAME)
    return described if "b" in described else described | {"b": None}


def describe_table(table: Table) -> dict[str, Any]:
    """Return the entry of a table in a history file."""
    document = _collect_fields(table, NO_TABLE)
    document["games"] = [describe_game(game) for game in table.games]
    if table.under_21:
        document["under_21"] = sorted(table.under_21)
    return document
