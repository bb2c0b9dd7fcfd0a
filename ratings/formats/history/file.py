"""ratings-history/1: a rating history as one JSON file, read strictly and written in a fixed order.

Read errors are HistoryError; each names its place, as `tables[3].games[7].score: 2 is not one of 0, 0.5, 1`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from ratings.systems.values import Adjustment, Decision, Game, History, Player, Table

from .history_checks import problems_of
from .history_form import FORMAT, HistoryError, HistoryForm, TableForm, in_words

__all__ = ["HistoryError", "history_of", "read_history", "read_json", "write_history"]


def read_history(data: bytes) -> History:
    """Parse a file; HistoryError lists everything that is wrong with its form, then with its sense."""
    return history_of(read_json(data))


def read_json(data: bytes) -> object:
    """What stands in a file, whatever it is; HistoryError where it is no JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise HistoryError([f"not JSON in UTF-8: {error}"]) from None


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def history_of(document: object) -> History:
    """The same for JSON that is already parsed."""
    try:
        parsed = HistoryForm.model_validate(document)
    except ValidationError as error:
        raise HistoryError(in_words(error)) from None
    if problems := problems_of(parsed):
        raise HistoryError(problems)
    return History(
        parsed.system,
        {player.id: Player(**dict(player)) for player in parsed.players},
        tuple(_table_value(table) for table in parsed.tables),
        tuple(Adjustment(**dict(adjustment)) for adjustment in parsed.adjustments),
        tuple(Decision(**dict(decision)) for decision in parsed.decisions),
        parsed.options,
    )


def _table_value(table: TableForm) -> Table:
    given = dict(table) | {
        "players": tuple(table.players),
        "under_21": frozenset(table.under_21),
        "games": tuple(Game(**dict(game)) for game in table.games),
    }
    return Table(**given)


def write_history(history: History) -> str:
    """The file for a history, a line an entry, byte for byte the same for the same inputs in the same order."""
    parts: dict[str, list[Mapping[str, Any]]] = {
        "players": [_named(player, Player("")) for player in history.players.values()],
        "adjustments": [_named(a, Adjustment(dt.date.min), {"id"}) for a in history.adjustments],
        "decisions": [_named(d, Decision(dt.date.min, "", "", ""), {"id"}) for d in history.decisions],
        "tables": [_table_document(table) for table in history.tables],
    }
    head = {"format": FORMAT, "system": history.system, "options": dict(history.options)}
    lines = [f"{json.dumps(key)}: {_dump(value)}" for key, value in head.items()]
    for key, entries in parts.items():
        body = ",\n  ".join(_dump(entry) for entry in entries)
        lines.append(f"{json.dumps(key)}: [" + (f"\n  {body}\n" if entries else "") + "]")
    return "{" + ",\n".join(lines) + "}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


REQUIRED = {"id", "date", "players", "games", "round", "a", "b", "score", "player", "grade", "ruling"}


def _named(value: Any, default: Any, omit: Iterable[str] = ()) -> dict[str, Any]:
    """The fields of a value that differ from the default or are required."""
    fields = ((name, getattr(value, name)) for name in value.__slots__ if name not in omit)
    return {
        "is" if name == "ruling" else name: dict(sorted(given.items())) if isinstance(given, dict) else given
        for name, given in fields
        if given != getattr(default, name) or (name in REQUIRED and given is not None)
    }


def _table_document(table: Table) -> dict[str, Any]:
    document = _named(table, Table("", dt.date.min, (), ()))
    games = [_named(game, Game(None, "", None, None)) for game in table.games]
    document["games"] = [game | ({} if "b" in game else {"b": None}) for game in games]
    if table.under_21:
        document["under_21"] = sorted(table.under_21)
    return document
