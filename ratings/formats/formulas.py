"""Formula guard for all CSV files and workbooks that the portal writes.

Spreadsheet programs run a cell as a formula if its text begins with `=`, `+`, `-` or `@`, also in their fullwidth and
small forms, and also after spaces, tabs or invisible characters. An apostrophe in front of the text prevents that.
"""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")

STARTS = "=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻−"
"""The characters that begin a formula, escaped for a character class."""
IGNORED = "\\s\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff"
"""White space and invisible characters that spreadsheet programs skip in front of a formula."""
FORMULA = re.compile(f"'*(?:[\t\r\n]|[{IGNORED}]*[{STARTS}])")
GUARDED_FORMULA = re.compile(f"'{FORMULA.pattern}")


def guard_formula(value: T) -> T | str:
    """Return a text with an apostrophe in front if a spreadsheet program would run it; other values unchanged."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def unguard_formula(value: T) -> T | str:
    """Return a text without the apostrophe that `guard_formula` put in front of it; other values unchanged."""
    return value[1:] if isinstance(value, str) and GUARDED_FORMULA.match(value) else value
