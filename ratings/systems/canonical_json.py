"""JSON in one form, so that texts can be compared, stored and hashed.

Keys are sorted, there are no spaces and only ASCII characters, and whole numbers have no decimal point.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring_ascii as write_text
from typing import Any

__all__ = ["write_json", "write_number", "write_text"]


def write_number(number: float | None) -> str:
    """Return a number as JSON, None as null."""
    if number is None:
        return "null"
    return repr(int(number)) if number == int(number) else float.__repr__(number)


def write_json(value: Any) -> str:
    """Return a value as JSON, a date as text; raise TypeError for values that JSON cannot hold."""
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    for kind, write_kind in _WRITERS.items():
        if isinstance(value, kind):
            return write_kind(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON: {value!r}")


def _write_mapping(value: Mapping[str, Any]) -> str:
    return f"{{{','.join([f'{write_text(key)}:{write_json(value[key])}' for key in sorted(value)])}}}"


def _write_list(value: list[Any] | tuple[Any, ...]) -> str:
    return f"[{','.join([write_json(inner) for inner in value])}]"


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: write_text,
    bool: lambda value: "true" if value else "false",
    int: int.__repr__,
    float: write_number,
    type(None): write_number,
    dict: _write_mapping,
    list: _write_list,
    tuple: _write_list,
    Mapping: _write_mapping,
    dt.date: lambda value: write_text(str(value)),
}
"""Functions by type; a value of a type that is not here is written as the first one of which it is an instance."""
