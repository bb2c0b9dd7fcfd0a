"""Content of a card: the picture that other sites show with a link to a page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from portal.site.federation_identity import Identity


@dataclass(frozen=True)
class Row:
    """A player in a list of places; `grade` is empty where there is none."""

    place: int
    name: str
    grade: str
    value: str


@dataclass(frozen=True)
class Side:
    """A player of a comparison, with lines below the name."""

    name: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Card:
    """Content of a card, from top to bottom; all texts but the title may be missing.

    `label` stands in the head. `figure` is the largest text, `change` (with its `tone`: gain, loss or empty) stands
    beside it. `facts` are names and values at the right. `sides` are two players, between whom the figure stands.
    """

    identity: Identity
    label: str
    title: str = ""
    lines: Sequence[str] = ()
    figure: str = ""
    grade: str = ""
    change: str = ""
    tone: str = ""
    facts: Sequence[tuple[str, str]] = ()
    sides: Sequence[Side] = ()
    rows: Sequence[Row] = ()
    sentence: str = ""
    curve: Sequence[tuple[dt.date, float]] = ()
