"""Settings of a list's rating system in words, for the page of the rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from ratings.localize import translate_message
from ratings.option_forms import option_label, write_value
from ratings.systems.options import Option


class Setting(NamedTuple):
    """A setting: its key in files, and in words its name, its value, what it does and which values are possible."""

    key: str
    label: str
    value: str
    meaning: str
    accepts: str


def describe_setting(option: Option, value: Any) -> Setting:
    """Return a setting of a system with the value that a list has."""
    accepts = " / ".join(map(write_value, option.allowed)) or translate_message(option.accepts)
    return Setting(option.key, option_label(option), write_value(value), translate_message(option.meaning), accepts)
