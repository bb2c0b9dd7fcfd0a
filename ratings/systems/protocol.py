"""A rating system: its rating, its grading and its presentation, with the settings of one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from .grading_rules import GradingRules
from .options import Option, resolve_options
from .presentation import Presentation
from .rating_rules import RatingRules, S


class System(Generic[S]):
    """One federation's rating system with the settings of one list.

    A system is a subclass that names its three classes; everything outside the package of a system uses nothing else.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str] = ""
    """One sentence by which an administrator chooses the system."""
    options: ClassVar[Sequence[Option]] = ()
    rating_class: ClassVar[type[RatingRules[Any]]]
    grading_class: ClassVar[type[GradingRules[Any]]] = GradingRules
    presentation_class: ClassVar[type[Presentation]]

    def __init__(self, list_options: Mapping[str, Any] | None = None) -> None:
        """Configure the system with a list's options.

        Raise ValueError if an option is unknown or its value is invalid.
        """
        self.settings = resolve_options(self.key, self.options, list_options or {})
        self.rating: RatingRules[S] = self.rating_class(self.settings)
        self.grading: GradingRules[S] = self.grading_class(self.settings)
        self.presentation = self.presentation_class(self.settings)
