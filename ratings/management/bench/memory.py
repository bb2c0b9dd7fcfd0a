"""Memory of processes over time: samples, their table, and whether it grows."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_GROWTH = 1.10
"""Most that the median of the last quarter may be, as a multiple of that of the second quarter."""
QUARTERS = 4


@dataclass(frozen=True)
class Growth:
    """Memory of one process in MB: first and last sample, and the median of each quarter of the time between."""

    name: str
    start: float
    quarters: tuple[float, ...]
    end: float

    @property
    def ratio(self) -> float:
        """Median of the last quarter as a multiple of that of the second; in the first, caches are still filled."""
        return self.quarters[-1] / self.quarters[1]

    @property
    def is_growing(self) -> bool:
        return self.ratio > MOST_GROWTH


def measure_growth(name: str, samples: Sequence[float]) -> Growth:
    """Return the growth of a process from its samples, which were taken at equal intervals, at least one a quarter."""
    if len(samples) < QUARTERS:
        raise ValueError(f"{name}: {len(samples)} samples, expected at least {QUARTERS}")
    borders = [len(samples) * number // QUARTERS for number in range(QUARTERS + 1)]
    parts = [samples[borders[number] : borders[number + 1]] for number in range(QUARTERS)]
    return Growth(name, samples[0], tuple(statistics.median(part) for part in parts), samples[-1])


def format_table(samples: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the lines of the table of all processes."""
    lines = [f"{'process':20}{'start':>9}{'1st':>9}{'2nd':>9}{'3rd':>9}{'4th':>9}{'end':>9}{'4th/2nd':>9}"]
    for name, values in samples.items():
        growth = measure_growth(name, values)
        figures = "".join(f"{value:9.1f}" for value in (growth.start, *growth.quarters, growth.end))
        lines.append(f"{name:20}{figures}{growth.ratio:9.3f}  {'GROWS' if growth.is_growing else 'ok'}")
    return lines


def find_growing(samples: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the names of the processes whose memory grows."""
    return [name for name, values in samples.items() if measure_growth(name, values).is_growing]
