"""Grading of egf-2021: ranks are declared, and the system awards no grades."""

from __future__ import annotations

from collections.abc import Sequence

from ratings.systems.grading_rules import GradingRules

from . import tables
from .state import EgfState


class EgfGrading(GradingRules[EgfState]):
    """Declared ranks, amateur and professional; no grades."""

    @property
    def ranks(self) -> Sequence[str]:
        return tables.RANKS
