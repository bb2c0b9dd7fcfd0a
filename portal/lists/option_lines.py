"""Changed options of a list in words: each with its name, its meaning, its old and its new value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ratings.localize import translate_message
from ratings.models import RatingList
from ratings.option_forms import option_label, write_value


@dataclass(frozen=True)
class OptionLine:
    """An option that changes: its name, its meaning, its value so far and its new value."""

    name: str
    meaning: str
    old: str
    new: str


@dataclass(frozen=True)
class DatedLines:
    """Options that changed on a day, and the reason."""

    day: dt.date
    lines: list[OptionLine]
    reason: str


def compare_options(rating_list: RatingList, before: Mapping[str, Any], options: Mapping[str, Any]) -> list[OptionLine]:
    """Return a line for each of these options of a list's system, with its value in the settings before."""
    return [
        OptionLine(
            option_label(option),
            translate_message(option.meaning),
            write_value(before[option.key]),
            write_value(options[option.key]),
        )
        for option in rating_list.rating_system.options
        if option.key in options
    ]


def list_option_changes(rating_list: RatingList) -> list[DatedLines]:
    """Return the changes of a list's options, the latest first; those to come too."""
    dated = rating_list.dated_system
    day_before = dt.timedelta(days=1)
    changes = [
        DatedLines(
            change.date,
            compare_options(rating_list, dated.on(change.date - day_before).settings, change.options),
            change.reason,
        )
        for change in rating_list.parsed_option_changes
    ]
    return changes[::-1]
