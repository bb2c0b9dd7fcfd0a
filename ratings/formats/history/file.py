"""Reader and writer of ratings-history/1: a rating history as one JSON file.

Files are read strictly and written in a fixed order. Invalid files raise HistoryError with the position of each
problem, as `tables[3].games[7].score: 2 is not one of 0, 0.5, 1`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from pydantic import ValidationError

from ratings.systems.values import Adjustment, Decision, Game, History, OptionChange, Player, Table

from .checks import find_problems
from .schema import FORMAT, HistoryError, HistoryForm, TableForm, format_validation_errors

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
        {player.id: Player(**dict(player)) for player in parsed.players},
        tuple(_build_table(table) for table in parsed.tables),
        tuple(Adjustment(**dict(adjustment)) for adjustment in parsed.adjustments),
        tuple(Decision(**dict(decision)) for decision in parsed.decisions),
        parsed.options,
        option_changes=tuple(OptionChange(**dict(change)) for change in parsed.option_changes),
    )


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
FIELD_NAMES = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (Player, Adjustment, Decision, OptionChange, Table, Game)
}
NO_GAME = Game(None, "", None, None)
REQUIRED = {"id", "date", "options", "players", "games", "round", "a", "b", "score", "player", "grade", "ruling"}


def _collect_fields(value: Any, default: Any, omit: Iterable[str] = ()) -> dict[str, Any]:
    """Return the fields of a value that differ from the default or are required, by their names in the file."""
    values = ((name, getattr(value, name)) for name in FIELD_NAMES[type(value)] if name not in omit)
    return {
        NAMES_IN_FILE.get(name, name): dict(sorted(item.items())) if isinstance(item, dict) else item
        for name, item in values
        if item != getattr(default, name) or (name in REQUIRED and item is not None)
    }


def describe_adjustment(adjustment: Adjustment) -> dict[str, Any]:
    """Return the entry of an adjustment in a history file."""
    return _collect_fields(adjustment, Adjustment(dt.date.min), {"id"})


def describe_decision(decision: Decision) -> dict[str, Any]:
    """Return the entry of a decision in a history file."""
    return _collect_fields(decision, Decision(dt.date.min, "", "", ""), {"id"})


def describe_table(table: Table) -> dict[str, Any]:
    """Return the entry of a table in a history file."""
    document = _collect_fields(table, Table("", dt.date.min, (), ()))
    games = [_collect_fields(game, NO_GAME) for game in table.games]
    document["games"] = [game | ({} if "b" in game else {"b": None}) for game in games]
    if table.under_21:
        document["under_21"] = sorted(table.under_21)
    return document
