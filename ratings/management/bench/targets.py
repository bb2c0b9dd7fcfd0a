"""Targets of the benchmark of rating runs: ratios between figures of one table, and seconds of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .concurrency import BOTH, BUSY, ONE_BY_ONE, QUIET
from .history import SIZES
from .measure import ENGINE, ENGINE_LATE, FROM_NOTHING, LATE, ROWS_IN, Figure

COMPILED_SYSTEM = "fesa-2016"
MEGABYTES = 3_000
"""Most memory of a run of size L."""
ENGINE_SECONDS = {"rif-2021": {ENGINE: 5, ENGINE_LATE: 2}}
"""Most seconds of the engine without the database, for 60,000 games on 20 list days, by system."""


@dataclass(frozen=True)
class Target:
    """Most times that a figure may take of another one of the same table."""

    what: str
    of: str
    most: float

    def describe(self, seconds: Mapping[str, float]) -> str:
        """Return a line with the ratio that was measured, and whether the target is reached."""
        ratio = seconds[self.what] / seconds[self.of]
        reached = "reached" if ratio <= self.most else "MISSED"
        return f"{reached}: {self.what} takes {ratio:.2f} times “{self.of}”, at most {self.most:g}"


def list_targets(size: str, system: str) -> list[Target]:
    """Return the targets of a size and a system."""
    late = Target(LATE, ROWS_IN, 0.5) if size == "S" else Target(LATE, FROM_NOTHING, 0.03)
    if SIZES[size].rated_once:
        return [late]
    whole = Target(FROM_NOTHING, ROWS_IN, 2 if system == COMPILED_SYSTEM else 3)
    return [Target(BOTH, ONE_BY_ONE, 0.7), Target(BUSY, QUIET, 1.2), whole, late]


def check_targets(size: str, system: str, figures: Mapping[str, Figure], medium: float | None = None) -> Iterator[str]:
    """Yield a line for each target, which begins with “reached”, “MISSED” or, for want of the other size, “unknown”.

    `medium` are the seconds of size M from nothing, with which those of size L are compared.
    """
    seconds = {what: figure.seconds for what, figure in figures.items()}
    for target in list_targets(size, system):
        yield target.describe(seconds)
    if size == "S":
        for what, most in ENGINE_SECONDS.get(system, {}).items():
            reached = "reached" if seconds[what] <= most else "MISSED"
            yield f"{reached}: {what} takes {seconds[what]:.1f} s, at most {most}"
    if size != "L":
        return
    used = figures[FROM_NOTHING].megabytes or 0
    yield f"{'reached' if used < MEGABYTES else 'MISSED'}: {used:,} MB of memory, less than {MEGABYTES:,}"
    of_medium = "the same for size M"
    if medium is None:
        yield f"unknown: {FROM_NOTHING} compared with “{of_medium}”, whose table is missing"
    else:
        yield Target(FROM_NOTHING, of_medium, 12).describe(seconds | {of_medium: medium})


def read_seconds(table: str, what: str) -> float | None:
    """Return the seconds of a line of a printed table; None if it has no such line."""
    lines = (line for line in table.splitlines() if line.startswith(f"{what}  "))
    return next((float(line.removeprefix(what).split()[0]) for line in lines), None)
