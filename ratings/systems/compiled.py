"""The compiled kernel, where numba is there to compile it; whoever asks goes on in pure Python where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from .arithmetic import performance_rating


@cache
def kernel() -> Any:
    """The compiled module or None. It takes a second to load, so only who rates loads it."""
    return import_module(".fesa_kernel", __package__) if find_spec("numba") else None


def performance(results: Sequence[tuple[float, float]]) -> float | None:
    """arithmetic.performance_rating without weights."""
    compiled = kernel()
    if compiled is None or not results:
        return performance_rating(results)
    columns = np.array(results, dtype=np.float64)
    found = compiled.performance(np.ascontiguousarray(columns[:, 0]), np.ascontiguousarray(columns[:, 1]))
    return None if found == compiled.NONE else float(found)
