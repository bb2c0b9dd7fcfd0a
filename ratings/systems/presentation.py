"""Protocol of presenting: how a system's ratings are shown, explained and exported."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar

from .rules import Rules
from .tiebreaks import GO_NAMES, TieBreak
from .values import Row, RowExplanation


class Scale(StrEnum):
    """Scale of the ratings of a system: Elo's, or 100 points for a rank of go."""

    ELO = "elo"
    RANKS = "ranks"


class Presentation(ABC):
    """Presentation of a system: on pages, in files and in words, with the settings of one list."""

    decimals: ClassVar[int] = 0
    """Number of decimals with which ratings are displayed."""
    defines_performance: ClassVar[bool] = True
    """True if the rules define a performance; otherwise it is computed from the system's expected scores."""
    tie_breaks: ClassVar[Mapping[TieBreak, str]] = GO_NAMES
    """Names of the tie-breaks in this game."""
    files: ClassVar[Sequence[str]] = ("grid", "trf", "csv", "xlsx")
    """External formats in which tables can be exported."""
    list_layout: ClassVar[str] = "fesa"
    """External format of rating lists as text: fesa, egf or fide."""
    scale: ClassVar[Scale] = Scale.ELO
    """Ratings of systems with the same scale can be converted into each other."""
    gor_of_zero: ClassVar[int] = 0
    """Rating on the European Go Database's scale that a rating of 0 corresponds to, for Scale.RANKS."""
    legend: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Player categories that are marked on lists, with their meanings."""
    assumptions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Assumptions about a player for whom a required value is unknown, by the name of the value."""
    grade_note: ClassVar[str] = ""
    """Explanation of the rating after each game of an event, by which grades are won; empty where none are."""
    empty_list_reason: ClassVar[str] = ""
    """Explanation of why a list stays empty until an officer sets a first rating; empty for most systems."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    @abstractmethod
    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        """Explain how the rating of a row with games was computed, in the system's own terms.

        With `fixed_opponents`, the ratings of all opponents are fixed, as in a calculator.
        """

    @abstractmethod
    def rules(self) -> Rules:
        """Return the system with its settings as texts and tables, for the page that explains the ratings."""
