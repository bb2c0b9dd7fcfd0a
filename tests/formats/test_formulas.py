"""The formula guard: one rule for every file that leaves the portal."""

import pytest

from ratings.formats.formulas import guard_formula, unguard_formula

RUN_AS_FORMULA = [
    "=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)", "﹦1", "\t=1", "\r=1", "\n=1", "\tname",
    " =1", "\u3000＝1", "\u200b=1", "\ufeff=1", "\u202e=1", "'=1", "''=1", "' =1",
]  # fmt: skip
HARMLESS = ["", "Ada", "O'Neil", "'t Hooft", "1-2", "2+", " Ada", "a=b", "山本"]


@pytest.mark.parametrize("text", RUN_AS_FORMULA)
def test_formula_guard_puts_an_apostrophe_before_formulas(text):
    assert guard_formula(text) == f"'{text}"
    assert unguard_formula(guard_formula(text)) == text


@pytest.mark.parametrize("value", [*HARMLESS, -1, 2.5, None, True])
def test_formula_guard_leaves_other_values_unchanged(value):
    assert guard_formula(value) == value
    assert unguard_formula(value) == value
