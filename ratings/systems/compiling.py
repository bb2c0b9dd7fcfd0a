"""Compilation of rules by numba, so that long histories are rated fast and every rule is written once.

Rules are plain Python functions marked by `compiled`. Python code calls them as they are; compiled loops
(`load_compiled`) call machine code made from the same source. Where numba is missing, only the Python functions exist.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_FUNCTIONS: list[Callable[..., Any]] = []


def compiled(function: F) -> F:
    """Mark a function that compiled loops may call; Python code runs it unchanged.

    The function must be written in the part of Python that numba compiles. numba is not imported here, since that takes
    longer than everything else at the start of a process.
    """
    _FUNCTIONS.append(function)
    return function


@cache
def load_compiled(function: F) -> F | None:
    """Return a function marked by `compiled` as machine code; None if numba is not installed.

    The first call in a process takes about a second, and much longer if a rule has changed since the last compilation,
    whose result numba keeps on disk (NUMBA_CACHE_DIR, otherwise beside this file).
    """
    if find_spec("numba") is None:
        return None
    from numba import njit  # noqa: PLC0415 - slow to load, and few processes need it

    for rule in _FUNCTIONS:
        _make_callable(rule)

    def run(*arguments: Any) -> Any:
        return function(*arguments)

    # numba names the files of its stored code by the function: other rules, such as those of another release, must not
    # be read, because they may need modules and classes that do not exist here
    run.__qualname__ = f"{function.__name__}_{_digest_rules()}"
    machine_code: Any = njit(cache=True, nogil=True)(run)
    return cast("F", machine_code)


@cache
def _make_callable(rule: Callable[..., Any]) -> None:
    """Let machine code call a Python function, as machine code."""
    from numba.extending import register_jitable  # noqa: PLC0415 - as above

    register_jitable(rule)


def _digest_rules() -> str:
    """Return a digest of the modules with marked functions, and of the numbers that these import from other modules."""
    digest = hashlib.sha256()
    for module in dict.fromkeys(import_module(rule.__module__) for rule in _FUNCTIONS):
        digest.update(Path(str(module.__file__)).read_bytes())
        constants = {name: value for name, value in vars(module).items() if isinstance(value, int | float | tuple)}
        digest.update(repr(constants).encode())
    return digest.hexdigest()
