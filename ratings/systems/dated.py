"""A rating system whose options change on given days."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Generic

from .messages import Message as _
from .options import format_value
from .protocol import System
from .rating_rules import S
from .values import OptionChange


class DatedSystem(Generic[S]):
    """A rating system with the options of a list, some of which change on given days.

    `first` has the options that hold from the beginning, `last` those that hold after the last change.
    """

    def __init__(
        self, system: type[System[S]], options: Mapping[str, Any] | None = None, changes: Sequence[OptionChange] = ()
    ) -> None:
        """Configure the system for each span of days.

        Raise ValueError for an unknown or fixed option, an invalid value, or two changes on one day.
        """
        present = dict(options or {})
        self.days: list[dt.date] = []
        """Days of the changes, the earliest first."""
        self._systems = [system(present)]
        for change in sorted(changes, key=lambda change: change.date):
            if self.days and self.days[-1] == change.date:
                raise ValueError(_("{day}: the options change twice on this day", day=change.date))
            try:
                check_changeable(system, change.options)
                present = {**present, **change.options}
                self._systems.append(system(present))
            except ValueError as error:
                raise ValueError(_("{day}: {error}", day=change.date, error=error)) from None
            self.days.append(change.date)

    @property
    def first(self) -> System[S]:
        return self._systems[0]

    @property
    def last(self) -> System[S]:
        return self._systems[-1]

    def on(self, day: dt.date | None) -> System[S]:
        """Return the system with the options of a day; those from the beginning for None."""
        return self._systems[0 if day is None else bisect_right(self.days, day)]


def check_changeable(system: type[System[Any]], options: Mapping[str, Any]) -> None:
    """Raise ValueError if no option is given, or one that cannot change while a list is rated."""
    if not options:
        raise ValueError(_("a change of options needs at least one option"))
    for option in system.options:
        if option.key in options and not option.changeable:
            details = {"key": option.key, "value": format_value(options[option.key])}
            raise ValueError(_("{key} cannot change to {value}: it holds from a list’s first day on", **details))
