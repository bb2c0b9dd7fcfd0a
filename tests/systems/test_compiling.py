"""Rules are plain functions, which compiled loops can call; numba is optional."""

import sys
from importlib import import_module, invalidate_caches

import pytest

from ratings.systems import compiling
from ratings.systems.bgf.system import Bgf
from ratings.systems.compiling import compiled, load_compiled
from ratings.systems.egf.system import Egf2021
from ratings.systems.fesa.kernel_2016 import rate_tables_2016
from ratings.systems.fesa.system import Fesa2000, Fesa2016
from ratings.systems.rif.system import Rif1997

TABLE = "LOWEST_K = {k}\n"
RULE = """
from ratings.systems.compiling import compiled
from rule_table import LOWEST_K

@compiled
def change(score):
    return LOWEST_K * (score - 0.5)

@compiled
def sum_changes(scores):
    total = 0.0
    for score in scores:
        total += change(score)
    return total
"""


RULE_WITH_CLASS = (
    RULE
    + """
from typing import NamedTuple

class Scores(NamedTuple):
    first: float
    second: float
"""
)


@pytest.fixture
def rule_module(tmp_path, monkeypatch):
    """Return a function that writes a rule with a table and imports it, as a process started after a change does."""
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)

    def write(k, rule=RULE):
        for name in ("rule", "rule_table"):
            sys.modules.pop(name, None)
        monkeypatch.setattr(compiling, "_FUNCTIONS", [])
        (tmp_path / "rule_table.py").write_text(TABLE.format(k=k))
        (tmp_path / "rule.py").write_text(rule)
        invalidate_caches()
        return import_module("rule")

    yield write
    for name in ("rule", "rule_table"):
        sys.modules.pop(name, None)


def test_compiled_returns_the_function_itself(monkeypatch):
    monkeypatch.setattr(compiling, "_FUNCTIONS", [])

    def double(number):
        return 2 * number

    assert compiled(double) is double


def test_load_compiled_returns_none_without_numba(without_numba):
    assert load_compiled(rate_tables_2016) is None
    assert not any(system().rating.compiled for system in (Fesa2016, Fesa2000, Egf2021, Bgf, Rif1997))


def test_machine_code_follows_a_changed_table_of_another_module(rule_module):
    # the second process would find the code of the first one on disk, since rule.py itself is unchanged
    results = [load_compiled(rule_module(k).sum_changes)((1.0, 0.5, 1.0)) for k in (16, 24)]
    assert results == [16.0, 24.0]
    assert rule_module(24).sum_changes((1.0, 0.5, 1.0)) == 24.0


def test_code_of_other_rules_is_not_read(rule_module):
    # the stored code of the first process names a class that the second process does not have
    module = rule_module(16, RULE_WITH_CLASS)
    assert load_compiled(module.sum_changes)(module.Scores(1.0, 1.0)) == 16.0
    assert load_compiled(rule_module(16).sum_changes)((1.0, 1.0)) == 16.0


def test_unchanged_rules_are_not_compiled_again(rule_module):
    for _process in range(2):
        machine_code = load_compiled(rule_module(16).sum_changes)
        machine_code((1.0, 0.0))
    assert (len(machine_code.stats.cache_hits), len(machine_code.stats.cache_misses)) == (1, 0)
